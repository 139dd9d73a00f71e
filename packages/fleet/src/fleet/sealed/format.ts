// The first number in jobs and results. Sides with different numbers refuse one another: a worker that does not know a
// pool would leave its notes out.

import { type PerPool, POOLS } from '@wallet-companion/zcash/pools';

/** The number with which the pool came in: a new one takes the next number. */
const SINCE: PerPool<number> = { sapling: 1, orchard: 1, ironwood: 1 };

/** The number with which jobs have canaries, and results the worker's identity: an older worker would miss them all. */
const SINCE_CANARIES = 2;

export const FORMAT = Math.max(SINCE_CANARIES, ...POOLS.map((pool) => SINCE[pool]));
