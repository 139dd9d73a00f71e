// The time of the next block. A chain that counts from its genesis block always has the same times, in 2011; a chain that
// people look at ends near the current time, so that its days and years make sense.

/** Times in seconds since 1970; `spacing` is the block spacing of the network. */
export type BlockClock = (tipTime: number, spacing: number) => number;

export const fixedClock: BlockClock = (tipTime, spacing) => tipTime + spacing;

/** Enough for 864 blocks of 25 s that are mined at once. */
const BEHIND_SECONDS = 6 * 3600;

/**
 * The time is at most six hours behind `nowMs`. Blocks have the usual spacing until that would give a time in the future;
 * after that they are one second apart.
 */
export function clockNear(nowMs: () => number): BlockClock {
  return (tipTime, spacing) => {
    const now = Math.floor(nowMs() / 1_000);
    const next = Math.max(tipTime + spacing, now - BEHIND_SECONDS);
    return next <= now ? next : tipTime + 1;
  };
}
