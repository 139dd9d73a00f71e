// Between a compact server and the local store: undoes what a reorg made stale, fetches what is missing. Whatever is
// interrupted leaves a store of linked blocks; the next request goes on from there.
import { setTimeout as delay } from 'node:timers/promises';
import type { CompactStore, StoredCompactBlock, StoredRange } from '../actors/chain/compactStore.ts';
import { CompanionError } from '../protocol/errors.ts';
import { equalBytes } from '../shielded/bytes.ts';
import type { SourceTip } from './chainSource.ts';
import { ChainMoved, chainMoved } from './compactFailure.ts';
import type { CompactServer } from './compactServer.ts';

/** The last common block and how many stored blocks were undone. */
export interface StoreReorg {
  readonly forkHeight: number;
  readonly depth: number;
}

/** Blocks kept and the bytes of their messages. */
export interface Tally {
  blocks: number;
  bytes: number;
}

export interface StoreUpdate extends Readonly<Tally> {
  readonly reorg: StoreReorg | null;
  readonly tip: SourceTip;
  /** What is stored whole now. */
  readonly range: StoredRange;
}

/** As many block hashes as the wallet keeps: deeper than any reorg that nodes follow (1,000 blocks). */
const MAX_REORG_DEPTH = 1_100;

/** One transaction of the store: large enough to make its cost small, small enough to lose little when interrupted. */
const COMMIT = { blocks: 500, bytes: 8 * 2 ** 20 } as const;

/** Contiguous stored stretches, ascending. */
export function storedRanges(store: CompactStore): StoredRange[] {
  const { firstHeight, lastHeight, missingRanges } = store.summary();
  if (firstHeight === null || lastHeight === null) return [];
  const ranges: StoredRange[] = [];
  let start = firstHeight;
  for (const gap of missingRanges) {
    ranges.push({ start, end: gap.start - 1 });
    start = gap.end + 1;
  }
  ranges.push({ start, end: lastHeight });
  return ranges;
}

/** What of the range is not stored, ascending. */
export function missingIn(store: CompactStore, range: StoredRange): StoredRange[] {
  const missing: StoredRange[] = [];
  let next = range.start;
  for (const { start, end } of storedRanges(store)) {
    if (end < next) continue;
    if (start > range.end) break;
    if (start > next) missing.push({ start: next, end: start - 1 });
    next = end + 1;
  }
  if (next <= range.end) missing.push({ start: next, end: range.end });
  return missing;
}

/**
 * Removes stored blocks in and beside the range that the server's chain does not have. One comparison a stretch: blocks
 * below a common one are common, because they are linked. Null when all of it still holds.
 * Throws `NODE_BEHIND` when the server is lower than a stretch that is on another branch: it may only be catching up.
 * Throws `REORG_TOO_DEEP`. Either way nothing is removed.
 */
export async function undoStale(
  server: CompactServer,
  store: CompactStore,
  range: StoredRange,
  tip: SourceTip,
  signal?: AbortSignal,
): Promise<StoreReorg | null> {
  const stale: StoredRange[] = [];
  for (const stretch of storedRanges(store)) {
    if (stretch.end < range.start - 1 || stretch.start > range.end + 1) continue;
    const fork = await forkIn(server, store, stretch, tip, signal);
    if (fork < stretch.end) stale.push({ start: fork + 1, end: stretch.end });
  }
  const lowest = stale[0];
  if (lowest === undefined) return null;
  for (const range of stale) store.remove(range);
  const depth = stale.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return { forkHeight: lowest.start - 1, depth };
}

/** Highest common height of a stored stretch; one below its start when none is common. */
async function forkIn(
  server: CompactServer,
  store: CompactStore,
  stretch: StoredRange,
  tip: SourceTip,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (stretch.start > tip.height) return stretch.end;
  const isCommon = async (height: number): Promise<boolean> => {
    const theirs = height === tip.height ? tip.hash : (await server.block(height, signal))?.skim.hash;
    const ours = store.hashAt(height);
    return theirs !== undefined && ours !== undefined && equalBytes(theirs, ours);
  };
  const top = Math.min(stretch.end, tip.height);
  if (await isCommon(top)) return stretch.end;
  if (stretch.end > tip.height) {
    throw new CompanionError(
      'NODE_BEHIND',
      `The compact server is at height ${tip.height} on another branch than the stored blocks up to ${stretch.end}. Wait until it has caught up, or use another server or db_path.`,
    );
  }
  // Blocks up to the fork are common and those above it are not: the boundary is found by halving.
  const floor = Math.max(stretch.start, top - MAX_REORG_DEPTH);
  let low = floor;
  let high = top;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isCommon(middle)) low = middle + 1;
    else high = middle;
  }
  if (low === floor && floor > stretch.start) {
    throw new CompanionError(
      'REORG_TOO_DEEP',
      `The chain changed more than ${MAX_REORG_DEPTH} blocks below the top of the compact store. Nothing was changed; use another db_path, or remove this store, and sync again.`,
    );
  }
  return low - 1;
}

/** Fetches what is missing in the range and keeps it. Blocks that arrived before a failure are kept and counted too. */
export async function fetchMissing(
  server: CompactServer,
  store: CompactStore,
  range: StoredRange,
  tally: Tally = { blocks: 0, bytes: 0 },
  signal?: AbortSignal,
): Promise<void> {
  for (const missing of missingIn(store, range)) {
    let pending: StoredCompactBlock[] = [];
    let pendingBytes = 0;
    const commit = (): void => {
      if (pending.length === 0) return;
      store.put(pending);
      tally.blocks += pending.length;
      tally.bytes += pendingBytes;
      pending = [];
      pendingBytes = 0;
    };
    const below = store.hashAt(missing.start - 1);
    try {
      for await (const { bytes: data, skim } of server.blocks(missing, signal)) {
        if (skim.height === missing.start && below !== undefined && !equalBytes(skim.prevHash, below)) {
          throw chainMoved(server.host, skim.height);
        }
        pending.push({ height: skim.height, hash: skim.hash, prevHash: skim.prevHash, data });
        pendingBytes += data.length;
        if (pending.length >= COMMIT.blocks || pendingBytes >= COMMIT.bytes) commit();
      }
    } finally {
      commit();
    }
  }
}

/**
 * Both of the above, again when the server's chain changes in between: some servers mix branches for a few seconds
 * after a reorg. `plan` is asked anew once stale blocks are gone, because the range may depend on what is stored.
 */
export async function bringUpToDate(
  server: CompactServer,
  store: CompactStore,
  plan: (tip: SourceTip) => StoredRange,
  signal?: AbortSignal,
): Promise<StoreUpdate> {
  const tally: Tally = { blocks: 0, bytes: 0 };
  let reorg: StoreReorg | null = null;
  for (let attempt = 0; ; attempt++) {
    const tip = await server.tip(signal);
    reorg = deeper(reorg, await undoStale(server, store, plan(tip), tip, signal));
    const range = plan(tip);
    try {
      await fetchMissing(server, store, range, tally, signal);
      return { ...tally, reorg, tip, range };
    } catch (error) {
      const wait = server.movedDelaysMs[attempt];
      if (!(error instanceof ChainMoved) || wait === undefined) throw error;
      await delay(wait, undefined, signal === undefined ? {} : { signal });
    }
  }
}

const deeper = (a: StoreReorg | null, b: StoreReorg | null): StoreReorg | null =>
  a === null || b === null
    ? (a ?? b)
    : { forkHeight: Math.min(a.forkHeight, b.forkHeight), depth: Math.max(a.depth, b.depth) };
