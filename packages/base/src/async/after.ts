// Waits: an action after some time, and how long to wait for a server when there is an alternative.

/** Calls `strike` after `ms` milliseconds, unless the returned function is called before. */
export type After = (ms: number, strike: () => void) => () => void;

const SLICE_MS = 3_000;

/**
 * Time during which this thread itself was blocked (by a slow disk or an overloaded machine) counts as one slice at
 * most, so that data that arrived meanwhile is read before its sender counts as silent.
 */
export const systemAfter: After = (ms, strike) => {
  let left = ms;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    const slice = Math.min(SLICE_MS, left);
    timer = setTimeout(() => {
      left -= slice;
      if (left > 0) wait();
      else strike();
    }, slice);
  };
  wait();
  return () => clearTimeout(timer);
};

// How long to wait for a server when there is an alternative. The request stays open afterwards, so a slow server (a
// first answer over Tor takes seconds) is late rather than dead: once connected it answers the next request at once.
// While one answer is missing, there is no second wait.

/** Connected servers answer within some hundred milliseconds; a longer wait feels like a hang. */
export const PATIENCE_MS = 3_000;

/** A limit for the wait on a server when there is an alternative; while one answer is missing, no second wait. */
export class Patience {
  readonly #ms: number;
  readonly #after: After;
  #owed = false;

  constructor(ms: number = PATIENCE_MS, after: After = systemAfter) {
    this.#ms = ms;
    this.#after = after;
  }

  /** The answer or its failure, or undefined when it takes too long. */
  async within<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.#owed) return undefined;
    this.#owed = true;
    const answer = ask().finally(() => {
      this.#owed = false;
    });
    // It may fail after the wait, which must not count as an unhandled rejection.
    answer.catch(() => undefined);
    let callOff = (): void => undefined;
    const late = new Promise<undefined>((resolve) => {
      callOff = this.#after(this.#ms, () => resolve(undefined));
    });
    return Promise.race([answer, late]).finally(callOff);
  }
}
