// A compact store whose file is open only while it is among those used last. Callers need not know: each call is complete
// in itself, so the file can be closed between any two calls, and opens again with the next one.

import type { After } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type {
  CompactStore,
  CompactStoreSummary,
  PrunedBlocks,
  StoredCompactBlock,
  StoredOrigin,
  StoredRange,
  StoreFootprint,
} from '../ports/compactStore.ts';
import type { SqliteCompactStore } from './compactStore.ts';

export class PooledStore implements CompactStore {
  readonly #reopen: () => SqliteCompactStore;
  readonly #pool: StorePool;
  #store: SqliteCompactStore | undefined;
  #busyMs = 0;

  constructor(pool: StorePool, store: SqliteCompactStore, reopen: () => SqliteCompactStore) {
    this.#pool = pool;
    this.#store = store;
    this.#reopen = reopen;
    pool.used(this);
  }

  /** Includes the time to open the file. */
  get busyMs(): number {
    return this.#busyMs;
  }

  requireGenesis(genesisHash: string): void {
    this.#timed((store) => store.requireGenesis(genesisHash));
  }

  serverId(): string {
    return this.#timed((store) => store.serverId());
  }

  summary(): CompactStoreSummary {
    return this.#timed((store) => store.summary());
  }

  hashAt(height: Height): BlockHash | undefined {
    return this.#timed((store) => store.hashAt(height));
  }

  put(blocks: readonly StoredCompactBlock[], server?: string): void {
    this.#timed((store) => store.put(blocks, server));
  }

  origins(range: StoredRange): StoredOrigin[] {
    return this.#timed((store) => store.origins(range));
  }

  read(range: StoredRange, maxBytes: number): StoredCompactBlock[] {
    return this.#timed((store) => store.read(range, maxBytes));
  }

  remove(range: StoredRange): void {
    this.#timed((store) => store.remove(range));
  }

  ask(range: StoredRange): void {
    this.#timed((store) => store.ask(range));
  }

  asked(): StoredRange[] {
    return this.#timed((store) => store.asked());
  }

  prune(range: StoredRange): PrunedBlocks {
    return this.#timed((store) => store.prune(range));
  }

  footprint(): StoreFootprint {
    return this.#timed((store) => store.footprint());
  }

  giveBack(keep: number): boolean {
    return this.#timed((store) => store.giveBack(keep));
  }

  /** Closes the file until the next call. */
  close(): void {
    this.#pool.closed(this);
    const store = this.#store;
    this.#store = undefined;
    store?.close();
  }

  #timed<T>(work: (store: SqliteCompactStore) => T): T {
    const began = performance.now();
    try {
      return work(this.#use());
    } finally {
      this.#busyMs += performance.now() - began;
    }
  }

  #use(): SqliteCompactStore {
    this.#store ??= this.#reopen();
    this.#pool.used(this);
    return this.#store;
  }
}

/** An unused file need not stay open: the user may want to move it, or to remove its disk. */
export const IDLE_STORE_MS = 60_000;

/** Closes the stores that were used longest ago, and all of them when none was used for `IDLE_STORE_MS`. */
export class StorePool {
  readonly #mostOpen: number;
  readonly #after: After;
  /** The one used last comes last. */
  readonly #open = new Set<PooledStore>();
  #usedSince = false;
  #stopLooking: (() => void) | undefined;

  constructor(mostOpen: number, after: After) {
    this.#mostOpen = mostOpen;
    this.#after = after;
  }

  used(store: PooledStore): void {
    this.#open.delete(store);
    this.#open.add(store);
    this.#usedSince = true;
    if (this.#stopLooking === undefined) this.#lookLater();
    for (const oldest of this.#open) {
      if (this.#open.size <= this.#mostOpen) return;
      oldest.close();
    }
  }

  closed(store: PooledStore): void {
    this.#open.delete(store);
    if (this.#open.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  /** One timer serves all stores, because there are thousands of calls. */
  #lookLater(): void {
    this.#usedSince = false;
    this.#stopLooking = this.#after(IDLE_STORE_MS, () => {
      this.#stopLooking = undefined;
      if (this.#usedSince) this.#lookLater();
      else for (const store of [...this.#open]) store.close();
    });
  }
}
