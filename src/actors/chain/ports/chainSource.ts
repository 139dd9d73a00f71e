// What a source of blocks offers, whether a full node or a compact-block server with its local store.

import type { BlockHash, TxId } from '@wallet-companion/shielded/identifiers';
import type { Pool } from '@wallet-companion/shielded/pools';
import type { BlockBatch } from '@wallet-companion/shielded/scan';
import type { Height } from '@wallet-companion/shielded/values';
import type {
  BlockTreeSizes,
  BlockTreeStates,
  MempoolLook,
  MempoolQuery,
  NextBlock,
  Offline,
  ScannedBefore,
  SendOutcome,
  SubtreeRoot,
  TransactionStatus,
} from './types.ts';

export interface SourceTip {
  readonly height: Height;
  readonly hash: BlockHash;
  /** The top of a local store, because the other side could not be asked. */
  readonly offline?: Offline;
  /** From this block on the other side has rules that this program does not know. */
  readonly unknownUpgrade?: Height;
}

/** Batches of one range in height order, fetched ahead. Every block links to the one before it. */
export interface BlockStream {
  /** Null after the last batch. A failure comes after the good batches before it, and again at every later call. */
  next(): Promise<BlockBatch | null>;
  /** Ends the fetching; idempotent. */
  close(): void;
}

/** Errors as `ChainService` documents them. */
export interface ChainSource {
  /**
   * The best block; checks that the other side is of our network first. `resumeAt`: what is about to be scanned; where
   * a local store holds it, the other side is not waited for long.
   */
  tip(resumeAt?: NextBlock): Promise<SourceTip>;
  /** null above the tip. */
  blockHash(height: Height): Promise<BlockHash | null>;
  /** Inclusive range. `before`: the block before it, where known. Failures, the first ones too, come from `next`. */
  openRange(start: number, end: number, before?: ScannedBefore): BlockStream;
  /** Null above the tip. */
  treeStates(height: Height): Promise<BlockTreeStates | null>;
  /** Of the first `count` subtrees. */
  subtreeRoots(pool: Pool, count: number): Promise<readonly SubtreeRoot[]>;
  /** The full block with this hash, null when the source does not have it. */
  rawBlock(height: Height, hash: BlockHash): Promise<Uint8Array | null>;
  /** Null when the source does not know it. */
  rawTransaction(txid: TxId): Promise<Uint8Array | null>;
  /** Over the connection, so far. */
  readonly receivedBytes: number;
  /** Ends connections; streams still open fail. */
  close(): void;
}

/** Whoever takes transactions. `NETWORK_MISMATCH` before anything is told or sent. */
export interface TransactionDesk {
  /** `raw` has this txid. */
  send(raw: Uint8Array, txid: TxId): Promise<SendOutcome>;
  transactionStatus(txid: TxId): Promise<TransactionStatus>;
}

/** A full node, which is asked about the blocks of others, too. */
export interface ChainNode extends ChainSource, TransactionDesk {
  /** Of the block at `height` on the best chain; null above the tip. */
  treeSizesAt(height: Height): Promise<BlockTreeSizes | null>;
  mempool(query: MempoolQuery): Promise<MempoolLook>;
}
