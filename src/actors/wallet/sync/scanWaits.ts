// What a scan waits for: blocks that do not come, a pool with all workers busy, or a disk. A user with a slow scan then
// knows which part to look at.

import type { FetchCosts } from '@wallet-companion/chain/ports';

/** Before that, a few early batches would decide. */
const LEAST_MS = 2_000;

export type LimitedBy = 'blocks' | 'scanning';
export type BoundedBy = 'network' | 'cpu' | 'disk';

const NO_COSTS: FetchCosts = { receivedBytes: 0, networkMs: 0, diskMs: 0, busyMs: 0 };
/** For a chain side that reports no costs: all of its time counts as network. */
const UNREPORTED: FetchCosts = { receivedBytes: 0, networkMs: 1, diskMs: 0, busyMs: 0 };

export class ScanWaits {
  readonly #now: () => number;
  readonly #concurrency: number;
  readonly #startedAt: number;
  #asked = 0;
  #scanned = 0;
  /** Since when blocks have been requested while a worker is idle. */
  #idleSince: number | undefined;
  #idleMs = 0;
  /** The time of commits, which block this thread. */
  #commitMs = 0;
  /** The costs of the ranges that were read to their end, and of the one being read. */
  #fetched: FetchCosts = NO_COSTS;
  #fetching: FetchCosts | undefined;

  constructor(now: () => number, concurrency: number) {
    this.#now = now;
    this.#concurrency = concurrency;
    this.#startedAt = now();
  }

  /** While this is pending, blocks are requested. */
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
    const elapsedMs = this.#now() - this.#startedAt;
    if (elapsedMs < LEAST_MS) return null;
    return this.#idle() * 2 > elapsedMs ? 'blocks' : 'scanning';
  }

  /** The chain side's report on the range being read, up to now. */
  fetching(costs: FetchCosts | undefined): void {
    if (costs !== undefined) this.#fetching = costs;
  }

  /** The next range counts from zero again. */
  rangeEnded(): void {
    this.#fetched = this.#costs;
    this.#fetching = undefined;
  }

  /** `diskMs`: how long the disk has blocked this thread in all, read before and after. */
  committing<T>(work: () => T, diskMs: () => number): T {
    const before = diskMs();
    try {
      return work();
    } finally {
      const ms = diskMs() - before;
      this.#commitMs += ms;
      // This thread could not have received blocks meanwhile.
      if (this.#idleSince !== undefined) this.#idleSince = Math.min(this.#now(), this.#idleSince + ms);
    }
  }

  /** Bytes from the server, over all ranges. */
  get receivedBytes(): number {
    return this.#costs.receivedBytes;
  }

  /** What took most of the time. Null while it is too early to tell. */
  get boundedBy(): BoundedBy | null {
    const elapsedMs = this.#now() - this.#startedAt;
    if (elapsedMs < LEAST_MS) return null;
    const costs = this.#costs;
    const { networkMs, diskMs, busyMs } =
      costs.networkMs + costs.diskMs + costs.busyMs > 0 ? costs : UNREPORTED;
    // The chain side waits for its network while the pool is busy, too: only the idle time of the pool counts.
    const share = this.#idle() / (networkMs + diskMs + busyMs);
    const network = networkMs * share;
    const disk = diskMs * share + this.#commitMs;
    const cpu = elapsedMs - network - disk;
    if (disk > network && disk > cpu) return 'disk';
    return network > cpu ? 'network' : 'cpu';
  }

  get #costs(): FetchCosts {
    const [a, b] = [this.#fetched, this.#fetching ?? NO_COSTS];
    return {
      receivedBytes: a.receivedBytes + b.receivedBytes,
      networkMs: a.networkMs + b.networkMs,
      diskMs: a.diskMs + b.diskMs,
      busyMs: a.busyMs + b.busyMs,
    };
  }

  #idle(): number {
    return this.#idleMs + (this.#idleSince === undefined ? 0 : this.#now() - this.#idleSince);
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
