// Tree sizes counted from stored compact blocks. Blocks of servers from before mid-2023 carry none, but stored blocks
// are linked, and each contains the number of leaves that it adds: from the nearest block with sizes, or from where the
// trees are empty, they can be counted.

import { setImmediate as otherWork } from 'node:timers/promises';
import type { Height } from '@wallet-companion/base/values';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES } from '@wallet-companion/zcash/trees';
import type { CompactStore, StoredRange } from '../ports/compactStore.ts';
import { carriedSizes, removeLeaves } from '../source/treeSizes.ts';
import { storedRanges } from './compactStoring.ts';
import { summarizeStored } from './storedBlock.ts';

/** Blocks read at a time, and the bytes after which counting in one direction ends: some seconds of work. */
const STEP = { blocks: 256, bytes: 16 * 2 ** 20 } as const;
const MAX_BYTES = 512 * 2 ** 20;

/**
 * Sizes before the stored block at `height`, undefined where they cannot be counted. The store must not change
 * meanwhile.
 */
export async function storedTreeSizesBefore(
  store: CompactStore,
  height: Height,
  saplingActivation: number,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  const stretch = storedRanges(store).find(({ start, end }) => start <= height && height <= end);
  if (stretch === undefined) return undefined;
  return (
    (await countedUp(store, { start: stretch.start, end: height - 1 }, saplingActivation, signal)) ??
    (await countedDown(store, { start: height, end: stretch.end }, signal))
  );
}

/** From the highest block of the range that carries sizes, else from the activation of Sapling, to the range's end. */
async function countedUp(
  store: CompactStore,
  { start, end }: StoredRange,
  saplingActivation: number,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  let added = EMPTY_TREES;
  let bytes = 0;
  for (let top = end; top >= start && bytes < MAX_BYTES; top -= STEP.blocks) {
    const step = { start: Math.max(start, top - STEP.blocks + 1), end: top };
    const blocks = readAll(store, step);
    if (blocks === undefined) return undefined;
    for (const { height, counts, sizes, length } of blocks.reverse()) {
      bytes += length;
      if (height < saplingActivation) return added;
      if (sizes !== undefined) return addLeaves(sizes, added);
      added = addLeaves(added, counts);
    }
    await otherWork(undefined, { signal });
  }
  return start <= saplingActivation && bytes < MAX_BYTES ? added : undefined;
}

/** From the lowest block of the range that carries sizes down to before the range's start. */
async function countedDown(
  store: CompactStore,
  { start, end }: StoredRange,
  signal: AbortSignal,
): Promise<TreeSizes | undefined> {
  let added = EMPTY_TREES;
  let bytes = 0;
  for (let bottom = start; bottom <= end && bytes < MAX_BYTES; bottom += STEP.blocks) {
    const step = { start: bottom, end: Math.min(end, bottom + STEP.blocks - 1) };
    const blocks = readAll(store, step);
    if (blocks === undefined) return undefined;
    for (const { counts, sizes, length } of blocks) {
      bytes += length;
      added = addLeaves(added, counts);
      if (sizes !== undefined) return removeLeaves(sizes, added);
    }
    await otherWork(undefined, { signal });
  }
  return undefined;
}

/** Numbers alone: a hash would keep the whole block in memory. */
interface ReadBlock {
  readonly height: Height;
  readonly counts: TreeSizes;
  readonly sizes: TreeSizes | undefined;
  readonly length: number;
}

/** Every block of the range, ascending; undefined when one is missing. */
function readAll(store: CompactStore, range: StoredRange): ReadBlock[] | undefined {
  const read: ReadBlock[] = [];
  for (let next = range.start; next <= range.end; ) {
    const blocks = store.read({ start: next, end: range.end }, STEP.bytes);
    if (blocks.length === 0) return undefined;
    for (const { data, height } of blocks) {
      const summary = summarizeStored(data, height);
      read.push({ height, counts: summary.counts, sizes: carriedSizes(summary), length: data.length });
      next = height + 1;
    }
  }
  return read;
}
