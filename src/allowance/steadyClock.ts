// The time by which an allowance is counted. At a start it believes the system, where that is later than the last record; from then
// on it goes with the clock that nobody sets, so that setting the system's clock to and fro frees no allowance. While a machine sleeps
// it may stand still, and is right again after a restart: what is recorded has the later time of both, or it would seem older then.

import type { Clocks } from '@wallet-companion/base/async';

export class SteadyClock {
  readonly #clocks: Clocks;
  /** The time where the other clock is at its origin. */
  readonly #origin: number;

  /** `latest`: the time of the last record, in milliseconds since 1970. */
  constructor(clocks: Clocks, latest: number) {
    this.#clocks = clocks;
    this.#origin = Math.max(latest, clocks.now()) - clocks.elapsed();
  }

  /** Milliseconds since 1970. Never goes back. */
  now(): number {
    return Math.floor(this.#origin + this.#clocks.elapsed());
  }

  /** No earlier than `now`, nor than the system's clock. */
  latest(): number {
    return Math.max(this.now(), this.#clocks.now());
  }
}
