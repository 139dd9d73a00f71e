// Pools that only pay out and that an account has emptied: a later block can have no output for it there but by its own hand, so a
// scan need not search them (ZIP 326). What was not searched is kept, and is scanned again where a note shows that money was left.

import type { Height } from '@wallet-companion/base/values';
import { POOLS, withdrawOnlyHeight } from '@wallet-companion/zcash/pools';
import type { ScanHeights } from '@wallet-companion/zcash/scan';
import type {
  HeightRange,
  NoteStoreState,
  PoolOfAccount,
  Unsearched,
  Verifier,
} from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';
import { addRange, contiguousEnd, missingRanges, removeRange } from './ranges.ts';
import { floorOf, type NoteStoreAccount } from './scannedRanges.ts';

type NoteOfPool = Pick<StoredNote, 'account' | 'pool' | 'value' | 'spent'>;

const isSame = (a: PoolOfAccount, b: PoolOfAccount): boolean => a.account === b.account && a.pool === b.pool;

/**
 * The height of the spend; above every block while there is none. A note without value is no money and is never spent: a spend of
 * change leaves one at the same address, where the pool only pays out.
 */
const endOf = ({ spent, value }: NoteOfPool): Height =>
  value === 0 ? 0 : (spent?.height ?? Number.POSITIVE_INFINITY);

/**
 * What need not be searched in blocks from `from` up: pools that only pay out, in which the account had nothing left at a block below
 * it, with every block up to there searched. Not for an account that is looked for.
 */
export function emptiedPools(
  state: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
  notes: Iterable<NoteOfPool>,
  heights: ScanHeights,
  from: Height,
): PoolOfAccount[] {
  const pools = POOLS.flatMap((pool) => {
    const since = withdrawOnlyHeight(pool, heights);
    return since === undefined || since > from ? [] : [{ pool, since }];
  });
  if (pools.length === 0) return [];
  const known = [...notes].filter((note) => pools.some(({ pool }) => pool === note.pool));
  return accounts.flatMap((account) => {
    if (account.until !== undefined || floorOf(state, account) > from) return [];
    // `searchedState` leaves no unsearched block below the spend of a note.
    const scannedTo = contiguousEnd(state.scanned[account.index] ?? [], floorOf(state, account));
    return pools.flatMap(({ pool, since }) => {
      const one = { account: account.index, pool };
      const own = known.filter((note) => isSame(note, one));
      const emptyAt = own.reduce((last, note) => Math.max(last, endOf(note)), since - 1);
      return emptyAt < from && scannedTo >= emptyAt ? [one] : [];
    });
  });
}

/** A commit of scanned blocks. */
export interface SearchedBlocks {
  readonly accounts: readonly NoteStoreAccount[];
  readonly range: HeightRange;
  readonly verifiedBy: Verifier;
  /** The pools that were not searched. */
  readonly without: readonly PoolOfAccount[];
  /** The notes that the commit keeps, as it does. */
  readonly notes: readonly NoteOfPool[];
}

/**
 * `state`, in which the range counts as scanned, with what was not searched. Where a note was left in a pool, or spent later, blocks
 * above that were not searched count as missing, with all above them: the nullifiers that were seen there are forgotten.
 */
export function searchedState(
  before: NoteStoreState,
  state: NoteStoreState,
  { accounts, range, verifiedBy, without, notes }: SearchedBlocks,
): NoteStoreState {
  if (before.unsearched === undefined && without.length === 0) return state;
  // Compact blocks change nothing of what full ones were scanned for.
  const searched = verifiedBy === null ? missingRanges(before.verified, range) : [range];
  const isRead = (account: number) => accounts.some(({ index }) => index === account);
  const known = before.unsearched ?? [];
  const others = without.filter((one) => !known.some((entry) => isSame(entry, one)));
  const unsearched = [...known, ...others.map((one): Unsearched => ({ ...one, ranges: [] }))].map((entry) => {
    const { ranges } = entry;
    if (without.some((one) => isSame(one, entry))) return { ...entry, ranges: addRange(ranges, range) };
    return isRead(entry.account) ? { ...entry, ranges: searched.reduce(removeRange, [...ranges]) } : entry;
  });
  const refuted = unsearched.filter((entry) =>
    notes.some((note) => isSame(note, entry) && endOf(note) >= lowestOf(entry)),
  );
  return missingAgain({ ...state, unsearched }, refuted);
}

/** Where nothing is skipped any more: all that was not searched counts as missing, with all above it. */
export const nothingSkipped = (state: NoteStoreState): NoteStoreState =>
  missingAgain(state, state.unsearched ?? []);

const lowestOf = ({ ranges }: Unsearched): Height => ranges[0]?.start ?? Number.POSITIVE_INFINITY;

function missingAgain(state: NoteStoreState, refuted: readonly Unsearched[]): NoteStoreState {
  const scanned = { ...state.scanned };
  let { unsearched = [] } = state;
  for (const { account, ranges } of refuted) {
    const [lowest] = ranges;
    if (lowest === undefined) continue;
    const above = { start: lowest.start, end: Number.MAX_SAFE_INTEGER };
    scanned[account] = removeRange(scanned[account] ?? [], above);
    unsearched = unsearched.map((entry) =>
      entry.account === account ? { ...entry, ranges: removeRange(entry.ranges, above) } : entry,
    );
  }
  return { ...state, scanned, unsearched: unsearched.filter(({ ranges }) => ranges.length > 0) };
}
