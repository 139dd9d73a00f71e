// Uniform resources for devices that sign: parts, their QR codes, the reader, and the bodies of Zcash's types.

export { UrError } from '../ur/bytewords.ts';
export { MAX_TOTAL as MAX_PARTS } from '../ur/part.ts';
export { type UrOptions, type UrPart, urCode, urParts } from '../ur/parts.ts';
export { type Received, type Ur, UrReader } from '../ur/reader.ts';
export {
  accountsOf,
  accountsUr,
  type BatchResult,
  batchResultOf,
  batchResultUr,
  type DeviceAccount,
  type DeviceAccounts,
  pcztOf,
  pcztUr,
  type SignBatch,
  signBatchOf,
  signBatchUr,
} from '../ur/zcash.ts';
