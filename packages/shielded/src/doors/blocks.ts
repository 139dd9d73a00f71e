// Full blocks from their bytes, their summaries, and the limits of their size, count and height.

export { MOST_SHIELDED_ITEMS, shieldedExcess } from '../shielded/blockLimits.ts';
export { type Block, parseBlock, serializeBlock } from '../shielded/encoding/block.ts';
export {
  type BlockSummary,
  type CompactBlockSummary,
  summarizeCompactBlock,
  summarizeRawBlock,
} from '../shielded/encoding/blockSummary.ts';
export { coinbaseHeight } from '../shielded/encoding/coinbaseHeight.ts';
export { type ParsedHeader, parseHeader } from '../shielded/encoding/header.ts';
export { merkleRoot } from '../shielded/encoding/merkleRoot.ts';
export { treeSizeFromState } from '../shielded/encoding/treeSize.ts';
export { ExpectedOutputs, type OutputsUpTo } from '../shielded/expectedOutputs.ts';
export { highestTip } from '../shielded/highestTip.ts';
