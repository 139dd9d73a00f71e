// What the wallet actor needs of the scan pool. Tasks are stateless; buffers are handed over with them.

import type { BlockRanges, ChainService } from '@wallet-companion/chain/ports';
import type { TxIdHex } from '@wallet-companion/zcash/identifiers';
import type { Pool, ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type {
  BlockBatch,
  FullBytes,
  FullTransaction,
  LeafRange,
  Leaves,
  ReadUnmined,
  ScanKeys,
  ScannedBlock,
  UnminedTransactions,
} from '@wallet-companion/zcash/scan';
import type { ErrorRecord } from '../../../protocol/errors.ts';

export type { ScanKeys } from '@wallet-companion/zcash/scan';

/** Full bytes that hold transactions of the wallet: a whole block, or one transaction by itself. */
export type FullTransactions = Omit<FullBytes, 'bytes'> & { readonly bytes: ArrayBuffer };

/** What was read from the full bytes of one transaction of the wallet. */
export type EnhancedTransaction = Omit<FullTransaction, 'txid'> & { readonly txid: TxIdHex };

export interface Enhancement {
  /** In the order of the input. */
  readonly transactions: readonly EnhancedTransaction[];
  /** Why the results end before the input does. */
  readonly failure?: ErrorRecord;
}

export interface ScanPool {
  /** How many tasks run at once. */
  readonly concurrency: number;
  /** Blocks of the batch in height order, notes verified. The batch's buffer is consumed. The caller wipes the memos. */
  scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]>;
  /**
   * Memos, which the caller wipes, and sent outputs of the wanted transactions, up to the first bytes that cannot be
   * read. The buffers are consumed.
   */
  enhance(task: readonly FullTransactions[], keys: ScanKeys): Promise<Enhancement>;
  /**
   * Unmined transactions, in order; null for one that cannot be read. The buffer is consumed. The caller wipes the
   * memos.
   */
  readUnmined(task: UnminedTransactions, keys: ScanKeys): Promise<(ReadUnmined | null)[]>;
  /** The leaves within the range that the batch adds to one pool's tree. The batch's buffer is consumed. */
  leaves(batch: BlockBatch, pool: Pool, range: LeafRange): Promise<Leaves>;
  /** Hashes pairs of neighbours of one level, as `LevelHash` does. One task should have a few hundred pairs at most. */
  combine(protocol: ShieldedProtocol, level: number, nodes: Uint8Array): Promise<Uint8Array>;
  /**
   * Present where the workers read blocks themselves: it then replaces the chain side as the source of batches, for
   * `scan` of this pool alone. Absent where the pool scans the blocks that it is given.
   */
  blocksFrom?(chain: ChainService, keys: ScanKeys): BlockRanges;
  /** Call when these keys are no longer used: copies that were shared are wiped. */
  forget?(keys: ScanKeys): void;
  /** Ends the threads, and with them the viewing keys they hold. */
  close(): Promise<void>;
}
