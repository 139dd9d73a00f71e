// What this thread does while a batch of blocks is awaited: it waits for the server, uses the store, or computes. This
// distinguishes a slow server from a slow computer.

import { performance } from 'node:perf_hooks';
import type { FetchCosts } from '../ports/types.ts';

/** Milliseconds for which the event loop of this thread has been idle so far. */
export type LoopIdle = () => number;

/** Node counts it from the first call on. */
export const loopIdle: LoopIdle = () => performance.eventLoopUtilization().idle;

interface Gauges {
  readonly now: () => number;
  readonly idle: LoopIdle;
  /** Time in calls of the store, so far. */
  readonly diskMs: () => number;
  /** Bytes from the server, so far. */
  readonly receivedBytes: () => number;
}

export class FetchMeter {
  readonly #gauges: Gauges;
  readonly #receivedBefore: number;
  #costs = { networkMs: 0, diskMs: 0, busyMs: 0 };

  constructor(gauges: Gauges) {
    this.#gauges = gauges;
    this.#receivedBefore = gauges.receivedBytes();
  }

  get costs(): FetchCosts {
    return { receivedBytes: this.#gauges.receivedBytes() - this.#receivedBefore, ...this.#costs };
  }

  /** A caller waits for this. */
  async waiting<T>(answer: Promise<T>): Promise<T> {
    const { now, idle, diskMs } = this.#gauges;
    const before = { now: now(), idle: idle(), disk: diskMs() };
    try {
      return await answer;
    } finally {
      const waited = Math.max(0, now() - before.now);
      const networkMs = Math.min(waited, Math.max(0, idle() - before.idle));
      const disk = Math.min(waited - networkMs, Math.max(0, diskMs() - before.disk));
      this.#costs.networkMs += networkMs;
      this.#costs.diskMs += disk;
      this.#costs.busyMs += waited - networkMs - disk;
    }
  }
}
