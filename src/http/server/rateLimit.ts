// One token bucket for extensions and pages, which send an Origin and may loop in an unattended browser. Programs on
// this machine are not limited, because the user who runs one can stop it. The wallet actor slows down password
// guessing, for every caller.

import { CompanionError } from '@wallet-companion/client/contract';
import type { MonotonicClock } from './httpEnvironment.ts';

export interface RateLimit {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** A client that polls progress and balance needs a few requests per second; this limit stops runaway loops. */
export const DEFAULT_RATE_LIMIT: RateLimit = { requestsPerSecond: 100, burst: 200 };

/**
 * The bucket as a schedule (GCRA): `#dueMs` is when the bucket would be full again. One number instead of a count and a
 * time, and no rounding that adds up.
 */
export class TokenBucket {
  readonly #clock: MonotonicClock;
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  #dueMs: number;

  constructor({ requestsPerSecond, burst }: RateLimit, clock: MonotonicClock) {
    this.#clock = clock;
    this.#intervalMs = 1000 / requestsPerSecond;
    this.#toleranceMs = (burst - 1) * this.#intervalMs;
    this.#dueMs = clock();
  }

  /** Takes one token and returns 0, or returns the milliseconds until there is one. */
  take(): number {
    const now = this.#clock();
    const dueMs = Math.max(this.#dueMs, now);
    const waitMs = dueMs - now - this.#toleranceMs;
    if (waitMs > 0) return waitMs;
    this.#dueMs = dueMs + this.#intervalMs;
    return 0;
  }
}

/** The limit of extensions that may only request pairing: they must not use up the limit of allowed ones. */
export const STRANGERS_RATE_LIMIT: RateLimit = { requestsPerSecond: 2, burst: 10 };

/** Throws `RATE_LIMITED`. */
export const rateLimiter =
  (bucket: TokenBucket, strangers: TokenBucket) =>
  (isStranger: boolean): void => {
    const waitMs = (isStranger ? strangers : bucket).take();
    if (waitMs === 0) return;
    throw new CompanionError('RATE_LIMITED', 'Too many requests at once; slow down and try again.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  };
