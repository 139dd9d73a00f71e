// Two clocks: the wall clock, which people and machines set and which goes on while a machine sleeps, and one that never
// goes back and stands still meanwhile. What must end in time ends as soon as either says so.

export interface Clocks {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds from any origin. Never goes back; need not count sleep. */
  elapsed(): number;
}

export interface Timers extends Clocks {
  /** Calls back once after `ms`; returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClocks: Clocks = { now: () => Date.now(), elapsed: () => performance.now() };

/** The end of a span of time from now on, by whichever clock reaches it first. */
export class Deadline {
  readonly #clocks: Clocks;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly #elapsedAt: number;

  constructor(clocks: Clocks, ms: number) {
    this.#clocks = clocks;
    this.at = clocks.now() + ms;
    this.#elapsedAt = clocks.elapsed() + ms;
  }

  get leftMs(): number {
    return Math.max(0, Math.min(this.at - this.#clocks.now(), this.#elapsedAt - this.#clocks.elapsed()));
  }

  get isOver(): boolean {
    return this.leftMs === 0;
  }
}

/** The longest timer: timers do not count sleep, so a machine that wakes up waits no longer than this. */
export const SLICE_MS = 15_000;

/**
 * Calls `strike` once `deadline` is over by either clock. `meanwhile` is called between the slices. Returns a function
 * that cancels.
 */
export function atDeadline(
  timers: Timers,
  deadline: Deadline,
  strike: () => void,
  meanwhile: () => void = () => undefined,
): () => void {
  let cancel: () => void;
  const wait = (): void => {
    cancel = timers.after(Math.min(SLICE_MS, Math.ceil(deadline.leftMs)), () => {
      if (deadline.isOver) return strike();
      wait();
      meanwhile();
    });
  };
  wait();
  return () => cancel();
}
