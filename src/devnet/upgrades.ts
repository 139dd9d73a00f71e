// Network upgrades as the node's JSON-RPC and the transactions of a devnet name them (ZIP 200, protocol/networks).
import type { ActivationHeights } from '../shielded/network.ts';

export interface Upgrade {
  readonly name: string;
  /** Consensus branch id. */
  readonly branchId: number;
  readonly height: number;
}

const UPGRADES: readonly { name: string; branchId: number; key: keyof ActivationHeights }[] = [
  { name: 'Sapling', branchId: 0x76b809bb, key: 'sapling' },
  { name: 'Blossom', branchId: 0x2bb40e60, key: 'blossom' },
  { name: 'Heartwood', branchId: 0xf5b9230b, key: 'heartwood' },
  { name: 'Canopy', branchId: 0xe9ff75a6, key: 'canopy' },
  { name: 'NU5', branchId: 0xc2d6d0b4, key: 'nu5' },
  { name: 'NU6', branchId: 0xc8e71055, key: 'nu6' },
  { name: 'NU6.1', branchId: 0x4dec4df0, key: 'nu6_1' },
  { name: 'NU6.2', branchId: 0x5437f330, key: 'nu6_2' },
  { name: 'NU6.3', branchId: 0x37a5165b, key: 'nu6_3' },
  { name: 'NU7', branchId: 0x77190ad9, key: 'nu7' },
];

/** The upgrades that this chain has or will have, in order. */
export function upgradesOf(activation: ActivationHeights): Upgrade[] {
  return UPGRADES.flatMap(({ name, branchId, key }) => {
    const height = activation[key];
    return height === undefined ? [] : [{ name, branchId, height }];
  });
}

/** Branch id in force at `height`: with several upgrades at one height the last one's, before Sapling 0. */
export function branchIdAt(activation: ActivationHeights, height: number): number {
  return upgradesOf(activation).findLast((upgrade) => upgrade.height <= height)?.branchId ?? 0;
}

/** Eight hexadecimal digits, as the node writes branch ids. */
export const branchIdHex = (branchId: number): string => branchId.toString(16).padStart(8, '0');

export const isActive = (
  activation: ActivationHeights,
  upgrade: keyof ActivationHeights,
  height: number,
): boolean => (activation[upgrade] ?? Number.POSITIVE_INFINITY) <= height;
