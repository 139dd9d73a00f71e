// Reads and writes transactions, and computes their ids.

export { doubleSha256 } from '../shielded/encoding/doubleSha256.ts';
export { orchardAction, orchardProofSize } from '../shielded/encoding/orchardBundle.ts';
export { saplingOutput } from '../shielded/encoding/saplingBundle.ts';
export { parseTransaction, type Transaction } from '../shielded/encoding/transaction.ts';
export {
  type OrchardActionContents,
  type OrchardContents,
  type SaplingContents,
  type SaplingOutputContents,
  type SaplingSpendContents,
  type TransactionContents,
  transactionContents,
} from '../shielded/encoding/transactionContents.ts';
export { serializeTransaction } from '../shielded/encoding/transactionEncoding.ts';
export {
  encodeTransparentBundle,
  type TransparentInput,
  type TransparentOutput,
} from '../shielded/encoding/transparentBundle.ts';
export { authDigest, txid } from '../shielded/encoding/txid.ts';
