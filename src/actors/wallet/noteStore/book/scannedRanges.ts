// What has been scanned for which account, as part of the note store's state: what is missing, and how the state changes
// when blocks are scanned or undone. Pure functions.

import type { Height } from '@wallet-companion/base/values';
import type { HeightRange, NoteStoreState, Verifier } from '../../ports/noteDatabase.ts';
import { addRange, contiguousEnd, type HeightSet, includes, missingRanges, removeRange } from './ranges.ts';

export interface NoteStoreAccount {
  readonly index: number;
  readonly birthdayHeight: Height;
  /** Blocks above do not count for it, and it is not scanned for any more once those below are: an account that is looked for. */
  readonly until?: Height;
}

export const nothingScanned = (birthdayHeight: Height): NoteStoreState => ({
  scanned: {},
  verified: [],
  floors: {},
  lastScanHeight: birthdayHeight - 1,
  exportedScanHeight: birthdayHeight - 1,
  exportCount: 0,
  confirmedUpTo: -1,
});

/** The blocks scanned for any account. */
export const everScanned = ({ scanned }: NoteStoreState): HeightSet =>
  Object.values(scanned).reduce<HeightSet>((union, ranges) => ranges.reduce(addRange, union), []);

export interface VerifiedStretch extends HeightRange {
  readonly verifiedWith: Verifier;
}

/** What was scanned for an account, ascending, cut where another one verified it. */
export function verifiedStretches({ scanned, verified, byWork = [] }: NoteStoreState, account: number) {
  return (scanned[account] ?? []).flatMap((range): VerifiedStretch[] => {
    const alone = missingRanges(verified, range);
    const full = missingRanges(alone, range);
    const byNode = full.flatMap((part) => missingRanges(byWork, part));
    const byPeers = full.flatMap((part) => missingRanges(byNode, part));
    return [
      ...alone.map((part) => ({ ...part, verifiedWith: null })),
      ...byNode.map((part) => ({ ...part, verifiedWith: 'node' as const })),
      ...byPeers.map((part) => ({ ...part, verifiedWith: 'work' as const })),
    ].sort((a, b) => a.start - b.start);
  });
}

/** The mark of a block. */
export function verifierAt({ verified, byWork = [] }: NoteStoreState, height: Height): Verifier {
  if (!includes(verified, height)) return null;
  return includes(byWork, height) ? 'work' : 'node';
}

/** What was scanned for these accounts and no source verified, ascending. */
export const unverifiedRanges = (
  { scanned, verified }: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
): HeightSet =>
  accounts
    .flatMap(({ index }) => scanned[index] ?? [])
    .reduce<HeightSet>(addRange, [])
    .flatMap((range) => missingRanges(verified, range));

/** What verified all scanned blocks of these accounts; of two, the one that checks less. */
export function verifierOf(state: NoteStoreState, accounts: readonly NoteStoreAccount[]): Verifier {
  const scanned = accounts.flatMap(({ index }) => state.scanned[index] ?? []);
  if (scanned.length === 0 || unverifiedRanges(state, accounts).length > 0) return null;
  const isByNode = ({ start, end }: HeightRange) =>
    (state.byWork ?? []).every((part) => part.end < start || part.start > end);
  return scanned.every(isByNode) ? 'node' : 'work';
}

/** Where an account's chain starts: at its birthday, or lower where notes were found below it, or blocks are scanned again. */
export const floorOf = (state: NoteStoreState, account: NoteStoreAccount): Height =>
  Math.min(floorBefore(state, account), account.birthdayHeight);

/** The same before the birthday fell: nullifiers of what was scanned without a gap from there on were dropped. */
const floorBefore = ({ floors }: NoteStoreState, { index, birthdayHeight }: NoteStoreAccount): Height =>
  floors[index] ?? birthdayHeight;

/** Where the chain of the lowest one starts. */
export const lowestFloor = (state: NoteStoreState, accounts: readonly NoteStoreAccount[]): Height =>
  Math.min(...accounts.map((account) => floorOf(state, account)));

/** Whether blocks are still to be scanned with the keys of the account. */
export const isScannedWith = (state: NoteStoreState, account: NoteStoreAccount): boolean =>
  account.until === undefined ||
  contiguousEnd(state.scanned[account.index] ?? [], floorOf(state, account)) < account.until;

/** The blocks in the range that a scan reads with the keys of the account: of later ones its notes are not taken. */
const readFor = ({ until = Number.MAX_SAFE_INTEGER }: NoteStoreAccount, { start, end }: HeightRange) =>
  start > until ? undefined : { start, end: Math.min(end, until) };

/** The ranges not scanned between the birthday and the last scanned height, for any of the accounts. */
export function missingFor(state: NoteStoreState, accounts: readonly NoteStoreAccount[]): HeightRange[] {
  let missing: HeightRange[] = [];
  for (const account of accounts) {
    const end = Math.min(state.lastScanHeight, account.until ?? state.lastScanHeight);
    const within = { start: floorOf(state, account), end };
    for (const range of missingRanges(state.scanned[account.index] ?? [], within)) {
      missing = addRange(missing, range);
    }
  }
  return missing;
}

/** Those that an account added later lacks, and the first one does not: nobody skipped them. */
export function missingLater(state: NoteStoreState, accounts: readonly NoteStoreAccount[]): HeightRange[] {
  return missingFor(state, accounts.slice(0, 1)).reduce<HeightRange[]>(
    removeRange,
    missingFor(state, accounts),
  );
}

/** How many accounts, from number 0 on, were looked at without a gap. */
export function countSearched(state: NoteStoreState, accounts: readonly NoteStoreAccount[]): number {
  const isLookedAt = (account: NoteStoreAccount, at: number): boolean =>
    account.index === at &&
    scannedTopFor(state, [account]) !== undefined &&
    missingFor(state, [account]).length === 0;
  const left = accounts.findIndex((account, at) => !isLookedAt(account, at));
  return left === -1 ? accounts.length : left;
}

/** The highest scanned block; undefined before the first one from a birthday of these accounts on. */
export function scannedTopFor(
  state: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
): Height | undefined {
  const isScanned = accounts.some((account) =>
    (state.scanned[account.index] ?? []).some((range) => range.end >= floorOf(state, account)),
  );
  return isScanned ? everScanned(state).at(-1)?.end : undefined;
}

/** `isFateless`: it may have been spent in a block scanned before. */
export interface NoteInRange {
  readonly account: number;
  readonly height: Height;
  readonly isFateless: boolean;
}

/**
 * State after `range` was scanned for every account, with these notes in it. A note below the floor lowers it. The nullifiers of
 * blocks scanned before were dropped once everything from the floor on was contiguous: where it falls, and where a note is fateless,
 * those blocks count as missing until they are scanned again.
 */
export function extendedState(
  state: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
  range: HeightRange,
  verifiedBy: Verifier,
  notes: readonly NoteInRange[],
): NoteStoreState {
  const verified =
    verifiedBy === null ? unverifiedFor(state, accounts, range) : addRange(state.verified, range);
  const byWork = workAfter(state, range, verifiedBy);
  const scanned: Record<number, readonly HeightRange[]> = { ...state.scanned };
  const floors: Record<number, number> = { ...state.floors };
  for (const account of accounts) {
    const floor = floorBefore(state, account);
    const before = scanned[account.index] ?? [];
    const own = notes.filter((note) => note.account === account.index);
    const isLower = own.some(({ height }) => height < floor);
    floors[account.index] = isLower ? Math.min(floor, range.start) : floor;
    const read = readFor(account, range);
    let ranges = read === undefined ? before : addRange(before, read);
    if (isLower || own.some(({ isFateless }) => isFateless)) {
      const dropped = contiguousEnd(before, floor);
      if (dropped > range.end) ranges = removeRange(ranges, { start: range.end + 1, end: dropped });
    }
    scanned[account.index] = ranges;
  }
  return {
    ...state,
    scanned,
    verified,
    byWork,
    floors,
    lastScanHeight: Math.max(state.lastScanHeight, range.end),
  };
}

/** What a node gave once more is the node's, and what peers give does not take that away. */
function workAfter(
  { verified, byWork = [] }: NoteStoreState,
  range: HeightRange,
  verifiedBy: Verifier,
): HeightSet {
  if (verifiedBy === 'node') return removeRange(byWork, range);
  return verifiedBy === null ? byWork : missingRanges(verified, range).reduce<HeightSet>(addRange, byWork);
}

/** A compact block changes nothing that was scanned from a full one, but an account that is new there rests on its word. */
function unverifiedFor(
  { scanned, verified }: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
  range: HeightRange,
): HeightSet {
  const unscanned = accounts.flatMap((account) => {
    const read = readFor(account, range);
    return read === undefined ? [] : missingRanges(scanned[account.index] ?? [], read);
  });
  return unscanned.reduce<HeightSet>(removeRange, verified);
}

/** State in which the chain of every account starts at `from` at the latest; nothing from there on may be scanned. */
export function startingAt(
  state: NoteStoreState,
  accounts: readonly NoteStoreAccount[],
  from: Height,
): NoteStoreState {
  const floors = accounts.map((account) => [account.index, Math.min(floorBefore(state, account), from)]);
  return { ...state, floors: { ...state.floors, ...Object.fromEntries(floors) } };
}

/** State when everything above `height` is undone. */
export function rewoundState(state: NoteStoreState, height: Height): NoteStoreState {
  const above = { start: height + 1, end: Number.MAX_SAFE_INTEGER };
  const scanned = Object.fromEntries(
    Object.entries(state.scanned).map(([account, ranges]) => [account, removeRange(ranges, above)]),
  );
  const [verified, byWork] = [state.verified, state.byWork ?? []].map((set) => removeRange(set, above));
  const unsearched = state.unsearched?.map((one) => ({ ...one, ranges: removeRange(one.ranges, above) }));
  return {
    ...state,
    scanned,
    ...(unsearched && { unsearched }),
    verified: verified!,
    byWork: byWork!,
    lastScanHeight: Math.min(state.lastScanHeight, height),
  };
}
