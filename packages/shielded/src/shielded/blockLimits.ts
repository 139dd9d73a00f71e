// How much of the shielded pools one block takes from NU7 on, and so one transaction (ZIP 218, as nodes hold it).
import { isActionPool, type PerPool, POOL, POOLS, type Pool } from './pools.ts';
import type { ItemCounts } from './zip317.ts';

/** Items of all pools together. */
export const MOST_SHIELDED_ITEMS = 330;

export interface ShieldedExcess {
  /** Undefined: all pools together. */
  readonly pool: Pool | undefined;
  readonly count: number;
  readonly limit: number;
}

/** What counts of a pool: its actions, or Sapling's spends and outputs. */
export const itemCount = (pool: Pool, { spends, outputs }: ItemCounts): number =>
  isActionPool(pool) ? Math.max(spends, outputs) : spends + outputs;

/** The first limit that is exceeded. */
export function shieldedExcess(items: PerPool<number>): ShieldedExcess | undefined {
  const all = POOLS.reduce((sum, pool) => sum + items[pool], 0);
  const checks: ShieldedExcess[] = [
    ...POOLS.map((pool) => ({ pool, count: items[pool], limit: POOL[pool].mostInBlock })),
    { pool: undefined, count: all, limit: MOST_SHIELDED_ITEMS },
  ];
  return checks.find(({ count, limit }) => count > limit);
}
