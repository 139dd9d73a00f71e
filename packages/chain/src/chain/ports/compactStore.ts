// What the chain actor needs of the compact-block store. The file lies in src/storage; tests use it in a temporary
// folder. The bytes of a block are opaque here: the caller of `put` states the block's hash and its previous hash.

import type { Height } from '@wallet-companion/base/values';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { Network } from '@wallet-companion/zcash/network';

/** Inclusive. */
export interface StoredRange {
  readonly start: Height;
  readonly end: Height;
}

export interface StoredCompactBlock {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** One serialized CompactBlock message, byte for byte as it was received. */
  readonly data: Uint8Array;
}

/** Inclusive. */
export interface StoredOrigin extends StoredRange {
  /** The server that sent these blocks, `host:port`. */
  readonly server: string;
}

export interface CompactStoreSummary {
  /** Absolute. */
  readonly path: string;
  /** Null while the store is empty. */
  readonly firstHeight: Height | null;
  readonly lastHeight: Height | null;
  readonly blockCount: number;
  /** Ascending gaps between the first and the last block. */
  readonly missingRanges: readonly StoredRange[];
}

/** What one step of pruning deleted. */
export interface PrunedBlocks {
  readonly blocks: number;
  /** Bytes of their messages. */
  readonly bytes: number;
}

export interface StoreFootprint {
  /** Size of the database file; while it is written to, its log takes some megabytes besides. */
  readonly fileBytes: number;
  /** The unused part of `fileBytes`; the next blocks use it. */
  readonly freeBytes: number;
}

/** Errors of every method: `STORAGE_FAILED`, also when the file turns out to be damaged. */
export interface CompactStore {
  /** Milliseconds spent in its methods so far, where that is counted. */
  readonly busyMs?: number;
  summary(): CompactStoreSummary;
  /** undefined where no block is stored. */
  hashAt(height: Height): BlockHash | undefined;
  /**
   * Keeps consecutive blocks, all or nothing. Each must link to its neighbours in the list and in the store; one that
   * does not is `COMPACT_SERVER_BAD_RESPONSE`, and nothing is kept. A block that is stored already must be the same
   * one: after a reorg the caller removes the stale branch first. Its data may differ, because a hash covers nothing of
   * what a compact block holds: the new data replaces the old. `server`: the server that sent the blocks.
   */
  put(blocks: readonly StoredCompactBlock[], server?: string): void;
  /** Who gave what of the range is stored, ascending. Blocks that were stored without a server are left out. */
  origins(range: StoredRange): StoredOrigin[];
  /**
   * Stored blocks from `range.start` upward, consecutive: ends at `range.end`, before the first gap, or once `maxBytes`
   * of data is reached (at least one block). Empty when `range.start` is not stored.
   */
  read(range: StoredRange, maxBytes: number): StoredCompactBlock[];
  /** Forgets every block in the range, e.g. all above a fork: `{ start: fork + 1, end: MAX_HEIGHT }`. */
  remove(range: StoredRange): void;
  /** Marks heights as requested by the user: a scan must not drop what is stored there, now or later. */
  ask(range: StoredRange): void;
  /** Ascending. */
  asked(): StoredRange[];
  /**
   * Deletes some of the range, the lowest blocks first, in some milliseconds, and unmarks those heights (`ask`).
   * Nothing deleted: the range was empty.
   */
  prune(range: StoredRange): PrunedBlocks;
  footprint(): StoreFootprint;
  /**
   * Returns some of the free space beyond `keep` bytes to the disk, in some milliseconds; false when there is none left
   * to return.
   */
  giveBack(keep: number): boolean;
}

/** Where a store may lie and what it must be. */
export interface CompactStorePlace {
  readonly dataDir: string;
  readonly configDir: string;
  readonly restrictDbPath: boolean;
  /** The compact server whose blocks the store holds: a store never has blocks of two servers. */
  readonly server: string;
  /** The compact server of the configuration. */
  readonly configuredServer: string;
  readonly network: Network;
  readonly genesisHash: string;
}

/**
 * The stores of this process. An open store stays open: the same call returns it again. `dbPath` is what the client
 * sent, undefined for the server's own store. Errors: `INVALID_DB_PATH`, `NETWORK_MISMATCH`, `STORAGE_FAILED`.
 */
export interface CompactStores {
  /** Undefined when there is no file yet; nothing is created. */
  find(dbPath: string | undefined, place: CompactStorePlace): CompactStore | undefined;
  /**
   * Creates the store where there is none. The oldest stores of servers that are not configured are deleted for it,
   * except those for which `isBusy` is true.
   */
  open(
    dbPath: string | undefined,
    place: CompactStorePlace,
    isBusy?: (store: CompactStore) => boolean,
  ): CompactStore;
  /** Closes all; a later `open` opens afresh. */
  close(): void;
}
