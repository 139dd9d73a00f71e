// Reads and writes transactions, and computes their ids.

export { orchardAction, orchardProofSize } from '../zcash/encoding/orchardBundle.ts';
export { SAPLING_PROOF_SIZE, saplingOutput } from '../zcash/encoding/saplingBundle.ts';
export { parseTransaction, type Transaction, VERSION_GROUP_ID } from '../zcash/encoding/transaction.ts';
export {
  type OrchardActionContents,
  type OrchardContents,
  type SaplingContents,
  type SaplingOutputContents,
  type SaplingSpendContents,
  type TransactionContents,
  transactionContents,
} from '../zcash/encoding/transactionContents.ts';
export { serializeTransaction } from '../zcash/encoding/transactionEncoding.ts';
export {
  encodeTransparentBundle,
  type TransparentInput,
  type TransparentOutput,
} from '../zcash/encoding/transparentBundle.ts';
export { authDigest, signsAnchors, txid } from '../zcash/encoding/txid.ts';
export { doubleSha256 } from '../zcash/hashes/sha256.ts';
