// Of all notes that can be spent, those among which a payment is chosen. Merchants have a hundred thousand, and every way to
// make a payment is weighed: but none takes more notes of a pool than it has actions, and the largest are enough for that,
// beside those that come nearest to the amount.
import type { Zatoshi } from '../../values/zatoshi.ts';
import type { Pool } from '../pools.ts';
import type { OwnNote, SortedFunds } from './funds.ts';

/** One of these alone is enough, where the fee does not ask for a little more. */
const NEAREST = 16;

export interface NotesToTry<Note> extends SortedFunds<Note> {
  /** There are others besides. */
  readonly isCut: boolean;
}

export function worthTrying<Note extends OwnNote>(
  { funds, notes, dust }: SortedFunds<Note>,
  {
    pools,
    paid,
    maxActions,
  }: { readonly pools: readonly Pool[]; readonly paid: Zatoshi; readonly maxActions: number },
): NotesToTry<Note> {
  const tried = pools.flatMap((pool) => {
    // The largest first.
    const ofPool = notes.filter((note) => note.pool === pool);
    const enough = ofPool.findLastIndex(({ zatoshi }) => zatoshi > paid) + 1;
    const largest = ofPool.slice(0, maxActions);
    return [...largest, ...ofPool.slice(Math.max(largest.length, enough - NEAREST), enough)];
  });
  const triedDust = pools.flatMap((pool) => dust.filter((note) => note.pool === pool).slice(0, maxActions));
  return { funds, notes: tried, dust: triedDust, isCut: tried.length < notes.length };
}
