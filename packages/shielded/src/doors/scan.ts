// Finds notes and nullifiers in a batch of blocks or transactions.

export { bareOutputSize } from '../shielded/encoding/outputLayout.ts';
export type { RecoverableOutput, RecoveredOutput } from '../shielded/notes/recovery.ts';
export {
  enhanceTransactions,
  type FullBytes,
  type FullTransaction,
  type WantedTransaction,
} from '../shielded/scan/enhanceTransactions.ts';
export { fullOutput } from '../shielded/scan/fullOutput.ts';
export {
  type LeafRange,
  type Leaves,
  noteCommitments,
  type PlacedOutput,
} from '../shielded/scan/noteCommitments.ts';
export { OutputColumnsBuilder } from '../shielded/scan/outputColumns.ts';
export { ReferenceDecryptor } from '../shielded/scan/referenceDecryptor.ts';
export { scanBatch, scanBatchForAll } from '../shielded/scan/scanBatch.ts';
export { type ReadUnmined, scanUnmined, type UnminedTransactions } from '../shielded/scan/scanUnmined.ts';
export type {
  BlockBatch,
  BlockRef,
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
} from '../shielded/scan/types.ts';
