// Sends all spendable funds to one recipient: without change, and the fee reduces the amount. Notes that cost more than
// they add stay, and so does a whole pool that costs more than it adds.
import type { Zatoshi } from '../../values/zatoshi.ts';
import type { Pool } from '../pools.ts';
import { isDust, type OwnNote, total } from './funds.ts';
import { LEAST_TRANSPARENT, type Payee, type Receiver } from './payees.ts';
import { completePlan, formOf, type Plan } from './plan.ts';
import { fullAt, type Room } from './room.ts';

/** `missing`: what the least amount lacks after the fee. `notes` has the largest first, dust last. */
export function planEverything<Note extends OwnNote>(
  notes: readonly Note[],
  payee: Payee,
  receiver: Receiver,
  pools: readonly Pool[],
  room: Room,
): Plan<Note> | { readonly missing: Zatoshi } {
  const payment = (zatoshi: Zatoshi) => ({
    place: receiver.place,
    receiver: receiver.bytes,
    address: payee.address,
    zatoshi,
    memo: payee.memo,
  });
  const formWith = (spends: readonly Note[]) => formOf(spends, [payment(0)], undefined);
  const amountOf = (spends: readonly Note[]): Zatoshi =>
    total(spends) - room.rules.conventionalFee(formWith(spends));
  const chosen: Note[] = [];
  for (const note of notes) {
    const more = [...chosen, note];
    if (!pools.includes(note.pool) || fullAt(formWith(more), room) !== undefined) continue;
    if (!isDust(note.zatoshi, room.rules) || amountOf(more) > amountOf(chosen)) chosen.push(note);
  }
  const zatoshi = amountOf(chosen);
  const least = receiver.place === 'transparent' ? LEAST_TRANSPARENT : 1;
  if (zatoshi < least) return { missing: least - zatoshi };
  return completePlan({ spends: chosen, payments: [payment(zatoshi)], change: undefined }, room.rules);
}
