// The scan pool of a wallet besides the default one: fewer threads, and none between scans. There may be many such
// wallets, and each thread of a pool takes some twenty megabytes.

import type { ScanPool } from '../actors/wallet/ports/scanPool.ts';
import type { After } from '../async/after.ts';
import { PoolThrough } from './poolThrough.ts';

/** Follow mode scans a block every minute or so; a scan of many blocks pauses for less. */
export const POOL_REST_AFTER_MS = 15_000;
/** Enough to keep up with a node; many wallets that scan at once keep every processor busy all the same. */
const MOST_THREADS = 4;

export function restingPool(threads: number, open: (threads: number) => ScanPool, after: After): ScanPool {
  return new RestingPool(Math.min(threads, MOST_THREADS), open, after);
}

class RestingPool extends PoolThrough {
  readonly concurrency: number;
  readonly #open: (threads: number) => ScanPool;
  readonly #after: After;
  #pool: ScanPool | undefined;
  #tasks = 0;
  #callOff: () => void = () => undefined;
  /** Resting pools that are closing: their threads have viewing keys until they have ended. */
  #closing: Promise<void> = Promise.resolve();

  constructor(threads: number, open: (threads: number) => ScanPool, after: After) {
    super();
    this.concurrency = threads;
    this.#open = open;
    this.#after = after;
  }

  async close(): Promise<void> {
    this.#callOff();
    this.#rest();
    await this.#closing;
  }

  protected async run<T>(task: (pool: ScanPool) => Promise<T>): Promise<T> {
    this.#callOff();
    this.#pool ??= this.#open(this.concurrency);
    this.#tasks += 1;
    try {
      return await task(this.#pool);
    } finally {
      this.#tasks -= 1;
      if (this.#tasks === 0) this.#callOff = this.#after(POOL_REST_AFTER_MS, () => this.#rest());
    }
  }

  #rest(): void {
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool === undefined) return;
    this.#closing = Promise.allSettled([this.#closing, pool.close()]).then(() => undefined);
  }
}
