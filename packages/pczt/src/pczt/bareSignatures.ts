// Signatures that come back without their PCZT, from devices with commands of their own, put into their places.
import { type Pool, perActionPool } from '@wallet-companion/zcash/pools';
import type { Place } from './inspection.ts';
import type { Pczt } from './pczt.ts';
import { refuse } from './refusal.ts';

export interface BareSignature {
  readonly pool: Place;
  /** Among the actions, Sapling's spends or the transparent inputs. */
  readonly index: number;
  /** 64 bytes; for a transparent input DER, and the byte for what it covers. */
  readonly signature: Uint8Array;
}

/** What proves a Sapling spend without being able to make it; 32 bytes each. */
export interface BareProofKey {
  /** Among Sapling's spends. */
  readonly index: number;
  readonly ak: Uint8Array;
  readonly nsk: Uint8Array;
}

interface Signed {
  readonly spendAuthSig: Uint8Array | undefined;
}

/**
 * A copy with these signatures, of which nothing is checked; an input has the key that it names. Throws `PcztRefusal` for one
 * that has no place.
 */
export function withBareSignatures(pczt: Pczt, signatures: readonly BareSignature[]): Pczt {
  for (const { pool, index } of signatures)
    if (!hasPlace(pczt, pool, index))
      refuse('inconsistent', pool, 'there is a signature of nothing that is spent');
  const { transparent, sapling } = pczt;
  const signatureAt = (pool: Place, index: number) =>
    signatures.findLast((one) => one.pool === pool && one.index === index)?.signature;
  const signed = <S extends Signed>(spend: S, pool: Pool, index: number): S => {
    const spendAuthSig = signatureAt(pool, index);
    return spendAuthSig ? { ...spend, spendAuthSig } : spend;
  };
  return {
    ...pczt,
    transparent: {
      ...transparent,
      inputs: transparent.inputs.map((input, index) => {
        const signature = signatureAt('transparent', index);
        const [key] = input.bip32Derivation.keys();
        return signature && key ? { ...input, partialSignatures: new Map([[key, signature]]) } : input;
      }),
    },
    sapling: { ...sapling, spends: sapling.spends.map((spend, index) => signed(spend, 'sapling', index)) },
    ...perActionPool((pool) => ({
      ...pczt[pool],
      actions: pczt[pool].actions.map((action, index) => ({
        ...action,
        spend: signed(action.spend, pool, index),
      })),
    })),
  };
}

/** A copy with these keys, of which nothing is checked. */
export const withBareProofKeys = (pczt: Pczt, keys: readonly BareProofKey[]): Pczt => ({
  ...pczt,
  sapling: {
    ...pczt.sapling,
    spends: pczt.sapling.spends.map((spend, index) => {
      const key = keys.find((one) => one.index === index);
      return key ? { ...spend, proofGenerationKey: { ak: key.ak, nsk: key.nsk } } : spend;
    }),
  },
});

/** A copy without the keys of the spends that are proved: nothing needs them any more. */
export const withoutUsedProofKeys = (pczt: Pczt): Pczt => ({
  ...pczt,
  sapling: {
    ...pczt.sapling,
    spends: pczt.sapling.spends.map((spend) =>
      spend.zkproof === undefined ? spend : { ...spend, proofGenerationKey: undefined },
    ),
  },
});

function hasPlace({ transparent, sapling, ...pools }: Pczt, pool: Place, index: number): boolean {
  if (pool === 'transparent') return (transparent.inputs[index]?.bip32Derivation.size ?? 0) > 0;
  return (pool === 'sapling' ? sapling.spends : pools[pool].actions)[index] !== undefined;
}
