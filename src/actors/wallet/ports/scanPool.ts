// What the wallet actor asks of the scan pool. Tasks are stateless; buffers are handed over with them.

import type { TxId, TxIdHex } from '../../../shielded/identifiers.ts';
import type { IncomingKey, OutgoingKey } from '../../../shielded/keys/decryptionKeys.ts';
import type { ReadUnmined, UnminedTransactions } from '../../../shielded/scan/scanUnmined.ts';
import type {
  BlockBatch,
  FoundNote,
  PaidByPools,
  ScanHeights,
  ScannedBlock,
  SentOutput,
} from '../../../shielded/scan/types.ts';
import type { Height } from '../../../values/height.ts';

export interface ScanKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
  readonly heights: ScanHeights;
}

/** Full bytes that hold transactions of ours: a whole block, or one transaction by itself. */
export interface FullTransactions {
  readonly kind: 'block' | 'transaction';
  readonly bytes: ArrayBuffer;
  readonly height: Height;
  /** those to read. */
  readonly txids: readonly TxId[];
}

/** What the full bytes of one of our transactions told. */
export interface EnhancedTransaction {
  readonly txid: TxIdHex;
  /** Unix seconds of its block, where the block was read. */
  readonly time?: number;
  readonly memos: readonly {
    readonly note: Pick<FoundNote, 'pool' | 'outputIndex'>;
    readonly memo: Uint8Array;
  }[];
  readonly sent: readonly SentOutput[];
  /** Undefined where something of it is paid by what the transaction does not tell. */
  readonly paid?: PaidByPools;
}

export interface ScanPool {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /**
   * Blocks of the batch in height order, notes verified. The batch's buffer is consumed. The memos are the caller's to
   * wipe.
   */
  scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]>;
  /** Memos, for the caller to wipe, and sent outputs of the named transactions. The buffer is consumed. */
  enhance(task: FullTransactions, keys: ScanKeys): Promise<EnhancedTransaction[]>;
  /**
   * Transactions that are in no block, in order; null for one that cannot be read. The buffer is consumed. The memos are
   * the caller's to wipe.
   */
  readUnmined(task: UnminedTransactions, keys: ScanKeys): Promise<(ReadUnmined | null)[]>;
  /** Ends the threads, and with them the viewing keys they hold. */
  close(): Promise<void>;
}
