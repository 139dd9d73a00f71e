// The limits of shielded items in one block, and so in one transaction, from NU7 on (ZIP 218, as nodes enforce it).
import { isActionPool, type PerPool, POOL, POOLS, type Pool } from './pools.ts';
import type { ItemCounts } from './zip317.ts';

/** Limit for the items of all pools together. */
export const MOST_SHIELDED_ITEMS = 330;

export interface ShieldedExcess {
  /** Undefined: all pools together. */
  readonly pool: Pool | undefined;
  readonly count: number;
  readonly limit: number;
}

/** How many items of a pool the limit counts: its actions, or Sapling's spends and outputs. */
export const itemCount = (pool: Pool, { spends, outputs }: ItemCounts): number =>
  isActionPool(pool) ? Math.max(spends, outputs) : spends + outputs;

/**
 * The first limit of a block from NU7 on that so many items exceed (ZIP 218); undefined where none is. Items: actions,
 * or Sapling's spends and outputs.
 */
export function shieldedExcess(items: PerPool<number>): ShieldedExcess | undefined {
  const all = POOLS.reduce((sum, pool) => sum + items[pool], 0);
  const checks: ShieldedExcess[] = [
    ...POOLS.map((pool) => ({ pool, count: items[pool], limit: POOL[pool].mostInBlock })),
    { pool: undefined, count: all, limit: MOST_SHIELDED_ITEMS },
  ];
  return checks.find(({ count, limit }) => count > limit);
}
