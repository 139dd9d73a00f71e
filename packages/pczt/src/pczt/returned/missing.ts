// The signatures, proofs and keys that a PCZT still lacks, and which signer has them.
import { BIP44_PURPOSE, harden, ZIP32_PURPOSE } from '@wallet-companion/zcash/keys';
import { ACTION_POOLS, isActionPool, POOLS, type Pool } from '@wallet-companion/zcash/pools';
import { isSignedInput } from '../inputSignatures.ts';
import type { Place } from '../inspection.ts';
import type { Derivation } from '../layout.ts';
import type { Pczt } from '../pczt.ts';

export interface MissingSignature {
  readonly place: Place;
  /** Index among the actions, Sapling spends or transparent inputs. */
  readonly index: number;
  /** The key's path, for the signer; undefined where it is unknown. */
  readonly derivation: Derivation | undefined;
  /** ZIP 32 index, where the path is that of an account. */
  readonly account: number | undefined;
}

export interface MissingProofs {
  readonly pool: Pool;
  /** A pool of actions has one proof, Sapling one for each spend and output. */
  readonly count: number;
}

export interface Missing {
  /** Spends without a signature; dummies are signed when they are made. */
  readonly signatures: readonly MissingSignature[];
  readonly proofs: readonly MissingProofs[];
  /** Sapling spends that cannot be proved until the signer adds the proof key, which no viewing key contains. */
  readonly proofKeys: readonly { readonly pool: Pool; readonly index: number }[];
}

/** Signatures are counted, not checked: they are checked when they are taken over and again before sending. */
export function missingOf(pczt: Pczt): Missing {
  const { transparent, sapling } = pczt;
  const signatures: MissingSignature[] = transparent.inputs.flatMap((input, index) => {
    if (isSignedInput(input)) return [];
    const [derivation] = input.bip32Derivation.values();
    return [{ place: 'transparent', index, derivation, account: accountOf(derivation) }];
  });
  const signer = (place: Pool, index: number, { spendAuthSig, zip32Derivation }: Spend): void => {
    if (spendAuthSig === undefined)
      signatures.push({ place, index, derivation: zip32Derivation, account: accountOf(zip32Derivation) });
  };
  sapling.spends.forEach((spend, i) => {
    signer('sapling', i, spend);
  });
  for (const pool of ACTION_POOLS)
    pczt[pool].actions.forEach(({ spend }, i) => {
      signer(pool, i, spend);
    });
  return {
    signatures,
    proofs: POOLS.map((pool) => ({ pool, count: missingProofs(pczt, pool) })).filter(
      ({ count }) => count > 0,
    ),
    proofKeys: sapling.spends.flatMap(({ zkproof, proofGenerationKey }, index) =>
      zkproof === undefined && proofGenerationKey === undefined ? [{ pool: 'sapling', index }] : [],
    ),
  };
}

/** Whether no signature and no proof is missing. */
export const isComplete = ({ signatures, proofs }: Missing): boolean =>
  signatures.length + proofs.length === 0;

interface Spend {
  readonly spendAuthSig: Uint8Array | undefined;
  readonly zip32Derivation: Derivation | undefined;
}

function missingProofs(pczt: Pczt, pool: Pool): number {
  if (isActionPool(pool)) {
    const { actions, zkproof } = pczt[pool];
    return actions.length > 0 && zkproof === undefined ? 1 : 0;
  }
  const { spends, outputs } = pczt.sapling;
  return [...spends, ...outputs].filter(({ zkproof }) => zkproof === undefined).length;
}

/** m / 32' / coin' / account', or m / 44' / coin' / account' / scope / index */
function accountOf(derivation: Derivation | undefined): number | undefined {
  const [purpose, coin, account, ...rest] = derivation?.derivationPath ?? [];
  const steps = purpose === harden(ZIP32_PURPOSE) ? 0 : purpose === harden(BIP44_PURPOSE) ? 2 : undefined;
  const isAccount = rest.length === steps && coin !== undefined && account !== undefined;
  return isAccount && account >= FIRST_HARDENED ? account - FIRST_HARDENED : undefined;
}

const FIRST_HARDENED = harden(0);
