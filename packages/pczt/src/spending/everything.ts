// Sends all spendable funds to one recipient: without change, and the fee reduces the amount. Notes that cost more than
// they add stay, and so does a whole pool that costs more than it adds.
import type { Zatoshi } from '@wallet-companion/base/values';
import type { Pool } from '@wallet-companion/zcash/pools';
import { LEAST_TRANSPARENT } from '@wallet-companion/zcash/zip321';
import { isDust, type OwnNote, total } from './funds.ts';
import type { Payee, Receiver } from './payees.ts';
import { completePlan, formOf, type Plan } from './plan.ts';
import type { Full } from './refusal.ts';
import { fullAt, type Room } from './room.ts';

/** `needed`: the least amount with the fee of spending these notes. `notes` has the largest first, dust last. */
export function planEverything<Note extends OwnNote>(
  notes: readonly Note[],
  payee: Payee,
  receiver: Receiver,
  pools: readonly Pool[],
  room: Room,
): Plan<Note> | { readonly needed: Zatoshi; readonly full: Full | undefined } {
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
  let full: Full | undefined;
  for (const note of notes) {
    const more = [...chosen, note];
    if (!pools.includes(note.pool)) continue;
    const fullWith = fullAt(formWith(more), room);
    if (fullWith !== undefined) {
      full = fullWith;
      continue;
    }
    if (!isDust(note.zatoshi, room.rules) || amountOf(more) > amountOf(chosen)) chosen.push(note);
  }
  const zatoshi = amountOf(chosen);
  const least = receiver.place === 'transparent' ? LEAST_TRANSPARENT : 1;
  if (zatoshi < least) return { needed: total(chosen) - zatoshi + least, full };
  return completePlan({ spends: chosen, payments: [payment(zatoshi)], change: undefined }, room.rules);
}
