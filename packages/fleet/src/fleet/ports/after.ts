// Timers, injected by the companion together with what they limit, so that a test decides when a wait ends.

/** Calls `strike` after `ms` milliseconds, unless the returned function is called before. */
export type After = (ms: number, strike: () => void) => () => void;
