// Finds notes and nullifiers in a batch of blocks or transactions.

export { bareOutputSize } from '../zcash/encoding/outputLayout.ts';
export type { RecoverableOutput, RecoveredOutput } from '../zcash/notes/recovery.ts';
export {
  enhanceTransactions,
  type FullBytes,
  type FullTransaction,
  type WantedTransaction,
} from '../zcash/scan/enhanceTransactions.ts';
export { fullOutput } from '../zcash/scan/fullOutput.ts';
export {
  type LeafRange,
  type Leaves,
  noteCommitments,
  type PlacedOutput,
} from '../zcash/scan/noteCommitments.ts';
export { OutputColumnsBuilder } from '../zcash/scan/outputColumns.ts';
export { ReferenceDecryptor } from '../zcash/scan/referenceDecryptor.ts';
export { scanBatch, scanBatchForAll } from '../zcash/scan/scanBatch.ts';
export { type ReadUnmined, scanUnmined, type UnminedTransactions } from '../zcash/scan/scanUnmined.ts';
export type {
  BlockBatch,
  BlockRef,
  DecryptedOutput,
  FetchCosts,
  FoundNote,
  OutputColumns,
  PaidByPools,
  PlantedOutput,
  ScanHeights,
  ScanKeys,
  ScannedBefore,
  ScannedBlock,
  SentOutput,
  TrialDecryptor,
  TxNullifiers,
} from '../zcash/scan/types.ts';
