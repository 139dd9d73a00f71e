// The rules of a height for a transaction's form: which pools accept payments, how actions are padded, and so its fee
// (ZIP 317, which counts actions with padding).
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import { itemCount, type ShieldedExcess, shieldedExcess } from '@wallet-companion/zcash/blocks';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import {
  isActionPool,
  isWithdrawOnly,
  type Pool,
  perActionPool,
  perPool,
  poolsAt,
} from '@wallet-companion/zcash/pools';
import {
  type CountedItems,
  feePerAction,
  type ItemCounts,
  logicalActions,
} from '@wallet-companion/zcash/zip317';
import { mayCrossAddresses } from '../pczt/crossAddress.ts';
import { createPczt } from './creator.ts';

/** Fewer would reveal the number of real ones. */
export const LEAST_ACTIONS = 2;
export const LEAST_SAPLING_OUTPUTS = 2;

/** Counts of the requested items, before padding. */
export type TransactionForm = CountedItems;

export interface SpendingRules {
  /** Pools whose notes can be spent. */
  readonly spendable: readonly Pool[];
  /** Pools that accept payments, newest last. */
  readonly payable: readonly Pool[];
  /** The items of a pool after padding. */
  filled(pool: Pool, counts: ItemCounts): ItemCounts;
  readonly feePerAction: Zatoshi;
  conventionalFee(form: TransactionForm): Zatoshi;
  /** The block limit that the transaction would exceed. Nodes enforce it from NU7 on; no payment here is ever larger. */
  excess(form: TransactionForm): ShieldedExcess | undefined;
}

/**
 * The rules for a transaction that is mined at `height`: versions, pools that can be spent and paid, and the fee of ZIP
 * 317 in zatoshi. `feeSetting`: the owner's most for an action; the usual fee by default, and never above it.
 */
export function rulesAt(params: NetworkParameters, height: Height, feeSetting?: Zatoshi): SpendingRules {
  const created = createPczt(params, height, 0);
  const fee = feePerAction(params, height, feeSetting);
  const crosses = perActionPool((pool) => mayCrossAddresses(created, pool));
  const { activation } = params;
  const spendable = poolsAt(activation, height);
  const filled = (pool: Pool, { spends, outputs }: ItemCounts): ItemCounts => {
    if (spends + outputs === 0) return { spends, outputs };
    if (!isActionPool(pool)) return { spends, outputs: Math.max(LEAST_SAPLING_OUTPUTS, outputs) };
    // Where an action pays back to its own note's address, a note and its change are two actions.
    const needed = crosses[pool] ? Math.max(spends, outputs) : spends + outputs;
    const actions = Math.max(LEAST_ACTIONS, needed);
    return { spends: actions, outputs: actions };
  };
  return {
    spendable,
    payable: spendable.filter((pool) => !isWithdrawOnly(pool, activation, height)),
    filled,
    feePerAction: fee,
    conventionalFee: (form) =>
      fee * logicalActions({ ...form, ...perPool((pool) => filled(pool, form[pool])) }),
    excess: (form) => shieldedExcess(perPool((pool) => itemCount(pool, filled(pool, form[pool])))),
  };
}

export const noItems = (): Record<Pool, ItemCounts> => perPool(() => ({ spends: 0, outputs: 0 }));
