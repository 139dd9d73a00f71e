// The time of the next block. A chain that only counts from its genesis block is the same every time, and lies in 2011; one
// that people look at ends near now, so that its days and years mean something.

/** In seconds since 1970; `spacing` is that of the network's rules. */
export type BlockClock = (tipTime: number, spacing: number) => number;

export const fixedClock: BlockClock = (tipTime, spacing) => tipTime + spacing;

/** Room for 864 blocks of 25 s that are mined at once. */
const BEHIND_SECONDS = 6 * 3600;

/**
 * At most six hours behind `nowMs`, and as far apart as blocks are while that leads to no future; from there on blocks
 * come a second apart.
 */
export function clockNear(nowMs: () => number): BlockClock {
  return (tipTime, spacing) => {
    const now = Math.floor(nowMs() / 1_000);
    const next = Math.max(tipTime + spacing, now - BEHIND_SECONDS);
    return next <= now ? next : tipTime + 1;
  };
}
