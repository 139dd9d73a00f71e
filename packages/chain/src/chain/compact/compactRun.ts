// Stored compact blocks on their way to the scan: a run is packed and held back until its outputs are counted and
// compared with the server's note commitment tree states before and after it. A compact block's hash covers none of its
// outputs: only these counts reveal blocks that leave some out.

import { setImmediate as otherWork } from 'node:timers/promises';
import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import { type BlockHash, copyOf } from '@wallet-companion/zcash/identifiers';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { addLeaves, EMPTY_TREES, equalSizes } from '@wallet-companion/zcash/trees';
import type { StoredRange } from '../ports/compactStore.ts';
import { BATCH_LIMITS, BlockPacker } from '../source/blockPacking.ts';
import { chainMoved, serverAt, unfitBlocks } from './compactFailure.ts';
import { compactTreeSizesBefore, type SizeWitnesses, scannedSizes } from './compactTreeSizes.ts';
import { summarizeStored } from './storedBlock.ts';

/**
 * More blocks than elsewhere: they are all there before the first is passed on, and 64 of most of the chain's blocks hold
 * so few outputs that the kernel takes a fifth longer for each.
 */
const RUN_BATCH_LIMITS = { ...BATCH_LIMITS, blocks: 256 } as const;

/** What is held back at most, plus one read: thousands of today's blocks, some hundred of the flood's. */
export const RUN_BYTES = 8 * 2 ** 20;

/** Read and summed up at a time, some five milliseconds' work: in between, the thread answers other calls. */
const READ_BYTES = 2 ** 20;

/** A block, and the tree sizes after it. */
export interface BlockEnd {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly sizes: TreeSizes;
}

export interface BlockRun {
  readonly batches: readonly BlockBatch[];
  /** The first block, and the tree sizes before it. */
  readonly first: { readonly height: Height; readonly prevHash: BlockHash; readonly sizes: TreeSizes };
  readonly last: BlockEnd;
  readonly bytes: number;
}

/** Blocks from the piece's start, which follow `previous`: the whole piece, or as much as may be held back. */
export async function packRun(
  witnesses: SizeWitnesses,
  piece: StoredRange,
  previous: BlockEnd | undefined,
  signal: AbortSignal,
): Promise<BlockRun> {
  const { store, server } = witnesses;
  const packer = new BlockPacker('compact', RUN_BATCH_LIMITS);
  const batches: BlockBatch[] = [];
  let first: BlockRun['first'] | undefined;
  let last = previous;
  let held = 0;
  for (let next = piece.start; next <= piece.end && held < RUN_BYTES; ) {
    if (next > piece.start) await otherWork(undefined, { signal });
    const blocks = store.read({ start: next, end: piece.end }, READ_BYTES);
    if (blocks.length === 0) throw chainMoved(server.host, next);
    for (const { data, height } of blocks) {
      const summary = summarizeStored(data, height);
      if (last !== undefined && !equalBytes(summary.prevHash, last.hash))
        throw chainMoved(server.host, height);
      const sizes = await compactTreeSizesBefore(witnesses, summary, last?.sizes, signal);
      const batch = packer.add(data, summary, sizes);
      if (batch !== null) batches.push(batch);
      first ??= { height, prevHash: summary.prevHash, sizes };
      last = { height, hash: summary.hash, sizes: addLeaves(sizes, summary.counts) };
      held += data.length;
      next = height + 1;
    }
  }
  const rest = packer.take();
  if (rest !== null) batches.push(rest);
  if (first === undefined || last === undefined) throw chainMoved(server.host, piece.start);
  // Copies: a view would keep the whole block in memory.
  const { prevHash } = first;
  return {
    batches,
    first: { ...first, prevHash: copyOf(prevHash) },
    last: { ...last, hash: copyOf(last.hash) },
    bytes: held,
  };
}

/**
 * Errors: `UnfitBlocks` where the run's outputs differ from the growth of the trees, `ChainMoved` where the server has
 * other blocks now. A server without tree states is believed. `isStartKnown`: the sizes before the run were checked.
 */
export async function checkAgainstTreeStates(
  { server, before, saplingActivation }: SizeWitnesses,
  { first, last }: BlockRun,
  isStartKnown: boolean,
): Promise<void> {
  const sizesBefore = async (): Promise<TreeSizes | null> =>
    first.height <= saplingActivation ? EMPTY_TREES : server.treeSizesAfter(first.height - 1, first.prevHash);
  const isScanned = scannedSizes(before, first) !== undefined;
  const [start, end] = await Promise.all([
    isStartKnown || isScanned ? null : sizesBefore(),
    server.treeSizesAfter(last.height, last.hash),
  ]);
  const who = serverAt(server.host);
  if (start !== null && !equalSizes(start, first.sizes)) {
    throw unfitBlocks(
      who,
      `gave a block ${first.height} that does not fit its own tree state; use another server`,
    );
  }
  if (end === null || equalSizes(end, last.sizes)) return;
  // An earlier scan may have got wrong blocks: then these blocks are good.
  const scanned = isScanned && !isStartKnown ? await sizesBefore() : null;
  if (scanned !== null && !equalSizes(scanned, first.sizes)) {
    throw unfitBlocks(
      who,
      `tells other note commitment tree sizes before block ${first.height} than were counted up to there; use another server, or rescan if others say the same`,
    );
  }
  throw unfitBlocks(
    who,
    `gave blocks ${first.height} to ${last.height} with other outputs than its own tree state has after them: some are missing or made up; use another server`,
  );
}
