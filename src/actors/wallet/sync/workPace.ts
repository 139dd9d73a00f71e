// How fast work is done, over all requests of a long scan: one request is too short to measure it.

/** Work of this age counts half: eras and servers change. */
const HALF_LIFE_MS = 60_000;
/** Before that, a few early batches would decide. */
const LEAST_MS = 2_000;

export class WorkPace {
  #work = 0;
  #ms = 0;

  /** Time that was spent scanning, whatever its result. */
  add(work: number, ms: number): void {
    const kept = 0.5 ** (Math.max(0, ms) / HALF_LIFE_MS);
    this.#work = this.#work * kept + work;
    this.#ms = this.#ms * kept + Math.max(0, ms);
  }

  /** Undefined while it is too early to tell. */
  secondsFor(work: number): number | undefined {
    if (this.#ms < LEAST_MS || this.#work <= 0) return undefined;
    return (work * this.#ms) / this.#work / 1_000;
  }
}
