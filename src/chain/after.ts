// How whoever waits for another machine learns that its time is up. The timer comes with the limits, so that a test says
// when a wait ends: never where it is about something else, and only once the other side has fallen silent where it is
// about that. Any number of milliseconds is too short on some machine.

/** Calls `strike` that long from now, unless it is called off with the function given back. */
export type After = (ms: number, strike: () => void) => () => void;

export const systemAfter: After = (ms, strike) => {
  const timer = setTimeout(strike, ms);
  return () => clearTimeout(timer);
};
