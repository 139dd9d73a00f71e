// What the rest of the product asks of the chain side. The wallet actor reaches it through a mailbox in another
// thread, tests reach it directly: all methods are async and take one plain-data argument.

import type { BlockHash, TxId } from '@wallet-companion/shielded/identifiers';
import type { ActivationHeights } from '@wallet-companion/shielded/network';
import type { PerPool, Pool, TreeSizes } from '@wallet-companion/shielded/pools';
import type { BlockBatch } from '@wallet-companion/shielded/scan';
import type { Height } from '@wallet-companion/shielded/values';
import type { ErrorRecord } from '../../../protocol/errors.ts';
import type { Network } from '../../../protocol/network.ts';

/** Everything the chain side needs of the configuration; pushed at start and whenever it changes. */
export interface ChainSettings {
  readonly network: Network;
  readonly activation: ActivationHeights;
  readonly nodeUrl: string;
  /** Path of the node's cookie file (user `__cookie__`), or null without authentication. Read at each use: a node
   * writes a new one at every start. */
  readonly nodeCookieFile: string | null;
  /** The addresses that may have the cookie: those of config.json and the command line, none that came over HTTP. */
  readonly namedNodes: readonly string[];
  readonly compactServerUrl: string;
  /** Where the default compact store and relative `db_path`s lie. */
  readonly dataDir: string;
  /** Where no store may lie. */
  readonly configDir: string;
  readonly restrictDbPath: boolean;
  /**
   * Of what a scan stores for itself, so many blocks below the last scanned one are kept; null or absent: all of it.
   */
  readonly compactTailBlocks?: number | null;
  /** The default wallet's birthday, or null without a wallet. */
  readonly birthdayHeight: Height | null;
  /** Highest block that the default wallet has scanned, or null without a wallet. */
  readonly lastScanHeight: Height | null;
}

export type Source = 'node' | 'compact';

/** Where to ask. URLs left out are the configured ones. */
export interface Upstream {
  readonly source: Source;
  readonly nodeUrl?: string;
  /** Who named the node may configure one as well, and is told why it fails. */
  readonly byOwner?: boolean;
  /** The compact server is away: what is stored comes without asking it. */
  readonly offline?: boolean;
}

export interface ChainTip {
  readonly height: Height;
  readonly hash: BlockHash;
  /** Present when the compact server could not be asked: this is the top of the local store. */
  readonly offline?: Offline;
  /** From this block on the other side has rules that this program does not know. */
  readonly unknownUpgrade?: Height;
}

/** The block that a scan is about to go on with. */
export interface NextBlock {
  readonly height: Height;
  /** absent where nothing was scanned before it. */
  readonly prevHash?: BlockHash;
}

/** The scanned block right before a range. */
export interface ScannedBefore {
  readonly hash: BlockHash;
  /** Note commitment tree sizes after it: what the range counts from where the other side does not tell. */
  readonly treeSizes: TreeSizes;
}

/** What a range of blocks has taken of this side so far. */
export interface FetchCosts {
  /** From the other side; blocks that a store holds cost nothing. */
  readonly receivedBytes: number;
  /** Of the time in which somebody waited for a batch: for the other side, ... */
  readonly networkMs: number;
  /** ... for the disk of the store, ... */
  readonly diskMs: number;
  /** ... and for the processor. */
  readonly busyMs: number;
}

/** A batch that several wallets scan. */
export interface SharedBatch {
  /** The same for all batches that were fetched together. */
  readonly stream: number;
  /** How many are still to scan it, this one included. */
  readonly wallets: number;
}

export type ServedBatch = BlockBatch & { readonly costs?: FetchCosts; readonly shared?: SharedBatch };

/** What names a block, and what it comes to: the sizes of the note commitment trees after it. */
export interface BlockTreeSizes {
  readonly hash: BlockHash;
  readonly treeSizes: TreeSizes;
}

/** The note commitment trees after a block. */
export interface BlockTreeStates {
  readonly hash: BlockHash;
  /** Serialised, at most some 1,100 bytes each, whether well-formed or not; none where the pool is not told of. */
  readonly states: PerPool<Uint8Array>;
  /** What the other side calls the roots, where it does; with Sapling's, some show it reversed. */
  readonly roots: PerPool<Uint8Array | null>;
}

/** A subtree of 2^16 leaves that is full. */
export interface SubtreeRoot {
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** Of the block with its last leaf. */
  readonly endHeight: Height;
}

/**
 * How a wait for a block ended. `not offered`: this side does not tell, and is asked for its tip instead. `over`: nothing
 * is known, by the length of the wait or because it was ended.
 */
export type BlockNews = 'new block' | 'not offered' | 'over';

/** What somebody who looks at the mempool knows already. */
export interface MempoolQuery {
  /** Txids, 32 bytes each: of these no transaction is given again. */
  readonly known: Uint8Array;
  /** How many more may be given. */
  readonly room: number;
  /** Right after an answer that had no room for all: what was read then is good enough. */
  readonly goesOn: boolean;
}

/** A transaction in the buffer that comes with it; of length 0 where the other side gave none that has this txid. */
export interface MempoolTransaction {
  readonly txid: TxId;
  readonly offset: number;
  readonly length: number;
}

export interface OfferedMempool {
  readonly offered: true;
  /** The other side's, asked for after its mempool: a transaction that was mined meanwhile is in a block up to here. */
  readonly tipHeight: Height;
  /** Which of the known ones are not there any more, counted from 0. */
  readonly gone: readonly number[];
  readonly fresh: readonly MempoolTransaction[];
  readonly buffer: ArrayBuffer;
  /** There are others besides, for the next look. */
  readonly more: boolean;
}

/** `too much`: more than is read of a mempool. */
export type MempoolLook =
  | OfferedMempool
  | { readonly offered: false; readonly reason: 'not offered' | 'too much' };

/** Where a transaction is sent, and where it is asked for: the other side itself, since no store knows. */
export type OtherSide = Pick<Upstream, 'source' | 'nodeUrl'>;

export type RefusalReason =
  /** It can no longer be mined. */
  | 'expired'
  /** Something that it spends is spent, in a block or by an unmined transaction. */
  | 'conflict'
  /** Against the rules; a proof or signature that is wrong, an anchor that is not on the chain. */
  | 'invalid'
  | 'fee'
  /** More shielded items than a block takes. */
  | 'limit'
  /** In words that are not known here. */
  | 'other';

/**
 * What came of sending. A refusal is what the other side says now: as long as the transaction has not expired it may have
 * been taken elsewhere, and zebrad tries refused ones again by itself.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  /** The other side has it already: unmined, in a block, or about to be decided on. */
  | { readonly kind: 'known' }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /** The other side's words, at most 200 printable characters; whatever looks like a path or an address is left out. */
      readonly text: string;
    };

/** `unknown`: neither unmined nor in a block of the best chain, as far as the other side knows. */
export type TransactionStatus =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mempool' }
  | { readonly kind: 'mined'; readonly height: Height };

export interface Offline {
  /** Hashes are known from here up to the tip. */
  readonly lowestHeight: Height;
  /** Why the server could not be asked. */
  readonly reason: ErrorRecord;
}

/**
 * Errors of every method: `NODE_UNREACHABLE`, `NODE_UNAUTHORIZED`, `NODE_BAD_RESPONSE`, `NETWORK_MISMATCH`,
 * `UPSTREAM_TIMEOUT`, and the `COMPACT_SERVER_*` pair when the source is `compact`.
 */
export interface ChainService {
  /** The default wallet's thread says it for all; of another wallet's it changes nothing, as `walletScanned` does not. */
  configure(settings: ChainSettings): Promise<void>;
  /** The one setting that changes with every commit. */
  walletScanned(settings: Pick<ChainSettings, 'lastScanHeight'>): Promise<void>;
  /**
   * The best block. Checks that the other side is of our network first. With the source `compact` and a server that
   * cannot be reached or does not answer, the top of the local store, when there is one; else the server's failure.
   * `resumeAt`: when the store holds that block, the server is waited for a short while only.
   */
  tip(query: Upstream & { readonly resumeAt?: NextBlock }): Promise<ChainTip>;
  /**
   * Hash of the block at `height` on the best chain, null above the tip. With `offline`, heights that the
   * store does not know still need the server.
   */
  blockHash(query: Upstream & { readonly height: Height }): Promise<BlockHash | null>;
  /**
   * What the chain node, whatever the source, says of the block at `height` on its best chain; null above its tip.
   * Compact blocks are compared with it. `NODE_BAD_RESPONSE` from a node that does not tell tree sizes.
   */
  treeSizesAt(query: Upstream & { readonly height: Height }): Promise<BlockTreeSizes | null>;
  /** After the block at `height` on the best chain of the source; null above its tip. */
  treeStates(query: Upstream & { readonly height: Height }): Promise<BlockTreeStates | null>;
  /**
   * Of the pool's first `count` subtrees, which the other side must have. `..._BAD_RESPONSE` where it does not tell them.
   */
  subtreeRoots(
    query: Upstream & { readonly pool: Pool; readonly count: number },
  ): Promise<readonly SubtreeRoot[]>;
  /**
   * Starts streaming the inclusive range; fetching and packing run ahead of `nextBatch`, bounded. `next`: the range that
   * will be asked for after it; its first blocks are fetched while the last ones of this range are scanned.
   */
  openRange(
    query: Upstream & {
      readonly start: Height;
      readonly end: Height;
      readonly before?: ScannedBefore;
      readonly next?: { readonly start: Height; readonly end: Height };
    },
  ): Promise<{ readonly rangeId: number }>;
  /**
   * The next consecutive batch, null after the last. Every block links to the one before it (checked here); a link that
   * breaks inside the range fails with `NODE_BAD_RESPONSE`/`COMPACT_SERVER_BAD_RESPONSE` (retryable: the chain moved).
   */
  nextBatch(query: { readonly rangeId: number }): Promise<ServedBatch | null>;
  closeRange(query: { readonly rangeId: number }): Promise<void>;
  /**
   * Waits, for minutes at most, until the other side tells of a block beyond `height`, its tip as last seen. There is
   * one such wait at a time for each wallet: another one ends it.
   */
  newBlock(query: Upstream & { readonly height: Height }): Promise<BlockNews>;
  /** Ends the wallet's wait. */
  endWait(): Promise<void>;
  /**
   * Unmined transactions, a few hundred and some megabytes at most: the first ones that are not known, whoever's they are.
   */
  mempool(query: Upstream & MempoolQuery): Promise<MempoolLook>;
  /** One full block by hash, for memos and sent notes; null when the source does not have it. */
  rawBlock(
    query: Upstream & { readonly height: Height; readonly hash: BlockHash },
  ): Promise<ArrayBuffer | null>;
  /** One full transaction by txid; null when the source does not know it. */
  rawTransaction(query: Upstream & { readonly txid: TxId }): Promise<ArrayBuffer | null>;
  /**
   * Hands a whole transaction to the node or the compact server, once. A failure leaves open whether it arrived: it may
   * be in a block a minute later. `transactionStatus` tells, and sending the same bytes again does no harm.
   * `NODE_BEHIND` from a side that does not follow the chain yet, `INVALID_REQUEST` where the bytes have another txid.
   */
  sendTransaction(query: OtherSide & { readonly raw: Uint8Array; readonly txid: TxId }): Promise<SendOutcome>;
  /** A zcashd without an index of transactions calls one that is mined unknown. */
  transactionStatus(query: OtherSide & { readonly txid: TxId }): Promise<TransactionStatus>;
  /**
   * `config.node_url` with `probe`: reachable, authorised, right network. `byOwner`: the address is about to be named.
   */
  probeNode(query: { readonly url: string; readonly byOwner?: boolean }): Promise<void>;
}
