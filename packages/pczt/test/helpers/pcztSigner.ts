// The other side of a payment: a signer who has the spending keys of an account, and a prover who has no circuits. Together
// they complete a PCZT as far as anybody can tell who does not check proofs.
import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32, JUBJUB_ORDER } from '@wallet-companion/zcash/curves';
import {
  deriveOrchardAccountKey,
  deriveOrchardKeys,
  deriveSaplingAccountKey,
  saplingFullViewingKeyOf,
  saplingIncomingViewingKey,
  saplingInternalParts,
  saplingKeyOfScope,
} from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { POOL, type Pool, perActionPool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { RandomBytes } from '@wallet-companion/zcash/signing';
import { cryptographyOf, shieldedSighash } from '@wallet-companion/zcash/signing';
import { orchardProofSize, SAPLING_PROOF_SIZE } from '@wallet-companion/zcash/transactions';
import type { SaplingSpend } from '../../src/pczt/layout.ts';
import { isAddressOf } from '../../src/pczt/outputNote.ts';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';
import { withInputSignatures } from './transparentSigner.ts';

/** What a hardware wallet never lets out. */
export interface SignerKeys {
  /** From which the keys of transparent inputs are derived. */
  readonly seed: Uint8Array;
  /** Spend authorizing keys, 32 bytes each. */
  readonly ask: Readonly<Record<ShieldedProtocol, Uint8Array>>;
  /** For proofs of Sapling spends, of notes at external addresses and of change. */
  readonly saplingProofKeys: readonly {
    readonly ivk: Uint8Array;
    readonly ak: Uint8Array;
    readonly nsk: Uint8Array;
  }[];
}

export function signerKeys(seed: Uint8Array, { coinType }: NetworkParameters, account = 0): SignerKeys {
  const sapling = deriveSaplingAccountKey(seed, coinType, account);
  const viewing = saplingFullViewingKeyOf(sapling);
  const nsks = {
    external: sapling.nsk,
    internal: (sapling.nsk + saplingInternalParts(viewing).nskOffset) % JUBJUB_ORDER,
  };
  return {
    seed,
    ask: {
      sapling: encodeInteger32(sapling.ask),
      orchard: encodeInteger32(deriveOrchardKeys(deriveOrchardAccountKey(seed, coinType, account)).ask),
    },
    saplingProofKeys: (['external', 'internal'] as const).map((scope) => ({
      ivk: saplingIncomingViewingKey(saplingKeyOfScope(viewing, scope)),
      ak: viewing.ak,
      nsk: encodeInteger32(nsks[scope]),
    })),
  };
}

/** Signs every spend that nobody has signed; throws where one is not the keys'. The number of signatures too. */
export function withSignatures(
  pczt: Pczt,
  { ask, seed }: SignerKeys,
  randomBytes: RandomBytes,
): { readonly pczt: Pczt; readonly count: number } {
  const sighash = shieldedSighash(effectsOfPczt(pczt));
  const transparent = withInputSignatures(pczt, seed);
  let { count } = transparent;
  const signed = <Spend extends Pick<SaplingSpend, 'rk' | 'alpha' | 'spendAuthSig'>>(
    pool: Pool,
    spend: Spend,
  ): Spend => {
    if (spend.spendAuthSig !== undefined) return spend;
    const { spendAuth } = cryptographyOf(pool);
    if (spend.alpha === undefined) throw new Error('a signer needs alpha');
    const rsk = spendAuth.randomizedSigningKey(ask[POOL[pool].protocol], spend.alpha);
    if (!equalBytes(spendAuth.validatingKey(rsk), spend.rk))
      throw new Error(`rk of another key: ${bytesToHex(spend.rk)}`);
    count++;
    return { ...spend, spendAuthSig: spendAuth.sign(rsk, sighash, randomBytes) };
  };
  const all: Pczt = {
    ...transparent.pczt,
    sapling: {
      ...pczt.sapling,
      spends: pczt.sapling.spends.map((spend) => signed('sapling', spend)),
    },
    ...perActionPool((pool) => ({
      ...pczt[pool],
      actions: pczt[pool].actions.map((action) => ({ ...action, spend: signed(pool, action.spend) })),
    })),
  };
  return { pczt: all, count };
}

/** What a signer adds so that somebody else can prove its Sapling spends. */
export const withProofGenerationKeys = (pczt: Pczt, { saplingProofKeys }: SignerKeys): Pczt => ({
  ...pczt,
  sapling: {
    ...pczt.sapling,
    spends: pczt.sapling.spends.map((spend) => {
      const key = saplingProofKeys.find(({ ivk }) => isAddressOf('sapling', spend.recipient!, ivk));
      if (key === undefined) throw new Error('a Sapling spend of another account');
      return { ...spend, proofGenerationKey: { ak: key.ak, nsk: key.nsk } };
    }),
  },
});

/** Of the right lengths and no more, where there is none yet. */
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
export function signedPczt(pczt: Pczt, { seed, params, account = 0, randomBytes }: Signing): Pczt {
  const keys = signerKeys(seed, params, account);
  const { pczt: signed } = withSignatures(withProofGenerationKeys(pczt, keys), keys, randomBytes);
  return withFillerProofs(signed, randomBytes);
}
