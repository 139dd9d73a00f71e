// The meaning of a PCZT's branch id: the upgrade under which the transaction is mined, and the versions that it allows.

import type { Height } from '@wallet-companion/base/values';
import { isActive, type NetworkParameters, UPGRADES } from '@wallet-companion/zcash/network';

const positionOf = (branchId: number): number => UPGRADES.findIndex((row) => row.branchId === branchId);

/** The upgrade's name; undefined for an unknown branch id. */
export const upgradeOfBranch = (branchId: number): string | undefined =>
  UPGRADES.find((row) => row.branchId === branchId)?.name;

/** Whether transactions of the version may be made for the branch: it or an earlier upgrade introduced the version. */
export function allowsVersion(branchId: number, version: number): boolean {
  const brought = UPGRADES.findIndex(
    (row) => 'transactionVersion' in row && row.transactionVersion === version,
  );
  return brought >= 0 && positionOf(branchId) >= brought;
}

/** The branch id of a transaction that is mined at the height. */
export function branchAt(height: Height, { activation }: NetworkParameters): number | undefined {
  return UPGRADES.findLast((row) => isActive(activation, row.key, height))?.branchId;
}

/** The last block under the rules of the branch; infinite while no later upgrade has a height. */
export const lastHeightUnder = (branchId: number, { activation }: NetworkParameters): Height =>
  Math.min(
    ...UPGRADES.slice(positionOf(branchId) + 1).map(
      ({ key }) => (activation[key] ?? Number.POSITIVE_INFINITY) - 1,
    ),
  );
