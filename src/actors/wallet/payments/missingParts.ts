// What a PCZT still lacks before it can be sent. Kept signatures were checked when they came (combining), so it is enough
// to see which are there.

import { decodePczt, missingOf, type Pczt, type Place } from '@wallet-companion/shielded/pczt';
import { POOLS } from '@wallet-companion/shielded/pools';

export interface MissingPart {
  readonly pool: Place;
  readonly signatures: number;
  readonly proofs: boolean;
  /** The proof needs a key that only the signer has. */
  readonly signerKeys: boolean;
}

/** Keyed by the bytes, which are never changed in place: reading them takes a millisecond, and lists read many. */
const known = new WeakMap<Uint8Array, readonly MissingPart[]>();

export function missingIn(bytes: Uint8Array): readonly MissingPart[] {
  const found = known.get(bytes) ?? missingParts(decodePczt(bytes).pczt);
  known.set(bytes, found);
  return found;
}

/** In the order of the pools. */
function missingParts(pczt: Pczt): MissingPart[] {
  const { signatures, proofs, proofKeys } = missingOf(pczt);
  return POOLS.map((pool) => ({
    pool,
    signatures: signatures.filter(({ place }) => place === pool).length,
    proofs: proofs.some((one) => one.pool === pool),
    signerKeys: proofKeys.some((one) => one.pool === pool),
  })).filter((part) => part.signatures > 0 || part.proofs);
}
