// What the rules of a height say about a transaction's form: which pools take payments, how actions are filled up, and so
// what it costs (ZIP 317, which counts what is there after filling up).
import type { Height } from '../../values/height.ts';
import type { Zatoshi } from '../../values/zatoshi.ts';
import { isActive, type NetworkParameters, type Upgrade } from '../network.ts';
import { mayCrossAddresses } from '../pczt/crossAddress.ts';
import { isActionPool, type PerPool, POOL, POOLS, type Pool, perActionPool, perPool } from '../pools.ts';
import { createPczt } from './creator.ts';

/** ZIP 317 */
export const MARGINAL_FEE: Zatoshi = 5000;
const GRACE_ACTIONS = 2;
export const LEAST_FEE: Zatoshi = GRACE_ACTIONS * MARGINAL_FEE;
const TRANSPARENT_OUTPUT_SIZE = 34;

/** Fewer would tell how many are real. */
export const LEAST_ACTIONS = 2;
export const LEAST_SAPLING_OUTPUTS = 2;

/** How many are asked for, before anything is filled up. */
export interface ItemCounts {
  readonly spends: number;
  readonly outputs: number;
}

export interface TransactionForm extends PerPool<ItemCounts> {
  readonly transparentOutputBytes: number;
}

export interface SpendingRules {
  /** Notes of these can be spent. */
  readonly spendable: readonly Pool[];
  /** And payments be made to these, the newest last. */
  readonly payable: readonly Pool[];
  /** The lists of a pool after filling up. */
  filled(pool: Pool, counts: ItemCounts): ItemCounts;
  conventionalFee(form: TransactionForm): Zatoshi;
}

export function rulesAt(params: NetworkParameters, height: Height): SpendingRules {
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
    conventionalFee(form) {
      let actions = Math.ceil(form.transparentOutputBytes / TRANSPARENT_OUTPUT_SIZE);
      for (const pool of POOLS) {
        const { spends, outputs } = filled(pool, form[pool]);
        actions += Math.max(spends, outputs);
      }
      return MARGINAL_FEE * Math.max(GRACE_ACTIONS, actions);
    },
  };
}

export const noItems = (): Record<Pool, ItemCounts> => perPool(() => ({ spends: 0, outputs: 0 }));
