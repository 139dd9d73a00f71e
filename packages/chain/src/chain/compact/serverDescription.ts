// A compact server's description of itself: of the right network, with the upgrades that are known here, and what it announces.

import { type Height, MAX_HEIGHT } from '@wallet-companion/base/values';
import type { LightdInfo } from '@wallet-companion/zcash/compactProto';
import { MAIN, type NetworkParameters, TEST } from '@wallet-companion/zcash/network';
import type { SourceTip } from '../ports/chainSource.ts';
import {
  checkChainName,
  checkUpgrades,
  lastBlockOf,
  networkMismatch,
  unknownUpgrade,
} from '../source/serverChecks.ts';
import { serverAt } from './compactFailure.ts';

export type Announced = Pick<SourceTip, 'unknownUpgrade' | 'endOfSupport'>;

/** Throws `NETWORK_MISMATCH`, or `COMPACT_SERVER_BAD_RESPONSE` where the server missed an upgrade. */
export function readDescription(info: LightdInfo, host: string, parameters: NetworkParameters): Announced {
  checkNetwork(info, host, parameters);
  // Some name the rules of the tip, others those of the block after it: at the tip both are right.
  const rules = { branchId: info.consensusBranchId, height: Number(info.blockHeight) };
  checkUpgrades(serverAt(host), 'COMPACT_SERVER_BAD_RESPONSE', rules, parameters);
  const unknown = unknownIn(info);
  const endOfSupport = parameters.network === 'main' ? lastBlockOf(info.nodeSubversion) : undefined;
  return {
    ...(unknown === undefined ? {} : { unknownUpgrade: unknown }),
    ...(endOfSupport === undefined ? {} : { endOfSupport }),
  };
}

/** Regtests have heights of their own, so different heights distinguish them from the test network. */
function checkNetwork(info: LightdInfo, host: string, { network, activation }: NetworkParameters): void {
  const who = `The compact server at ${host}`;
  checkChainName(who, info.chainName, network);
  const sapling = Number(info.saplingActivationHeight);
  if (sapling === 0) return;
  const publicOnes = [MAIN, TEST].map((parameters) => parameters.activation.sapling);
  const fits = network === 'regtest' ? !publicOnes.includes(sapling) : sapling === activation.sapling;
  if (!fits) throw networkMismatch(who, network, `Sapling begins at height ${sapling} there`);
}

/** Servers name the rules of the next block and, where they know it, the upgrade after that. */
function unknownIn({
  blockHeight,
  consensusBranchId,
  upgradeName,
  upgradeHeight,
}: LightdInfo): Height | undefined {
  const next = { branchId: consensusBranchId, height: Number(blockHeight) + 1 };
  const later = { name: upgradeName, height: Number(upgradeHeight) };
  const isLater = upgradeName !== '' && upgradeHeight > blockHeight;
  return unknownUpgrade([next, ...(isLater ? [later] : [])].filter(({ height }) => height <= MAX_HEIGHT));
}
