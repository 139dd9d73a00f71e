// What the wallet actor asks of the scan pool. Tasks are stateless; buffers are handed over with them.

import type { TxIdHex } from '@wallet-companion/shielded/identifiers';
import type { IncomingKey, OutgoingKey } from '@wallet-companion/shielded/keys';
import type { Pool, ShieldedProtocol } from '@wallet-companion/shielded/pools';
import type {
  BlockBatch,
  FullBytes,
  FullTransaction,
  LeafRange,
  Leaves,
  ReadUnmined,
  ScanHeights,
  ScannedBlock,
  UnminedTransactions,
} from '@wallet-companion/shielded/scan';
import type { ErrorRecord } from '../../../protocol/errors.ts';
import type { ChainService } from '../../chain/ports/types.ts';

export interface ScanKeys {
  readonly incoming: readonly IncomingKey[];
  readonly outgoing: readonly OutgoingKey[];
  readonly heights: ScanHeights;
}

/** Full bytes that hold transactions of ours: a whole block, or one transaction by itself. */
export type FullTransactions = Omit<FullBytes, 'bytes'> & { readonly bytes: ArrayBuffer };

/** What the full bytes of one of our transactions told. */
export type EnhancedTransaction = Omit<FullTransaction, 'txid'> & { readonly txid: TxIdHex };

export interface Enhancement {
  /** In the order of what was read. */
  readonly transactions: readonly EnhancedTransaction[];
  /** Why nothing is told of what comes after them. */
  readonly failure?: ErrorRecord;
}

export interface ScanPool {
  /** Tasks that run at once. */
  readonly concurrency: number;
  /**
   * Blocks of the batch in height order, notes verified. The batch's buffer is consumed. The memos are the caller's to
   * wipe.
   */
  scan(batch: BlockBatch, keys: ScanKeys): Promise<ScannedBlock[]>;
  /**
   * Memos, for the caller to wipe, and sent outputs of the wanted transactions, up to the first bytes that cannot be
   * read. The buffers are consumed.
   */
  enhance(task: readonly FullTransactions[], keys: ScanKeys): Promise<Enhancement>;
  /**
   * Transactions that are in no block, in order; null for one that cannot be read. The buffer is consumed. The memos are
   * the caller's to wipe.
   */
  readUnmined(task: UnminedTransactions, keys: ScanKeys): Promise<(ReadUnmined | null)[]>;
  /** Leaves of one pool's tree that the batch adds, of those in the range. The batch's buffer is consumed. */
  leaves(batch: BlockBatch, pool: Pool, range: LeafRange): Promise<Leaves>;
  /** Neighbours of one level joined, as `LevelHash` does it; a few hundred pairs at most are some work of a task. */
  combine(protocol: ShieldedProtocol, level: number, nodes: Uint8Array): Promise<Uint8Array>;
  /**
   * Where blocks are scanned by others as they read them: what gives batches in the place of the chain side, for `scan`
   * of this pool alone. Left out where it scans what it is given.
   */
  blocksFrom?(
    chain: ChainService,
    keys: ScanKeys,
  ): Pick<ChainService, 'openRange' | 'nextBatch' | 'closeRange'>;
  /** These keys are not used any more, and are wiped where they were shared out. */
  forget?(keys: ScanKeys): void;
  /** Ends the threads, and with them the viewing keys they hold. */
  close(): Promise<void>;
}
