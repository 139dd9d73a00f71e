// Selects the notes among which a payment is planned. Merchants have a hundred thousand notes, and every plan is compared:
// but no plan takes more notes of a pool than the limit of actions, so the largest notes and those nearest to the amount are
// enough.
import type { Zatoshi } from '@wallet-companion/base/values';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { OwnNote, SortedFunds } from './funds.ts';

/** One of these notes alone is enough, unless the fee requires a little more. */
const NEAREST = 16;

export interface NotesToTry<Note> extends SortedFunds<Note> {
  /** Some notes were left out. */
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
