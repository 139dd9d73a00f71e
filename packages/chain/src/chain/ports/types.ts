// What the rest of the program asks of the chain side. The wallet actor reaches it through a channel in another thread,
// tests reach it directly: all methods are async and take one plain-data argument.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { ErrorRecord } from '@wallet-companion/client/contract';
import type { BlockHash, TxId } from '@wallet-companion/zcash/identifiers';
import type { ActivationHeights, Network } from '@wallet-companion/zcash/network';
import type { PerPool, Pool, TreeSizes } from '@wallet-companion/zcash/pools';
import type { BlockBatch, FetchCosts, ScannedBefore } from '@wallet-companion/zcash/scan';

export type { FetchCosts, ScannedBefore } from '@wallet-companion/zcash/scan';

/** The settings that change with every commit. */
export interface ScannedHeight {
  /** Highest block that the default wallet has scanned, or null without a wallet. */
  readonly lastScanHeight: Height | null;
  /** Time of that block in seconds since 1970, or null where it is not known. Absent while the wallet is locked: as before. */
  readonly lastScanTime?: number | null | undefined;
}

/** The part of the configuration that the chain side needs; sent at start and at every change. */
export interface ChainSettings extends ScannedHeight {
  readonly network: Network;
  readonly activation: ActivationHeights;
  readonly nodeUrl: string;
  /** Path of the node's cookie file (user `__cookie__`), or null without authentication. Read at each use: a node
   * writes a new one at every start. */
  readonly nodeCookieFile: string | null;
  /** The addresses that may have the cookie: those of config.json and the command line, none that came over HTTP. */
  readonly namedNodes: readonly string[];
  readonly compactServerUrl: string;
  /** The servers that config.json or the command line names, or peers where it names none: a failure can name the other one. */
  readonly otherSources?: readonly Source[];
  /** The folder of the default compact store and of relative `db_path`s. */
  readonly dataDir: string;
  /** The folder where no store may lie. */
  readonly configDir: string;
  readonly restrictDbPath: boolean;
  /** How many blocks below the last scanned one stay of those that a scan stored by itself; null or absent: all. */
  readonly compactTailBlocks?: number | null;
  /** Peers of the network that check the servers, and those that the owner names; absent: none are asked. */
  readonly peers?: {
    readonly isOn: boolean;
    readonly named: readonly string[];
    /** Blocks are read from them, from this height on; null without a wallet. Absent: they are not the source. */
    readonly readFrom?: Height | null;
  };
  /** The default wallet's birthday, or null without a wallet. */
  readonly birthdayHeight: Height | null;
  /** In place of the list of public servers that comes with the program. */
  readonly publicServers?: readonly PublicServer[] | null;
}

/** A compact server that its operator offers to everybody. */
export interface PublicServer {
  readonly compact_server_url: string;
  /** Who runs it. */
  readonly operator: string;
  /** Where it stands; empty where that is not known. */
  readonly where: string;
  readonly network: Network;
}

export type Source = 'node' | 'compact' | 'peers';

/** Who passes transactions on: a source of blocks, peers of the network, or a compact server that is asked for nothing else. */
export type Carrier = Source | 'server';

export interface CarriedBy {
  readonly source: Carrier;
  /** Of `server`: its address. */
  readonly server?: string;
}

/** Which server to ask. URLs left out are the configured ones. */
export interface Upstream {
  readonly source: Source;
  readonly nodeUrl?: string;
  /** The caller may also configure the node that it named, and gets the reason when it fails. */
  readonly byOwner?: boolean;
  /** The compact server cannot be reached: stored blocks are returned without a request to it. */
  readonly offline?: boolean;
  /** Ranges of the compact server's chain are full blocks of peers, each checked against its header on the chain of most work. */
  readonly byWork?: boolean;
}

export interface ShownTime {
  readonly by: 'date' | 'block';
  readonly at: number;
}

export interface ChainTip {
  readonly height: Height;
  readonly hash: BlockHash;
  /** Present when the compact server could not be asked: the top of the local store. */
  readonly offline?: Offline;
  /** From this block on the server has rules that this program does not know. */
  readonly unknownUpgrade?: Height;
  /** After this block the node, or the one behind the compact server, stops by itself. */
  readonly endOfSupport?: Height;
  /** What the answer shows of the time: its `Date` header, or the time of the tip's block, in milliseconds since 1970. */
  readonly shown?: ShownTime;
}

/** The next block that a scan needs. */
export interface NextBlock {
  readonly height: Height;
  /** Absent where nothing was scanned before it. */
  readonly prevHash?: BlockHash;
}

/** A batch that several wallets scan. */
export interface SharedBatch {
  /** The same for the same blocks, read together. */
  readonly id: string;
  /** The same for all batches that were fetched together. */
  readonly stream: number;
  /** How many wallets still have to scan it, this one included. */
  readonly wallets: number;
}

export type ServedBatch = BlockBatch & { readonly costs?: FetchCosts; readonly shared?: SharedBatch };

/** A block's name, and the sizes of the note commitment trees after it. */
export interface BlockTreeSizes {
  readonly hash: BlockHash;
  readonly treeSizes: TreeSizes;
}

/** A block's name, and when it was mined, in seconds since 1970. */
export interface BlockTime {
  readonly hash: BlockHash;
  readonly time: number;
}

/** The note commitment trees after a block. */
export interface BlockTreeStates {
  readonly hash: BlockHash;
  /** Serialised, at most some 1,100 bytes each, not checked; none for a pool that the server does not report. */
  readonly states: PerPool<Uint8Array>;
  /** The roots that the server reports, if any; some servers reverse Sapling's bytes. */
  readonly roots: PerPool<Uint8Array | null>;
}

/** A full subtree of 2^16 leaves. */
export interface SubtreeRoot {
  /** 32 bytes. */
  readonly root: Uint8Array;
  /** Height of the block with its last leaf. */
  readonly endHeight: Height;
}

/**
 * How a wait for a block ended. `not offered`: the server does not announce blocks; the caller asks it for its tip instead.
 * `over`: nothing is known, because the time was up or the wait was ended.
 */
export type BlockNews = 'new block' | 'not offered' | 'over';

/** What the caller already knows of the mempool. */
export interface MempoolQuery {
  /** Txids, 32 bytes each: these transactions are not returned again. */
  readonly known: Uint8Array;
  /** How many more may be returned. */
  readonly room: number;
  /** The last answer had no space for all, and this call follows at once: the mempool need not be read again. */
  readonly goesOn: boolean;
}

/** A transaction in the buffer that comes with it; of length 0 where the server returned none with this txid. */
export interface MempoolTransaction {
  readonly txid: TxId;
  readonly offset: number;
  readonly length: number;
}

export interface OfferedMempool {
  readonly offered: true;
  /** The server's tip, read after its mempool: a transaction that was mined meanwhile is in a block up to here. */
  readonly tipHeight: Height;
  /** Indexes, from 0, of the known ones that are no longer there. */
  readonly gone: readonly number[];
  readonly fresh: readonly MempoolTransaction[];
  readonly buffer: ArrayBuffer;
  /** More are left for the next call. */
  readonly more: boolean;
}

/** `too much`: the mempool is larger than what is read of one. */
export type MempoolLook =
  | OfferedMempool
  | { readonly offered: false; readonly reason: 'not offered' | 'too much' };

/** Where a transaction is sent, and looked up: the server itself, since no store knows. */
export type OtherSide = Pick<Upstream, 'source' | 'nodeUrl'>;

export type RefusalReason =
  /** It can no longer be mined. */
  | 'expired'
  /** Something that it spends is already spent, in a block or by an unmined transaction. */
  | 'conflict'
  /** It breaks the rules: a wrong proof or signature, or an anchor that is not on the chain. */
  | 'invalid'
  | 'fee'
  /** It has more shielded items than a block takes. */
  | 'limit'
  /** A reason in words that are not known here. */
  | 'other';

/**
 * The result of sending. A refusal is the server's present answer: until the transaction expires, another server may have
 * accepted it, and zebrad retries refused ones by itself.
 */
export type SendOutcome =
  | { readonly kind: 'accepted' }
  /** The server has it already: unmined, in a block, or about to be decided on. */
  | { readonly kind: 'known' }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /** The server's words, at most 200 printable characters, without anything that looks like a path or an address. */
      readonly text: string;
    };

/** `unknown`: neither unmined nor in a block of the best chain, as far as the server knows. */
export type TransactionStatus =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'mempool' }
  | { readonly kind: 'mined'; readonly height: Height };

/** An unspent output of a block, as the server tells of it: its transaction shows whether that is true. */
export interface UnspentOutput {
  readonly address: string;
  readonly txid: TxId;
  readonly index: number;
  readonly zatoshi: Zatoshi;
  readonly height: Height;
}

export interface Offline {
  /** Hashes are known from here up to the tip. */
  readonly lowestHeight: Height;
  /** Why the server could not be asked. */
  readonly reason: ErrorRecord;
}

/** Blocks of a range, batch after batch. Rejects as `ChainService` does. */
export interface BlockRanges {
  /**
   * Starts streaming the inclusive range; fetching and packing run ahead of `nextBatch`, bounded. `next`: the range that
   * the caller will ask for after it; its first blocks are fetched while the last ones of this range are scanned.
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
   * The next consecutive batch, null after the last; null before it where the chain has moved between the streams of
   * several wallets, or a store without its server has a gap. Every block links to the one before it (checked here); a
   * link that breaks inside the range fails with `NODE_BAD_RESPONSE`/`COMPACT_SERVER_BAD_RESPONSE` (retryable: the chain moved).
   */
  nextBatch(query: { readonly rangeId: number }): Promise<ServedBatch | null>;
  closeRange(query: { readonly rangeId: number }): Promise<void>;
}

/**
 * Errors of every method: `NODE_UNREACHABLE`, `NODE_UNAUTHORIZED`, `NODE_BAD_RESPONSE`, `NETWORK_MISMATCH`,
 * `UPSTREAM_TIMEOUT`, and the `COMPACT_SERVER_*` pair when the source is `compact`.
 */
export interface ChainService extends BlockRanges {
  /** The default wallet's thread sends it for all; from another wallet it changes nothing, as with `walletScanned`. */
  configure(settings: ChainSettings): Promise<void>;
  walletScanned(settings: ScannedHeight): Promise<void>;
  /**
   * The best block. First checks that the server is of the configured network. With the source `compact` and a server that
   * cannot be reached or does not answer: the top of the local store, if there is one; else the server's failure.
   * `resumeAt`: when the store holds that block, the wait for the server is short.
   */
  tip(query: Upstream & { readonly resumeAt?: NextBlock }): Promise<ChainTip>;
  /**
   * The first block that peers are read from for a wallet of this birthday; without one, for a new wallet: above the newest
   * trees that come with the program. Null where it has none below the birthday. Makes no request.
   */
  peersFrom(query: { readonly birthday?: Height | undefined }): Promise<Height | null>;
  /**
   * Hash of the block at `height` on the best chain, null above the tip. With `offline`, heights that the store does not
   * know still need the server.
   */
  blockHash(query: Upstream & { readonly height: Height }): Promise<BlockHash | null>;
  /** The block at `height` on the best chain, asked of the server and stored nowhere; null above the tip. */
  blockTime(query: Upstream & { readonly height: Height }): Promise<BlockTime | null>;
  /**
   * What the chain node, whatever the source, reports of the block at `height` on its best chain; null above its tip.
   * Compact blocks are compared with it. `NODE_BAD_RESPONSE` from a node that does not report tree sizes.
   */
  treeSizesAt(query: Upstream & { readonly height: Height }): Promise<BlockTreeSizes | null>;
  /** The trees after the block at `height` on the best chain of the source; null above its tip. */
  treeStates(query: Upstream & { readonly height: Height }): Promise<BlockTreeStates | null>;
  /** The pool's first `count` subtrees, which the server must have. `..._BAD_RESPONSE` where it does not report them. */
  subtreeRoots(
    query: Upstream & { readonly pool: Pool; readonly count: number },
  ): Promise<readonly SubtreeRoot[]>;
  /**
   * Waits, for minutes at most, until the server announces a block beyond `height`, its tip as last seen. There is one such
   * wait at a time for each wallet: a new one ends the old one.
   */
  newBlock(query: Upstream & { readonly height: Height }): Promise<BlockNews>;
  /** Ends the wallet's wait. */
  endWait(): Promise<void>;
  /** Unmined transactions, a few hundred and some megabytes at most: the first ones that the caller does not know. */
  mempool(query: Upstream & MempoolQuery): Promise<MempoolLook>;
  /** One full block by hash, for memos and sent notes; null when the source does not have it. */
  rawBlock(
    query: Upstream & { readonly height: Height; readonly hash: BlockHash },
  ): Promise<ArrayBuffer | null>;
  /** One full transaction by txid; null when the source does not know it. */
  rawTransaction(query: Upstream & { readonly txid: TxId }): Promise<ArrayBuffer | null>;
  /**
   * Hands a whole transaction to the node or the compact server, once. A failure leaves open whether it arrived: it may be
   * in a block a minute later. `transactionStatus` shows it, and sending the same bytes again does no harm. `NODE_BEHIND`
   * from a server that does not follow the chain yet, `INVALID_REQUEST` where the bytes have another txid.
   */
  sendTransaction(query: CarriedBy & { readonly raw: Uint8Array; readonly txid: TxId }): Promise<SendOutcome>;
  /** A zcashd without an index of transactions reports `unknown` for a mined one. */
  transactionStatus(query: CarriedBy & { readonly txid: TxId }): Promise<TransactionStatus>;
  /**
   * The unspent outputs at transparent addresses, the most valuable first, 5,000 at most. Tells the server that one wallet
   * asks for all of them. `..._BAD_RESPONSE` from a server without an index of addresses.
   */
  unspentOutputs(
    query: OtherSide & { readonly addresses: readonly string[] },
  ): Promise<readonly UnspentOutput[]>;
  /** `config.node_url` with `probe`: reachable, authorised, right network. `byOwner`: the node is to be configured next. */
  probeNode(query: { readonly url: string; readonly byOwner?: boolean }): Promise<void>;
}
