// The fee of a transaction (ZIP 317): an amount for each of its logical actions.
import { type PerPool, POOLS } from './pools.ts';

/** Zatoshi. Most wallets pay this, so another fee would identify the wallet. */
export const USUAL_FEE_PER_ACTION = 5_000;
/** Zatoshi. Nodes accept no less. */
export const LEAST_FEE_PER_ACTION = 1_000;
/** The least number of actions that is paid for. */
export const GRACE_ACTIONS = 2;
/** Bytes of a P2PKH input. */
export const INPUT_SIZE = 150;
/** Bytes of a P2PKH output. */
export const OUTPUT_SIZE = 34;

/** Items of a pool. */
export interface ItemCounts {
  readonly spends: number;
  readonly outputs: number;
}

/** The items of a transaction, with padding. */
export interface CountedItems extends PerPool<ItemCounts> {
  readonly transparentInputBytes?: number;
  readonly transparentOutputBytes: number;
}

/** The number of logical actions, for which a transaction pays (ZIP 317). */
export function logicalActions(items: CountedItems): number {
  const { transparentInputBytes = 0, transparentOutputBytes } = items;
  const transparent = Math.max(
    Math.ceil(transparentInputBytes / INPUT_SIZE),
    Math.ceil(transparentOutputBytes / OUTPUT_SIZE),
  );
  const actions = POOLS.reduce(
    (sum, pool) => sum + Math.max(items[pool].spends, items[pool].outputs),
    transparent,
  );
  return Math.max(GRACE_ACTIONS, actions);
}
