// The time by which an allowance is counted. It never goes back, and while the process runs it goes forward no faster than the clock
// that nobody sets: moving the system's clock to and fro frees no allowance. While a machine sleeps it may stand still, which is on
// the safe side; it is right again after a restart.

import type { Clocks } from '@wallet-companion/base/async';

export class SteadyClock {
  readonly #clocks: Clocks;
  readonly #startedAt: number;
  readonly #elapsedAtStart: number;
  #latest: number;

  /** `latest`: the time of the last record, in milliseconds since 1970. */
  constructor(clocks: Clocks, latest: number) {
    this.#clocks = clocks;
    this.#startedAt = Math.max(latest, clocks.now());
    this.#elapsedAtStart = clocks.elapsed();
    this.#latest = this.#startedAt;
  }

  /** Milliseconds since 1970. */
  now(): number {
    const most = this.#startedAt + Math.floor(this.#clocks.elapsed() - this.#elapsedAtStart);
    this.#latest = Math.max(this.#latest, Math.min(this.#clocks.now(), most));
    return this.#latest;
  }
}
