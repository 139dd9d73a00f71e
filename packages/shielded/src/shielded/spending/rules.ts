// What the rules of a height say about a transaction's form: which pools take payments, how actions are filled up, and so
// what it costs (ZIP 317, which counts what is there after filling up).
import type { Height } from '../../values/height.ts';
import type { Zatoshi } from '../../values/zatoshi.ts';
import { itemCount, type ShieldedExcess, shieldedExcess } from '../blockLimits.ts';
import { isActive, type NetworkParameters, type Upgrade } from '../network.ts';
import { mayCrossAddresses } from '../pczt/crossAddress.ts';
import { isActionPool, POOL, POOLS, type Pool, perActionPool, perPool } from '../pools.ts';
import { type CountedItems, type ItemCounts, logicalActions, USUAL_FEE_PER_ACTION } from '../zip317.ts';
import { createPczt } from './creator.ts';

/** Fewer would tell how many are real. */
export const LEAST_ACTIONS = 2;
export const LEAST_SAPLING_OUTPUTS = 2;

/** How many are asked for, before anything is filled up. */
export type TransactionForm = Omit<CountedItems, 'transparentInputBytes'>;

export interface SpendingRules {
  /** Notes of these can be spent. */
  readonly spendable: readonly Pool[];
  /** And payments be made to these, the newest last. */
  readonly payable: readonly Pool[];
  /** The lists of a pool after filling up. */
  filled(pool: Pool, counts: ItemCounts): ItemCounts;
  readonly feePerAction: Zatoshi;
  conventionalFee(form: TransactionForm): Zatoshi;
  /** The limit of a block that the transaction would exceed. Nodes hold it from NU7 on; here no payment is larger. */
  excess(form: TransactionForm): ShieldedExcess | undefined;
}

export function rulesAt(
  params: NetworkParameters,
  height: Height,
  feePerAction: Zatoshi = USUAL_FEE_PER_ACTION,
): SpendingRules {
  const created = createPczt(params, height, 0);
  const crosses = perActionPool((pool) => mayCrossAddresses(created, pool));
  const hasCome = (upgrade: Upgrade | undefined): boolean =>
    upgrade !== undefined && isActive(params.activation, upgrade, height);
  const spendable = POOLS.filter((pool) => hasCome(POOL[pool].activation));
  const filled = (pool: Pool, { spends, outputs }: ItemCounts): ItemCounts => {
    if (spends + outputs === 0) return { spends, outputs };
    if (!isActionPool(pool)) return { spends, outputs: Math.max(LEAST_SAPLING_OUTPUTS, outputs) };
    // Where an action pays back to the address of its own note, a note and its change are two actions.
    const needed = crosses[pool] ? Math.max(spends, outputs) : spends + outputs;
    const actions = Math.max(LEAST_ACTIONS, needed);
    return { spends: actions, outputs: actions };
  };
  return {
    spendable,
    payable: spendable.filter((pool) => !hasCome(POOL[pool].withdrawOnlyFrom)),
    filled,
    feePerAction,
    conventionalFee: (form) =>
      feePerAction * logicalActions({ ...form, ...perPool((pool) => filled(pool, form[pool])) }),
    excess: (form) => shieldedExcess(perPool((pool) => itemCount(pool, filled(pool, form[pool])))),
  };
}

export const noItems = (): Record<Pool, ItemCounts> => perPool(() => ({ spends: 0, outputs: 0 }));
