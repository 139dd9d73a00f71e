// The Creator (ZIP 374): a PCZT without inputs and outputs, for the rules of one height.
import type { Height } from '@wallet-companion/base/values';
import {
  type DigestVersion,
  isActive,
  type NetworkParameters,
  UPGRADES,
} from '@wallet-companion/zcash/network';
import { VERSION_GROUP_ID } from '@wallet-companion/zcash/transactions';
import {
  EMPTY_ACTIONS,
  EMPTY_SAPLING,
  EMPTY_TRANSPARENT,
  ENCODING_OF_VERSION,
  type Pczt,
} from '../pczt/pczt.ts';
import { refuseSpending } from './refusal.ts';

/** The newest version at the height; undefined where PCZTs do not support it. */
function versionAt(height: Height, { activation }: NetworkParameters): DigestVersion | undefined {
  const row = UPGRADES.findLast(
    (one) => 'transactionVersion' in one && isActive(activation, one.key, height),
  );
  if (row === undefined || !('transactionVersion' in row) || row.transactionVersion === 4) return undefined;
  const { transactionVersion } = row;
  return ENCODING_OF_VERSION[transactionVersion] === undefined ? undefined : transactionVersion;
}

const upgradeAt = (height: Height, { activation }: NetworkParameters) =>
  UPGRADES.findLast(({ key }) => isActive(activation, key, height));

/** Whether a PCZT can hold a transaction that is mined at the height, with proofs of a circuit that is known: from NU6.2 on. */
export const canCreatePczt = (params: NetworkParameters, height: Height): boolean =>
  versionAt(height, params) !== undefined && upgradeAt(height, params)?.circuit !== undefined;

/**
 * Creator of ZIP 374: an empty PCZT for a transaction that is mined at `targetHeight` at the earliest and at
 * `expiryHeight` at the latest (0: whenever). No other role may add parts: inputs and outputs come with their signed
 * parts. SpendingRefusal at a height whose transactions no PCZT can hold, or whose circuit is unknown.
 */
export function createPczt(params: NetworkParameters, targetHeight: Height, expiryHeight: Height): Pczt {
  const txVersion = versionAt(targetHeight, params);
  const upgrade = upgradeAt(targetHeight, params);
  if (txVersion === undefined || upgrade === undefined)
    return refuseSpending({ kind: 'height', fault: 'noVersion' });
  if (upgrade.circuit === undefined) return refuseSpending({ kind: 'height', fault: 'noCircuit' });
  return {
    global: {
      txVersion,
      versionGroupId: VERSION_GROUP_ID[txVersion],
      consensusBranchId: upgrade.branchId,
      fallbackLockTime: 0,
      expiryHeight,
      coinType: params.coinType,
      txModifiable: 0,
      proprietary: new Map(),
    },
    transparent: EMPTY_TRANSPARENT,
    sapling: EMPTY_SAPLING,
    ...EMPTY_ACTIONS,
  };
}
