// Which pools a chain has at a height, and into which funds may go.

import { type ActivationHeights, isActive } from '../shielded/network.ts';
import { POOL, POOLS, type Pool } from '../shielded/pools.ts';
import type { Height } from '../values/height.ts';

/** Oldest first. */
export const poolsAt = (activation: ActivationHeights, height: Height): Pool[] =>
  POOLS.filter((pool) => isActive(activation, POOL[pool].activation, height));

export function isWithdrawOnly(pool: Pool, activation: ActivationHeights, height: Height): boolean {
  const upgrade = POOL[pool].withdrawOnlyFrom;
  return upgrade !== undefined && isActive(activation, upgrade, height);
}

/** Servers show the tree of a pool that not all of them know only once the pool is there. */
export const hasTreeState = (pool: Pool, activation: ActivationHeights, height: Height): boolean =>
  !POOL[pool].oldServersOmit || isActive(activation, POOL[pool].activation, height);
