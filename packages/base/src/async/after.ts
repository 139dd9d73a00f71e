// Timers for waits for another machine. They are injected together with the limits, so that a test decides when a wait
// ends, because any number of milliseconds is too short on some machine.

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
