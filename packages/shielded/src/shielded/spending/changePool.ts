// Chooses the pool of the change. If it stays in the pool of the notes, the payment's amount crosses pools; if it moves to
// the newest pool, the sum of the notes does. Both reveal an amount when pools are crossed, so the caller decides.
import type { Zatoshi } from '../../values/zatoshi.ts';
import { isActionPool, type PerPool, POOLS, type Pool } from '../pools.ts';
import { type OwnNote, total } from './funds.ts';
import type { SpendingRules } from './rules.ts';

/**
 * `kept`: pools that only pay out take their change back. It costs one more action, and a signature for a note of value 0
 * that some signers refuse. `moved`: change goes where payments go.
 */
export type ChangePolicy = 'kept' | 'moved';

/** The order of zcash_client_backend: Orchard where it is spent from, then Ironwood, then Sapling. */
const PLACE: PerPool<number> = { orchard: 0, ironwood: 1, sapling: 2 };
const ORDER = POOLS.toSorted((a, b) => PLACE[a] - PLACE[b]);

/** The pools that may take the change of these spends, best first; empty where there is none. */
export function changePools(
  spends: readonly OwnNote[],
  policy: ChangePolicy,
  { payable }: SpendingRules,
  hasKey: (pool: Pool) => boolean,
): Pool[] {
  const newest = payable.filter((pool) => isActionPool(pool)).at(-1) ?? payable.at(-1)!;
  const spentFrom = ORDER.filter((pool) => spends.some((note) => note.pool === pool));
  const kept = policy === 'kept' ? spentFrom : spentFrom.filter((pool) => pool === newest);
  return [...new Set([...kept, newest, ...spentFrom])].filter(hasKey);
}

/** A pool that only pays out may take back strictly less than leaves it. */
export function takesChange(
  pool: Pool,
  change: Zatoshi,
  spends: readonly OwnNote[],
  { payable }: SpendingRules,
): boolean {
  return payable.includes(pool) || change < total(spends.filter((note) => note.pool === pool));
}
