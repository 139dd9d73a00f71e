// Where a new wallet starts to look. A birthday too low costs hours of scanning, one too high hides money: a new wallet
// starts a little below the tip, or without a node at a height that is known to be past.

import { type ActivationHeights, type NetworkParameters, UPGRADES } from '../../../shielded/network.ts';
import type { Height } from '../../../values/height.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';

/** Deeper than everyday reorgs, so that the wallet's first block stays. */
const BELOW_TIP = 100;
/** Creating a wallet must not hang on a node that does not answer. */
const NODE_PATIENCE_MS = 5_000;

export interface Birthday {
  readonly birthdayHeight: Height;
  readonly warning?: string;
}

/** Of keys that are not new: nobody but the owner knows it. */
export function knownBirthday({ activation }: NetworkParameters, requested: number | undefined): Birthday {
  if (requested !== undefined) return { birthdayHeight: Math.max(activation.sapling, requested) };
  return {
    birthdayHeight: activation.sapling,
    warning: 'No birthday_height was given, so the whole chain since Sapling will be scanned.',
  };
}

const latestPassed = (activation: ActivationHeights): number =>
  Math.max(...UPGRADES.filter(({ passed }) => passed).map(({ key }) => activation[key] ?? 0));

/** Of a new wallet. `requested` wins; it is lifted to Sapling activation, below which nothing shielded can be found. */
export async function defaultBirthday(
  { chain, clock, logFault }: WalletEnvironment,
  { activation, network }: NetworkParameters,
  requested: number | undefined,
): Promise<Birthday> {
  if (requested !== undefined) return { birthdayHeight: Math.max(activation.sapling, requested) };
  let cancel: () => void = () => undefined;
  const patience = new Promise<undefined>((resolve) => {
    cancel = clock.after(NODE_PATIENCE_MS, () => resolve(undefined));
  });
  const answer = chain.tip({ source: 'node' }).catch((error: unknown) => {
    logFault('wallet.birthday', error);
    return undefined;
  });
  const tip = await Promise.race([answer, patience]);
  cancel();
  if (tip !== undefined) return { birthdayHeight: Math.max(activation.sapling, tip.height - BELOW_TIP) };
  // The newest upgrade that is certainly behind us; on regtest the chain's start.
  const checkpoint = network === 'regtest' ? activation.sapling : latestPassed(activation);
  return {
    birthdayHeight: Math.max(activation.sapling, checkpoint),
    warning:
      'The chain node gave no usable answer, so the birthday is an older checkpoint and the first sync takes longer.',
  };
}
