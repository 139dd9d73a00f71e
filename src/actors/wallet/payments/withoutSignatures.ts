// The form of a PCZT where sending needs the password: a caller with all signatures needs no companion to send it.

import type { ActionBundle, Pczt } from '@wallet-companion/shielded/pczt';
import { perActionPool } from '@wallet-companion/shielded/pools';

interface Signed {
  readonly value: bigint | undefined;
  readonly spendAuthSig: Uint8Array | undefined;
}

/** Removes the signatures of its spent notes; those of dummies stay, which no signer could make again. */
export const withoutSignatures = (pczt: Pczt): Pczt => ({
  ...pczt,
  sapling: { ...pczt.sapling, spends: pczt.sapling.spends.map(unsigned) },
  ...perActionPool((pool) => withUnsigned(pczt[pool])),
});

const withUnsigned = (bundle: ActionBundle): ActionBundle => ({
  ...bundle,
  actions: bundle.actions.map((action) => ({ ...action, spend: unsigned(action.spend) })),
});

const unsigned = <T extends Signed>(spend: T): T =>
  spend.value === 0n ? spend : { ...spend, spendAuthSig: undefined };
