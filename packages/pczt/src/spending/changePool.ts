// Chooses the pool of the change. If it stays in the pool of the notes, the payment's amount crosses pools; if it moves to
// the newest pool, the sum of the notes does. Both reveal an amount when pools are crossed, so the caller decides.
// By default change is kept, except in Sapling where the payment crosses pools anyway: the reference's signers know no internal
// Sapling addresses, so they could not spend it. Where nothing else crosses, moving it would reveal an amount.
import type { Zatoshi } from '@wallet-companion/base/values';
import { isActionPool, type PerPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { type OwnNote, total } from './funds.ts';
import type { PlannedPayment } from './plan.ts';
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
  payments: readonly Pick<PlannedPayment, 'place'>[],
  policy: ChangePolicy | undefined,
  { payable }: SpendingRules,
  hasKey: (pool: Pool) => boolean,
): Pool[] {
  const newest = payable.filter((pool) => isActionPool(pool)).at(-1) ?? payable.at(-1)!;
  const spentFrom = ORDER.filter((pool) => spends.some((note) => note.pool === pool));
  const used = new Set(
    [...spentFrom, ...payments.map(({ place }) => place)].filter((place) => place !== 'transparent'),
  );
  const isKept = (pool: Pool): boolean => {
    if (policy === undefined) return isActionPool(pool) || used.size === 1;
    return policy === 'kept' || pool === newest;
  };
  const kept = spentFrom.filter(isKept);
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
