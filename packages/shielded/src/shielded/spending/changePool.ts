// Where change goes. Kept in the pool that it comes from, what crosses pools is the payment; moved to the newest pool, it
// is all of the notes that are spent. Both show something when pools are crossed, so it is the caller's to say.
import type { Zatoshi } from '../../values/zatoshi.ts';
import { isActionPool, type PerPool, POOLS, type Pool } from '../pools.ts';
import { type OwnNote, total } from './funds.ts';
import type { SpendingRules } from './rules.ts';

/**
 * `kept`: pools that are being left take their change back. It costs an action more, and a signature for a note of value 0
 * that some signers do not give. `moved`: it goes where payments go.
 */
export type ChangePolicy = 'kept' | 'moved';

/** As zcash_client_backend: Orchard where it is spent from, then Ironwood, then Sapling. */
const PLACE: PerPool<number> = { orchard: 0, ironwood: 1, sapling: 2 };
const ORDER = POOLS.toSorted((a, b) => PLACE[a] - PLACE[b]);

/** The pools that may take the change, the best first. */
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

/** Into a pool that can only be left, strictly less may return than leaves it. */
export function takesChange(
  pool: Pool,
  change: Zatoshi,
  spends: readonly OwnNote[],
  { payable }: SpendingRules,
): boolean {
  return payable.includes(pool) || change < total(spends.filter((note) => note.pool === pool));
}
