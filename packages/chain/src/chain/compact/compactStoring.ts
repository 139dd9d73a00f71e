// Between a compact server and the local store: undoes what a reorg made stale or the server refutes, fetches what is
// missing. An interruption leaves a store of linked blocks; the next request continues from there.

import { setTimeout as delay } from 'node:timers/promises';
import { lowestNotHolding } from '@wallet-companion/base/async';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { equalSizes } from '@wallet-companion/zcash/trees';
import type { SourceTip } from '../ports/chainSource.ts';
import type { CompactStore, StoredCompactBlock, StoredRange } from '../ports/compactStore.ts';
import { carriedSizes } from '../source/treeSizes.ts';
import type { CompactClient } from './compactClient.ts';
import { ChainMoved, UnfitBlocks } from './compactFailure.ts';
import { gapsBetween, serverOf, summarizeStored } from './storedBlock.ts';

/** The last common block and how many stored blocks were undone. */
export interface StoreReorg {
  readonly forkHeight: Height;
  readonly depth: number;
}

/** Number of blocks kept and the bytes of their messages. */
export interface FetchedCounts {
  blocks: number;
  bytes: number;
}

export interface StoreUpdate extends Readonly<FetchedCounts> {
  readonly reorg: StoreReorg | null;
  readonly tip: SourceTip;
  /** The range that is now stored as a whole. */
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

/** The parts of the range that are not stored, ascending. */
export const missingIn = (store: CompactStore, range: StoredRange): StoredRange[] =>
  gapsBetween(storedRanges(store), range);

/** The parts of the range that are not stored, or came from another server: a server vouches only for its own blocks. */
const notGivenBy = (server: CompactClient, store: CompactStore, range: StoredRange): StoredRange[] =>
  gapsBetween(
    store.origins(range).filter((origin) => origin.server === server.host),
    range,
  );

/**
 * Removes stored blocks in and beside the range that the server's chain does not have. One comparison a stretch: blocks
 * below a common one are common, because they are linked. Null when all of it still holds. Throws `NODE_BEHIND` when the
 * server is lower than a stretch that is on another branch: it may only be catching up. Throws `REORG_TOO_DEEP`. Either
 * way nothing is removed.
 */
export function undoStale(
  server: CompactClient,
  store: CompactStore,
  range: StoredRange,
  tip: SourceTip,
  signal?: AbortSignal,
): Promise<StoreReorg | null> {
  const stretches = storedRanges(store).filter(
    ({ start, end }) => end >= range.start - 1 && start <= range.end + 1,
  );
  return undoIn(server, store, stretches, tip, signal);
}

/**
 * The same for blocks of another server beyond this server's tip: on its own branch it may reach them later; on another
 * branch no server here vouches for them, and they would block it for ever.
 */
function undoForeign(
  server: CompactClient,
  store: CompactStore,
  tip: SourceTip,
  signal?: AbortSignal,
): Promise<StoreReorg | null> {
  const stretches = storedRanges(store).filter(
    ({ start, end }) => start <= tip.height && end > tip.height && isOfOther(server, store, end),
  );
  return undoIn(server, store, stretches, tip, signal);
}

async function undoIn(
  server: CompactClient,
  store: CompactStore,
  stretches: readonly StoredRange[],
  tip: SourceTip,
  signal: AbortSignal | undefined,
): Promise<StoreReorg | null> {
  const stale: StoredRange[] = [];
  for (const stretch of stretches) {
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
  server: CompactClient,
  store: CompactStore,
  stretch: StoredRange,
  tip: SourceTip,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (stretch.start > tip.height) return stretch.end;
  const isCommon = async (height: Height): Promise<boolean> => {
    const theirs = height === tip.height ? tip.hash : (await server.block(height, signal))?.summary.hash;
    const ours = store.hashAt(height);
    return theirs !== undefined && ours !== undefined && equalBytes(theirs, ours);
  };
  const top = Math.min(stretch.end, tip.height);
  if (await isCommon(top)) return stretch.end;
  const other = isOfOther(server, store, stretch.end);
  if (stretch.end > tip.height && !other) {
    throw new CompanionError(
      'NODE_BEHIND',
      `The compact server is at height ${tip.height} on another branch than the stored blocks up to ${stretch.end}. Wait until it has caught up, or use another server or db_path.`,
    );
  }
  // Blocks up to the fork are common and those above it are not.
  const floor = Math.max(stretch.start, top - MAX_REORG_DEPTH);
  const changed = await lowestNotHolding(floor, top, isCommon);
  if (changed === floor && floor > stretch.start) {
    if (other) return stretch.start - 1;
    throw new CompanionError(
      'REORG_TOO_DEEP',
      `The chain changed more than ${MAX_REORG_DEPTH} blocks below the top of the compact store. The store has copies of blocks and nothing of your money, and nothing was changed: use another db_path, or remove this store, and sync again.`,
    );
  }
  return changed - 1;
}

/** The block is known to come from another server. */
function isOfOther(server: CompactClient, store: CompactStore, height: Height): boolean {
  const giver = serverOf(store, height);
  return giver !== undefined && giver !== server.host;
}

/** Fetches these ranges and keeps them. Blocks that arrived before a failure are kept and counted too. */
async function fetchRanges(
  server: CompactClient,
  store: CompactStore,
  ranges: readonly StoredRange[],
  counts: FetchedCounts,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const missing of ranges) {
    let pending: StoredCompactBlock[] = [];
    let pendingBytes = 0;
    const commit = (): void => {
      if (pending.length === 0) return;
      store.put(pending, server.host);
      counts.blocks += pending.length;
      counts.bytes += pendingBytes;
      pending = [];
      pendingBytes = 0;
    };
    const hash = store.hashAt(missing.start - 1);
    const before = hash && { hash, sizes: storedSizes(store, missing.start - 1) };
    try {
      for await (const { bytes: data, summary } of server.blocks(missing, signal, before)) {
        pending.push({ height: summary.height, hash: summary.hash, prevHash: summary.prevHash, data });
        pendingBytes += data.length;
        if (pending.length >= COMMIT.blocks || pendingBytes >= COMMIT.bytes) commit();
      }
    } finally {
      commit();
    }
  }
}

/** The sizes that the block carries, where it is stored and can be read. */
function storedSizes(store: CompactStore, height: Height): TreeSizes | undefined {
  const block = store.read({ start: height, end: height }, 1)[0];
  try {
    return block && carriedSizes(summarizeStored(block.data, height));
  } catch (error) {
    if (error instanceof UnfitBlocks) return undefined;
    throw error;
  }
}

/**
 * The fetched blocks do not fit the stored block at `height` right below, by the tree sizes of both. Removes the stored
 * stretch unless the server's tree state confirms it: it can be fetched again, and one of the two is wrong.
 */
async function undoRefuted(
  server: CompactClient,
  store: CompactStore,
  height: Height,
): Promise<StoreReorg | null> {
  const stretch = storedRanges(store).find(({ start, end }) => start <= height && height <= end);
  const hash = store.hashAt(height);
  const sizes = storedSizes(store, height);
  if (stretch === undefined || hash === undefined || sizes === undefined) return null;
  const reported = await server.treeSizesAfter(height, hash).catch((error: unknown) => {
    // A reorg, then: the links of the next fetched blocks show it.
    if (error instanceof ChainMoved) return sizes;
    throw error;
  });
  if (reported !== null && equalSizes(reported, sizes)) return null;
  store.remove(stretch);
  return { forkHeight: stretch.start - 1, depth: stretch.end - stretch.start + 1 };
}

/**
 * The next blocks of a chain whose lower ones were compared a moment ago, where none of them is stored: only their links
 * can show a change. `bringUpToDate` handles `ChainMoved` and `UnfitBlocks`.
 */
export async function fetchNext(
  server: CompactClient,
  store: CompactStore,
  range: StoredRange,
  signal: AbortSignal,
): Promise<void> {
  await fetchRanges(server, store, [range], { blocks: 0, bytes: 0 }, signal);
}

export interface UpdateOptions {
  /** Blocks of other servers are fetched too, and replaced. */
  readonly ownBlocks?: boolean;
  /** The user asked to have them in the store: they stay. */
  readonly asked?: boolean;
}

/**
 * All of the above, again when the server's chain changes in between: some servers mix branches for a few seconds after a
 * reorg; and once again after blocks that cannot be right. `plan` is called again once stale blocks are gone, because the
 * range may depend on what is stored.
 */
export async function bringUpToDate(
  server: CompactClient,
  store: CompactStore,
  plan: (tip: SourceTip) => StoredRange,
  signal?: AbortSignal,
  { ownBlocks = false, asked = false }: UpdateOptions = {},
): Promise<StoreUpdate> {
  const counts: FetchedCounts = { blocks: 0, bytes: 0 };
  let reorg: StoreReorg | null = null;
  let moves = 0;
  let doubted: number | undefined;
  for (;;) {
    const tip = await server.tip(signal);
    reorg = deeper(reorg, await undoForeign(server, store, tip, signal));
    reorg = deeper(reorg, await undoStale(server, store, plan(tip), tip, signal));
    if (doubted !== undefined) reorg = deeper(reorg, await undoRefuted(server, store, doubted));
    const range = plan(tip);
    if (asked) store.ask(range);
    const wanted = (): StoredRange[] =>
      ownBlocks ? notGivenBy(server, store, range) : missingIn(store, range);
    try {
      await fetchRanges(server, store, wanted(), counts, signal);
      return { ...counts, reorg, tip, range };
    } catch (error) {
      if (error instanceof UnfitBlocks && doubted === undefined) {
        doubted = (wanted()[0]?.start ?? range.start) - 1;
        continue;
      }
      const wait = server.movedDelaysMs[moves++];
      if (!(error instanceof ChainMoved) || wait === undefined) throw error;
      await delay(wait, undefined, signal === undefined ? {} : { signal });
    }
  }
}

const deeper = (a: StoreReorg | null, b: StoreReorg | null): StoreReorg | null =>
  a === null || b === null
    ? (a ?? b)
    : { forkHeight: Math.min(a.forkHeight, b.forkHeight), depth: Math.max(a.depth, b.depth) };
