// How whoever waits for another machine learns that its time is up. The timer comes with the limits, so that a test
// says when a wait ends: never where it is about something else, and only once the other side has fallen silent where
// it is about that. Any number of milliseconds is too short on some machine.

/** Calls `strike` that long from now, unless it is called off with the function given back. */
export type After = (ms: number, strike: () => void) => () => void;

const SLICE_MS = 3_000;

/**
 * Time in which this thread itself stood still (a slow disk, a machine with more to do than it can) counts for one
 * slice at most: what came meanwhile is read before its sender is called silent.
 */
export const systemAfter: After = (ms, strike) => {
  let left = ms;
  let timer: NodeJS.Timeout | undefined;
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
