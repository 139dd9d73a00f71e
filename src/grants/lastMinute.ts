// When something happened within the last minute, by key: for limits a minute.

const MINUTE_MS = 60_000;

export class LastMinute {
  /** Milliseconds that never go back. */
  readonly #clock: () => number;
  readonly #times = new Map<string, readonly number[]>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Counts one more, if fewer than `most` happened. Returns 0, or the milliseconds after which one more may happen.
   */
  tryAdd(key: string, most: number): number {
    const now = this.#clock();
    const isOver = (at: number): boolean => now - at >= MINUTE_MS;
    const recent = (this.#times.get(key) ?? []).filter((at) => !isOver(at));
    const first = recent.at(-most);
    if (first !== undefined) return first + MINUTE_MS - now;
    this.#times.set(key, [...recent, now]);
    for (const [known, times] of this.#times) if (times.every(isOver)) this.#times.delete(known);
    return 0;
  }
}
