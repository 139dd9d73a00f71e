// Which notes of an account may be spent now, and why the others may not: they wait for confirmations, or a prepared payment
// has reserved them.
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { Pool } from '@wallet-companion/zcash/pools';
import { type Funds, refuseSpending } from './refusal.ts';
import type { SpendingRules } from './rules.ts';

/** An unspent note with the fields for its selection; the builder asks for its opening. */
export interface OwnNote {
  readonly pool: Pool;
  readonly zatoshi: Zatoshi;
  /** Height of its block. */
  readonly height: Height;
  /** Leaf index in the pool's tree. */
  readonly position: number;
  /** The account itself made the note: change. */
  readonly isChange: boolean;
  /** A prepared payment that may still be mined has reserved the note. */
  readonly isReserved: boolean;
}

export interface Confirmations {
  readonly change: number;
  readonly received: number;
}

/** ZIP 315 */
export const DEFAULT_CONFIRMATIONS: Confirmations = { change: 3, received: 10 };

export interface SortedFunds<Note> {
  readonly funds: Funds;
  /** The largest first, without dust. */
  readonly notes: readonly Note[];
  readonly dust: readonly Note[];
}

/** Whether the note is worth no more than the fee of one action. */
export const isDust = (zatoshi: Zatoshi, { feePerAction }: Pick<SpendingRules, 'feePerAction'>): boolean =>
  zatoshi <= feePerAction;

export function checkConfirmations({ change, received }: Confirmations): void {
  const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 1;
  if (!isCount(change) || !isCount(received)) refuseSpending({ kind: 'confirmations' });
}

export function sortFunds<Note extends OwnNote>(
  all: readonly Note[],
  targetHeight: Height,
  confirmations: Confirmations,
  rules: Pick<SpendingRules, 'feePerAction'>,
): SortedFunds<Note> {
  const seen = new Set<string>();
  const ready: Note[] = [];
  const waiting = new Map<Height, Zatoshi>();
  let reserved = 0;
  for (const note of all) {
    const name = `${note.pool} ${note.position}`;
    if (seen.has(name)) throw new RangeError('a note is listed twice');
    seen.add(name);
    const needed = note.isChange ? confirmations.change : confirmations.received;
    if (note.zatoshi === 0) continue;
    if (note.isReserved) reserved += note.zatoshi;
    else if (targetHeight - note.height >= needed) ready.push(note);
    else add(waiting, note.height + needed - 1, note.zatoshi);
  }
  ready.sort((a, b) => b.zatoshi - a.zatoshi || a.position - b.position);
  const notes = ready.filter(({ zatoshi }) => !isDust(zatoshi, rules));
  const dust = ready.filter(({ zatoshi }) => isDust(zatoshi, rules));
  return {
    funds: {
      spendable: total(notes),
      dust: total(dust),
      waiting: [...waiting]
        .map(([height, zatoshi]) => ({ zatoshi, height }))
        .sort((a, b) => a.height - b.height),
      reserved,
    },
    notes,
    dust,
  };
}

function add(sums: Map<Height, Zatoshi>, height: Height, zatoshi: Zatoshi): void {
  sums.set(height, (sums.get(height) ?? 0) + zatoshi);
}

export const total = (items: readonly { readonly zatoshi: Zatoshi }[]): Zatoshi =>
  items.reduce((sum, { zatoshi }) => sum + zatoshi, 0);
