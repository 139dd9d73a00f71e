// What the chain actor asks of the compact-block store. The file lives in src/storage; tests use it in a temporary
// folder. The bytes of a block are opaque here: whoever stores one says which block it is and which one it follows.

import type { BlockHash } from '@wallet-companion/shielded/identifiers';
import type { Height } from '@wallet-companion/shielded/values';
import type { Network } from '../../../protocol/network.ts';

/** Inclusive. */
export interface StoredRange {
  readonly start: Height;
  readonly end: Height;
}

export interface StoredCompactBlock {
  readonly height: Height;
  readonly hash: BlockHash;
  readonly prevHash: BlockHash;
  /** One serialized CompactBlock message, byte for byte as it came over the wire. */
  readonly data: Uint8Array;
}

/** Inclusive. */
export interface StoredOrigin extends StoredRange {
  /** Who gave these blocks, `host:port`. */
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
  /** Of their messages. */
  readonly bytes: number;
}

export interface StoreFootprint {
  /** Of the database; while it is written to, its log takes some megabytes besides. */
  readonly fileBytes: number;
  /** Of those, what holds nothing: the next blocks use it. */
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
   * one: after a reorg the caller removes the stale branch first. Its data may be other ones, though, because a hash
   * covers none of what a compact block holds: the new ones take their place. `server`: who gave them.
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
  /** These heights are asked for: what is stored of them, now or later, is not the scan's to drop. */
  ask(range: StoredRange): void;
  /** Ascending. */
  asked(): StoredRange[];
  /**
   * Deletes some of the range, the lowest blocks first, in some milliseconds, and those heights are no longer asked for.
   * Nothing deleted: there was nothing.
   */
  prune(range: StoredRange): PrunedBlocks;
  footprint(): StoreFootprint;
  /**
   * Gives some of the free room beyond `keep` bytes back to the disk, in some milliseconds; false when there is no more
   * to give.
   */
  giveBack(keep: number): boolean;
}

/** Where stores may lie and what they must be. */
export interface CompactStorePlace {
  readonly dataDir: string;
  readonly configDir: string;
  readonly restrictDbPath: boolean;
  /** The compact server whose blocks the store holds: one store never has those of two. */
  readonly server: string;
  /** The one of the configuration. */
  readonly configuredServer: string;
  readonly network: Network;
  readonly genesisHash: string;
}

/**
 * The stores of this process. One that is open stays open: asking again gives the same one. `dbPath` is what the client
 * sent, undefined for the server's own store. Errors: `INVALID_DB_PATH`, `NETWORK_MISMATCH`, `STORAGE_FAILED`.
 */
export interface CompactStores {
  /** Undefined when there is no file yet; nothing is created. */
  find(dbPath: string | undefined, place: CompactStorePlace): CompactStore | undefined;
  /**
   * Makes the store where there is none. The oldest stores of servers that are not configured make room for it, but
   * none of those that `isBusy` knows.
   */
  open(
    dbPath: string | undefined,
    place: CompactStorePlace,
    isBusy?: (store: CompactStore) => boolean,
  ): CompactStore;
  /** Closes all; a later `open` opens afresh. */
  close(): void;
}
