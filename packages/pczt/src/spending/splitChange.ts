// Decides into how many notes change is split. A payment reserves whole notes until it is mined and its change is deep enough, so
// a wallet with one note pays once in a while, and one with four notes makes four payments at once. The rule is that of
// zcash_client_backend (`SplitPolicy`), with the values that most of its users set.
import type { Zatoshi } from '@wallet-companion/base/values';
import type { PerPool, Pool } from '@wallet-companion/zcash/pools';
import type { OwnNote } from './funds.ts';

/** 0.1 ZEC. Each note beyond the first costs an action, 5,000 zatoshi, once when it is made and often once when it is spent. */
export const LEAST_SPLIT_NOTE: Zatoshi = 10_000_000;

/** Orchard is left for Ironwood, and moving out of it makes its own notes. */
const SPLITS: PerPool<boolean> = { sapling: true, orchard: false, ironwood: true };

const isUseful = ({ zatoshi }: OwnNote): boolean => zatoshi >= LEAST_SPLIT_NOTE;

/** The unspent notes of the account that need not be made again. */
export const usefulNotes = (notes: readonly OwnNote[]): number =>
  notes.filter((note) => !note.isReserved && isUseful(note)).length;

/** The most notes that change in the pool is split into: as many as the account lacks of `wanted`, and at least 1. */
export const notesLacking = (
  pool: Pool,
  { wanted, useful, spends }: { wanted: number; useful: number; spends: readonly OwnNote[] },
): number => (SPLITS[pool] ? Math.max(1, wanted - useful + spends.filter(isUseful).length) : 1);

/** Whether none of so many notes would be too small. */
export const isWorthSplitting = (zatoshi: Zatoshi, notes: number): boolean =>
  Math.floor(zatoshi / notes) >= LEAST_SPLIT_NOTE;
