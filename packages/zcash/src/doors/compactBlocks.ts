// Reads and writes compact blocks, and the protobuf encoding of their messages.

export {
  type CompactBlock,
  type CompactTransaction,
  encodeCompactBlock,
  encodeCompactTransaction,
} from '../zcash/encoding/compactBlock.ts';
export { compactFromBlock, compactFromTransaction } from '../zcash/encoding/compactFromBlock.ts';
export { bytesField, messageField, uintField } from '../zcash/encoding/protobuf.ts';
