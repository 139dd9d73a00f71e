// Follow mode: new blocks are scanned as they come. It asks for the tip every few seconds rather than subscribing,
// because nodes offer no subscription over JSON-RPC.

import type { Clock } from '../ports/walletEnvironment.ts';

/** Blocks come every 75 s on average; a look at the tip is one small request. */
export const FOLLOW_POLL_MS = 10_000;
/** A node that is down is asked ever more seldom, up to this. */
export const FOLLOW_SLOWEST_MS = 5 * 60_000;

/** `more`: there are further blocks to scan now. */
export type FollowOutcome = 'more' | 'caught up' | 'failed';

export class Follower {
  readonly #clock: Clock;
  readonly #scan: () => Promise<FollowOutcome>;
  #cancel: (() => void) | undefined;
  #waitMs = FOLLOW_POLL_MS;

  /** `scan` scans what is new, at most one request's worth, and never rejects. */
  constructor(clock: Clock, scan: () => Promise<FollowOutcome>) {
    this.#clock = clock;
    this.#scan = scan;
  }

  start(): void {
    this.stop();
    this.#waitMs = FOLLOW_POLL_MS;
    this.#scheduleIn(0);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #scheduleIn(ms: number): void {
    const cancel = this.#clock.after(ms, () => {
      void this.#scan().then((outcome) => {
        // Stopped, or started anew, while it scanned.
        if (this.#cancel !== cancel) return;
        this.#waitMs = outcome === 'failed' ? Math.min(this.#waitMs * 2, FOLLOW_SLOWEST_MS) : FOLLOW_POLL_MS;
        this.#scheduleIn(outcome === 'more' ? 0 : this.#waitMs);
      });
    });
    this.#cancel = cancel;
  }
}
