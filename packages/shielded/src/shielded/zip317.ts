// What a transaction is to pay (ZIP 317): so much for each of its logical actions.
import { type PerPool, POOLS } from './pools.ts';

/** Zatoshi. Most wallets pay that, so another fee tells a wallet apart. */
export const USUAL_FEE_PER_ACTION = 5_000;
/** Zatoshi. Nodes take nothing below. */
export const LEAST_FEE_PER_ACTION = 1_000;
/** So many are paid for where there are fewer. */
export const GRACE_ACTIONS = 2;
/** Bytes of a P2PKH input. */
export const INPUT_SIZE = 150;
/** And of its output. */
const OUTPUT_SIZE = 34;

/** Of a pool. */
export interface ItemCounts {
  readonly spends: number;
  readonly outputs: number;
}

/** What a transaction has, after filling up. */
export interface CountedItems extends PerPool<ItemCounts> {
  readonly transparentInputBytes?: number;
  readonly transparentOutputBytes: number;
}

/** As the fee counts them. */
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
