// Full blocks that follow each other, packed for the scan with the tree sizes before each: the same from a node and from peers.

import type { BlockSummary } from '@wallet-companion/zcash/blocks';
import type { TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { addLeaves } from '@wallet-companion/zcash/trees';
import { BlockPacker } from './blockPacking.ts';

export interface FullBlock {
  readonly bytes: Uint8Array;
  readonly summary: BlockSummary;
}

export interface PackedBatch {
  readonly batch: BlockBatch;
  /** Its last block, and the tree sizes after it. */
  readonly last: BlockSummary;
  readonly sizes: TreeSizes;
}

/** `sizesBefore`: the tree sizes before the first block. A failure comes after the blocks before it, which are good. */
export async function* packFullBlocks(
  blocks: AsyncIterable<FullBlock>,
  sizesBefore: (first: BlockSummary) => Promise<TreeSizes>,
): AsyncGenerator<PackedBatch, void, void> {
  const packer = new BlockPacker('raw');
  let failure: { readonly error: unknown } | undefined;
  let previous: BlockSummary | undefined;
  let sizes: TreeSizes | undefined;
  try {
    for await (const { bytes, summary } of blocks) {
      sizes ??= await sizesBefore(summary);
      const batch = packer.add(bytes, summary, sizes);
      if (batch !== null && previous !== undefined) yield { batch, last: previous, sizes };
      sizes = addLeaves(sizes, summary.counts);
      previous = summary;
    }
  } catch (error) {
    failure = { error };
  }
  // They link, and a scan of them need not be repeated.
  const rest = packer.take();
  if (rest !== null && previous !== undefined && sizes !== undefined)
    yield { batch: rest, last: previous, sizes };
  if (failure !== undefined) throw failure.error;
}
