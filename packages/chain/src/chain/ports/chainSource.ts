// What a source of blocks offers, whether a full node or a compact-block server with its local store.

import type { Height } from '@wallet-companion/base/values';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import type { Pool } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import type {
  BlockTime,
  BlockTreeSizes,
  BlockTreeStates,
  MempoolLook,
  MempoolQuery,
  NextBlock,
  Offline,
  ScannedBefore,
  SendOutcome,
  ShownTime,
  SubtreeRoot,
  TransactionStatus,
  UnspentOutput,
} from './types.ts';

export interface SourceTip {
  readonly height: Height;
  readonly hash: BlockHash;
  /** The top of a local store, because the server could not be asked. */
  readonly offline?: Offline;
  /** From this block on the server has rules that this program does not know. */
  readonly unknownUpgrade?: Height;
  /** After this block the node, or the one behind the compact server, stops by itself. */
  readonly endOfSupport?: Height;
  /** What the answer shows of the time: its `Date` header, or the time of the tip's block, in milliseconds since 1970. */
  readonly shown?: ShownTime;
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
   * The best block; first checks that the server is of the configured network. `resumeAt`: the next block to scan;
   * where a local store holds it, the wait for the server is short.
   */
  tip(resumeAt?: NextBlock): Promise<SourceTip>;
  /** null above the tip. */
  blockHash(height: Height): Promise<BlockHash | null>;
  /** null above the tip. */
  blockTime(height: Height): Promise<BlockTime | null>;
  /** Inclusive range. `before`: the block before it, where known. Failures, the first ones too, come from `next`. */
  openRange(start: number, end: number, before?: ScannedBefore): BlockStream;
  /** Null above the tip. */
  treeStates(height: Height): Promise<BlockTreeStates | null>;
  /** The roots of the first `count` subtrees. */
  subtreeRoots(pool: Pool, count: number): Promise<readonly SubtreeRoot[]>;
  /** The full block with this hash, null when the source does not have it. */
  rawBlock(height: Height, hash: BlockHash): Promise<Uint8Array | null>;
  /** Null when the source does not know it. */
  rawTransaction(txid: TxId): Promise<Uint8Array | null>;
  /** Bytes received over the connection so far. */
  readonly receivedBytes: number;
  /** Ends connections; streams still open fail. */
  close(): void;
}

/** A server that takes transactions. `NETWORK_MISMATCH` comes before anything is reported or sent. */
export interface TransactionService {
  /** `raw` has this txid. */
  send(raw: Uint8Array, txid: TxId): Promise<SendOutcome>;
  transactionStatus(txid: TxId): Promise<TransactionStatus>;
  unspentOutputs(addresses: readonly string[]): Promise<readonly UnspentOutput[]>;
}

/** A full node. Blocks from compact servers are checked against it, too. */
export interface ChainNode extends ChainSource, TransactionService {
  /** The sizes after the block at `height` on the best chain; null above the tip. */
  treeSizesAt(height: Height): Promise<BlockTreeSizes | null>;
  mempool(query: MempoolQuery): Promise<MempoolLook>;
}
