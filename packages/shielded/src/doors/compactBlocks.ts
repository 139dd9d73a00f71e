// Compact blocks from their bytes and into them, and the encoding that they have.

export {
  type CompactBlock,
  type CompactTransaction,
  encodeCompactBlock,
  encodeCompactTransaction,
} from '../shielded/encoding/compactBlock.ts';
export { compactFromBlock, compactFromTransaction } from '../shielded/encoding/compactFromBlock.ts';
export { bytesField, messageField, uintField } from '../shielded/encoding/protobuf.ts';
