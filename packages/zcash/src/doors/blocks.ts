// Full blocks from their bytes, their summaries, and the limits of their size, count and height.

export { itemCount, MOST_SHIELDED_ITEMS, type ShieldedExcess, shieldedExcess } from '../zcash/blockLimits.ts';
export { dueTip, highestTip } from '../zcash/blockSpacing.ts';
export { type Block, parseBlock, serializeBlock } from '../zcash/encoding/block.ts';
export {
  type BlockSummary,
  type CompactBlockSummary,
  summarizeCompactBlock,
  summarizeRawBlock,
} from '../zcash/encoding/blockSummary.ts';
export { coinbaseHeight } from '../zcash/encoding/coinbaseHeight.ts';
export { type ParsedHeader, parseHeader } from '../zcash/encoding/header.ts';
export { checkMerkleRoot, merkleRoot } from '../zcash/encoding/merkleRoot.ts';
export { treeSizeFromState } from '../zcash/encoding/treeSize.ts';
export { ExpectedOutputs, type OutputsUpTo } from '../zcash/expectedOutputs.ts';
