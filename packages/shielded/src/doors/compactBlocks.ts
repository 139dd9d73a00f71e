// Reads and writes compact blocks, and the protobuf encoding of their messages.

export {
  type CompactBlock,
  type CompactTransaction,
  encodeCompactBlock,
  encodeCompactTransaction,
} from '../shielded/encoding/compactBlock.ts';
export { compactFromBlock, compactFromTransaction } from '../shielded/encoding/compactFromBlock.ts';
export { bytesField, messageField, uintField } from '../shielded/encoding/protobuf.ts';
