// Hashing to Jubjub: GroupHash^J and FindGroupHash^J (protocol specification §5.4.9.5), DiversifyHash^Sapling
// (§5.4.1.6), and the fixed bases of Sapling derived with them.
import { asciiBytes, concatBytes } from '@wallet-companion/base/bytes';
import {
  clearJubjubCofactor,
  isJubjubIdentity,
  type JubjubPoint,
  tryDecodeJubjub,
} from '../curves/jubjub.ts';
import { createJubjubFixedBase, type JubjubFixedBase } from '../curves/jubjubMultiply.ts';
import { blake2s } from './blake2.ts';

/**
 * The uniform random string of the Sapling parameters. Its 64 ASCII characters are hashed, not the 32 bytes they spell.
 */
const URS = asciiBytes('096b36a5804bfacef1691e173c366a47ff5ba84a44f26ddd7e8d9f79d5b42df0');

/** `GroupHash^J`: a point of prime order, or undefined (⊥) for about half of all messages. */
export function tryHashToJubjub(personal: string, message: Uint8Array): JubjubPoint | undefined {
  const point = tryDecodeJubjub(blake2s(personal, URS, message));
  if (point === undefined) return undefined;
  const product = clearJubjubCofactor(point);
  return isJubjubIdentity(product) ? undefined : product;
}

/** `FindGroupHash^J`: the first message || i that hashes to a point. */
export function findJubjubHash(personal: string, message: Uint8Array): JubjubPoint {
  for (let i = 0; i < 256; i++) {
    const point = tryHashToJubjub(personal, concatBytes(message, Uint8Array.of(i)));
    if (point !== undefined) return point;
  }
  throw new Error('a generator of the protocol exists');
}

/** `DiversifyHash^Sapling` of 11 bytes; undefined for an invalid diversifier. */
export function diversifyHashSapling(diversifier: Uint8Array): JubjubPoint | undefined {
  return tryHashToJubjub('Zcash_gd', diversifier);
}

const fixedBase = (personal: string, message: string): JubjubFixedBase =>
  createJubjubFixedBase(() => findJubjubHash(personal, asciiBytes(message)));

/** 𝒢^Sapling: ak = [ask]·𝒢. */
export const SAPLING_SPEND_AUTH_BASE = fixedBase('Zcash_G_', '');
/** ℋ^Sapling: nk = [nsk]·ℋ. */
export const SAPLING_PROOF_BASE = fixedBase('Zcash_H_', '');
/** 𝒥^Sapling: binds a note's position into its nullifier. */
export const SAPLING_NULLIFIER_BASE = fixedBase('Zcash_J_', '');
/** Randomness of note commitments (WindowedPedersenCommit). */
export const SAPLING_NOTE_RANDOMNESS_BASE = fixedBase('Zcash_PH', 'r');
/** 𝒱 and ℛ of value commitments; ℛ is also the base of binding signatures. */
export const SAPLING_VALUE_BASE = fixedBase('Zcash_cv', 'v');
export const SAPLING_VALUE_RANDOMNESS_BASE = fixedBase('Zcash_cv', 'r');
