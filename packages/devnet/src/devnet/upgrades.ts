// Network upgrades as the node's JSON-RPC and the transactions of a devnet name them (ZIP 200).

import type { Height } from '@wallet-companion/base/values';
import { type ActivationHeights, newestRule, UPGRADES } from '@wallet-companion/zcash/network';

export interface ChainUpgrade {
  readonly name: string;
  /** Consensus branch id. */
  readonly branchId: number;
  readonly height: Height;
}

/** The upgrades that this chain has or will have, in order. */
export function upgradesOf(activation: ActivationHeights): ChainUpgrade[] {
  return UPGRADES.flatMap(({ name, branchId, key }) => {
    const height = activation[key];
    return height === undefined ? [] : [{ name, branchId, height }];
  });
}

/** Eight hexadecimal digits, as the node writes branch ids. */
export const branchIdHex = (branchId: number): string => branchId.toString(16).padStart(8, '0');

/** The versions that a transaction in a block at `height` may have. */
export const versionsAt = (activation: ActivationHeights, height: Height) => ({
  oldest: newestRule('oldestVersion', activation, height) ?? 4,
  newest: newestRule('transactionVersion', activation, height) ?? 4,
});
