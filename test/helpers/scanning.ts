// Packs blocks into batches as the chain side does.
import { concatBytes } from '../../src/shielded/bytes.ts';
import { skimCompactBlock, skimRawBlock } from '../../src/shielded/chain/skim.ts';
import type { BlockBatch, BlockRef, TreeSizes } from '../../src/shielded/scan/types.ts';

/** One batch of consecutive blocks; `before`: tree sizes before the first one. */
export function packBatch(
  format: 'raw' | 'compact',
  blocks: readonly Uint8Array[],
  before: TreeSizes,
): BlockBatch {
  let offset = 0;
  let treeSizes = before;
  const refs: BlockRef[] = blocks.map((block) => {
    const { hash, prevHash, height, counts } = format === 'raw' ? skimRawBlock(block) : skimCompactBlock(block);
    const ref: BlockRef = {
      height,
      hash,
      prevHash,
      offset,
      length: block.length,
      treeSizes,
      outputCount: counts.sapling + counts.orchard + counts.ironwood,
    };
    offset += block.length;
    treeSizes = {
      sapling: treeSizes.sapling + counts.sapling,
      orchard: treeSizes.orchard + counts.orchard,
      ironwood: treeSizes.ironwood + counts.ironwood,
    };
    return ref;
  });
  return { format, buffer: concatBytes(...blocks).buffer as ArrayBuffer, blocks: refs };
}
