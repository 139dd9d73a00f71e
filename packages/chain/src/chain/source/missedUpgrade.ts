// A server that did not follow the chain over a network upgrade: all that it says above is of another chain, or stands
// still. Without this check the first thing that does not fit would be reported instead.

import type { Height } from '@wallet-companion/base/values';
import { CompanionError } from '@wallet-companion/client/contract';
import { isActive, type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';

export interface ServerRules {
  /** Hexadecimal digits. */
  readonly branchId: string;
  /** The block to whose rules they belong. */
  readonly height: Height;
}

/** `who`: the server, for the message. Throws `code`. A branch id that is not known misses nothing. */
export function checkUpgrades(
  who: string,
  code: 'NODE_BAD_RESPONSE' | 'COMPACT_SERVER_BAD_RESPONSE',
  { branchId, height }: ServerRules,
  { activation, network }: NetworkParameters,
): void {
  const ours = UPGRADES.findLast(({ key }) => isActive(activation, key, height));
  const theirs = UPGRADES.findIndex((row) => row.branchId === Number.parseInt(branchId, 16));
  if (ours === undefined || theirs < 0 || theirs >= UPGRADES.indexOf(ours)) return;
  const cure =
    network === 'regtest'
      ? 'Update it, or set its heights in activation_heights.'
      : 'Update it, or use another one.';
  throw new CompanionError(
    code,
    `${who} missed the network upgrade ${ours.name}: at block ${height} its branch id is ${idText(UPGRADES[theirs]!.branchId)}, and ours is ${idText(ours.branchId)}, from block ${activation[ours.key]} on. ${cure}`,
  );
}

const idText = (branchId: number): string => branchId.toString(16).padStart(8, '0');
