// Network upgrades that the server announces and this program does not know. A signature for other rules than those of its
// block is invalid, so nothing is prepared for them.

import type { Height } from '@wallet-companion/base/values';
import { UPGRADES } from '@wallet-companion/zcash/network';

/** Consensus branch ids from before Sapling: none, and Overwinter's. */
const EARLIEST: readonly number[] = [0, 0x5ba81b19];

export interface AnnouncedUpgrade {
  /** Hexadecimal digits; a name where there is no id. */
  readonly branchId?: string;
  readonly name?: string;
  /** The first block under it, or the next block where it is in force. */
  readonly height: Height;
}

/** The height from which on the rules are unknown; undefined where there is none. */
export function unknownUpgrade(announced: readonly AnnouncedUpgrade[]): Height | undefined {
  const heights = announced.filter((one) => !isKnown(one)).map(({ height }) => height);
  return heights.length === 0 ? undefined : Math.min(...heights);
}

function isKnown({ branchId, name }: AnnouncedUpgrade): boolean {
  if (branchId === undefined)
    return name === undefined || UPGRADES.some((row) => plain(row.name) === plain(name));
  const id = Number.parseInt(branchId, 16);
  return Number.isNaN(id) || EARLIEST.includes(id) || UPGRADES.some((row) => row.branchId === id);
}

/** Servers spell names differently: NU6.3, Nu6_3. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
