// The fee of a transaction (ZIP 317): an amount for each of its logical actions.
import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type { Network, NetworkParameters } from './network.ts';
import { type PerPool, POOLS } from './pools.ts';

type UsualFee = { readonly zatoshi: Zatoshi } & Readonly<Record<Network, Height>>;

/** The heights from which most wallets pay so much for an action, newest last: another fee would identify the wallet. */
const USUAL_FEES: readonly UsualFee[] = [{ zatoshi: 5_000, main: 0, test: 0, regtest: 0 }];

/** Zatoshi. A setting of so much lowers no fee, so it follows the table. */
export const MOST_FEE_PER_ACTION = Math.max(...USUAL_FEES.map(({ zatoshi }) => zatoshi));
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

/** Zatoshi for each action in the block at `height`: the usual fee, or less where the owner's `setting` says so. */
export function feePerAction(
  { network }: Pick<NetworkParameters, 'network'>,
  height: Height,
  setting: Zatoshi = MOST_FEE_PER_ACTION,
  fees = USUAL_FEES,
): Zatoshi {
  return Math.min(setting, fees.findLast((fee) => fee[network] <= height)!.zatoshi);
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
