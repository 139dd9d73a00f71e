// What a scan waits for: blocks that do not come, or a pool that has as much as it can do. People who find a scan slow
// can then look at the right end of it.

/** Until then a few early batches would decide. */
const LEAST_MS = 2_000;

export type LimitedBy = 'blocks' | 'scanning';

export class ScanWaits {
  readonly #now: () => number;
  readonly #concurrency: number;
  readonly #startedAt: number;
  #asked = 0;
  #scanned = 0;
  /** Since when blocks are asked for while a worker has nothing to do. */
  #idleSince: number | undefined;
  #idleMs = 0;

  constructor(now: () => number, concurrency: number) {
    this.#now = now;
    this.#concurrency = concurrency;
    this.#startedAt = now();
  }

  /** While this is pending, blocks are asked for. */
  async asking<T>(answer: Promise<T>): Promise<T> {
    return this.#during(answer, (by) => {
      this.#asked += by;
    });
  }

  /** While this is pending, one worker is busy. */
  async scanning<T>(result: Promise<T>): Promise<T> {
    return this.#during(result, (by) => {
      this.#scanned += by;
    });
  }

  /** Null while it is too early to tell. */
  get limitedBy(): LimitedBy | null {
    const now = this.#now();
    const elapsedMs = now - this.#startedAt;
    const idleMs = this.#idleMs + (this.#idleSince === undefined ? 0 : now - this.#idleSince);
    if (elapsedMs < LEAST_MS) return null;
    return idleMs * 2 > elapsedMs ? 'blocks' : 'scanning';
  }

  async #during<T>(promise: Promise<T>, count: (by: number) => void): Promise<T> {
    count(1);
    this.#look();
    try {
      return await promise;
    } finally {
      count(-1);
      this.#look();
    }
  }

  #look(): void {
    const isIdle = this.#asked > 0 && this.#scanned < this.#concurrency;
    if (isIdle) this.#idleSince ??= this.#now();
    else if (this.#idleSince !== undefined) {
      this.#idleMs += this.#now() - this.#idleSince;
      this.#idleSince = undefined;
    }
  }
}
