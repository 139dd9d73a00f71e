// What a PCZT still lacks before it can be sent. Signatures that are kept were checked when they came (combining), so it is
// enough to look which are there.

import { decodePczt } from '../../../shielded/pczt/codec.ts';
import type { Place } from '../../../shielded/pczt/inspection.ts';
import type { SaplingBundle } from '../../../shielded/pczt/layout.ts';
import type { Pczt } from '../../../shielded/pczt/pczt.ts';
import { isActionPool, POOLS } from '../../../shielded/pools.ts';

export interface MissingPart {
  readonly pool: Place;
  readonly signatures: number;
  readonly proofs: boolean;
  /** The proof needs a key that the signer alone has. */
  readonly signerKeys: boolean;
}

/** By the bytes, which are never changed in place: reading them takes a millisecond, and lists ask for many. */
const known = new WeakMap<Uint8Array, readonly MissingPart[]>();

export function missingIn(bytes: Uint8Array): readonly MissingPart[] {
  const found = known.get(bytes) ?? missingOf(decodePczt(bytes).pczt);
  known.set(bytes, found);
  return found;
}

/** In the order of the pools. */
export function missingOf(pczt: Pczt): MissingPart[] {
  return POOLS.map((pool): MissingPart => {
    if (!isActionPool(pool)) return missingInSapling(pczt.sapling);
    const { actions, zkproof } = pczt[pool];
    const signatures = actions.filter(({ spend }) => spend.spendAuthSig === undefined).length;
    return { pool, signatures, proofs: actions.length > 0 && zkproof === undefined, signerKeys: false };
  }).filter(({ signatures, proofs }) => signatures > 0 || proofs);
}

function missingInSapling({ spends, outputs }: SaplingBundle): MissingPart {
  const unproved = spends.filter(({ zkproof }) => zkproof === undefined);
  return {
    pool: 'sapling',
    signatures: spends.filter(({ spendAuthSig }) => spendAuthSig === undefined).length,
    proofs: unproved.length > 0 || outputs.some(({ zkproof }) => zkproof === undefined),
    signerKeys: unproved.some(({ proofGenerationKey }) => proofGenerationKey === undefined),
  };
}
