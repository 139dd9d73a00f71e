// Completes a PCZT for readers that check no proofs: with the account's signatures, and filler for proofs.
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { perActionPool } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { orchardProofSize, SAPLING_PROOF_SIZE } from '@wallet-companion/zcash/transactions';
import { withBareProofKeys, withBareSignatures } from '../../src/pczt/bareSignatures.ts';
import type { SaplingSpend } from '../../src/pczt/layout.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { deriveSigningKeys, type SigningKeys } from '../../src/signer/signingKeys.ts';
import { proofKeysFor, signPczt } from '../../src/signer/signPczt.ts';

/** Signs every unsigned spend, and counts the signatures; throws where a spend is not the keys'. */
export function withSignatures(
  pczt: Pczt,
  keys: SigningKeys,
  randomBytes: RandomBytes,
): { readonly pczt: Pczt; readonly count: number } {
  const signatures = signPczt(pczt, keys, randomBytes);
  return { pczt: withBareSignatures(pczt, signatures), count: signatures.length };
}

export const withProofKeys = (pczt: Pczt, keys: SigningKeys): Pczt =>
  withBareProofKeys(pczt, proofKeysFor(pczt, keys));

/** Bytes of the right lengths, where a proof is missing. */
export const withFillerProofs = (pczt: Pczt, randomBytes: RandomBytes): Pczt => {
  const ofSapling = <Item extends Pick<SaplingSpend, 'zkproof'>>(item: Item): Item => ({
    ...item,
    zkproof: item.zkproof ?? randomBytes(SAPLING_PROOF_SIZE),
  });
  return {
    ...pczt,
    sapling: {
      ...pczt.sapling,
      spends: pczt.sapling.spends.map(ofSapling),
      outputs: pczt.sapling.outputs.map(ofSapling),
    },
    ...perActionPool((pool) => {
      const { actions, zkproof } = pczt[pool];
      if (actions.length === 0) return pczt[pool];
      return { ...pczt[pool], zkproof: zkproof ?? randomBytes(orchardProofSize(actions.length)) };
    }),
  };
};

export interface Signing {
  readonly seed: Uint8Array;
  readonly params: NetworkParameters;
  /** Default 0. */
  readonly account?: number;
  readonly randomBytes: RandomBytes;
}

/** Signed by the account, with filler for proofs: what `extractPczt` takes. */
export function completedPczt(pczt: Pczt, { seed, params, account = 0, randomBytes }: Signing): Pczt {
  const keys = deriveSigningKeys(seed, params, account);
  const { pczt: signed } = withSignatures(withProofKeys(pczt, keys), keys, randomBytes);
  return withFillerProofs(signed, randomBytes);
}
