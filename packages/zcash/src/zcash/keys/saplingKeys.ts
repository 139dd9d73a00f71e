// Sapling key components (protocol specification §4.2.2, ZIP 32): viewing keys of both scopes and raw addresses.
import { assertLength, concatBytes, FormatError } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '../curves/integers.ts';
import {
  addJubjub,
  encodeJubjub,
  isJubjubIdentity,
  type JubjubPoint,
  toJubjubScalar,
  tryDecodeJubjub,
} from '../curves/jubjub.ts';
import { isInJubjubSubgroup, multiplyJubjub } from '../curves/jubjubMultiply.ts';
import { blake2b, blake2s } from '../hashes/blake2.ts';
import { diversifyHashSapling, SAPLING_PROOF_BASE } from '../hashes/jubjubHash.ts';
import { prfExpand } from '../hashes/prfExpand.ts';
import type { Scope } from '../network.ts';
import { createDiversifierCipher, DIVERSIFIER_LENGTH } from './diversifierCipher.ts';
import { type IncomingViewingKey, parseIncomingViewingKey } from './incomingViewingKey.ts';

export const SAPLING_FULL_VIEWING_KEY_LENGTH = 128;
const SAPLING_ADDRESS_LENGTH = 43;

const IVK_END = 1n << 251n;

/** A full viewing key of one scope with its diversifier key ("diversifiable"); each 32 bytes. */
export interface SaplingFullViewingKey {
  /** Encodings of points of the prime-order subgroup. */
  readonly ak: Uint8Array;
  readonly nk: Uint8Array;
  readonly ovk: Uint8Array;
  readonly dk: Uint8Array;
}

/** ak, nk, ovk and dk. */
export function encodeSaplingFullViewingKey({ ak, nk, ovk, dk }: SaplingFullViewingKey): Uint8Array {
  return concatBytes(ak, nk, ovk, dk);
}

/** Checks that ak and nk are points of prime order (ak not the identity) and that there is an incoming key. */
export function parseSaplingFullViewingKey(bytes: Uint8Array): SaplingFullViewingKey {
  assertLength(bytes, SAPLING_FULL_VIEWING_KEY_LENGTH, 'Sapling full viewing key');
  const ak = tryDecodeJubjub(bytes);
  if (ak === undefined || isJubjubIdentity(ak) || !isInJubjubSubgroup(ak)) {
    throw new FormatError('Sapling viewing key: ak is not a valid key');
  }
  const nk = tryDecodeJubjub(bytes, 32);
  if (nk === undefined || !isInJubjubSubgroup(nk)) {
    throw new FormatError('Sapling viewing key: nk is not a valid key');
  }
  const key = splitSaplingFullViewingKey(bytes);
  saplingIncomingViewingKey(key);
  saplingIncomingViewingKey(internalSaplingFullViewingKey(key));
  return key;
}

/** The parts of 128 bytes that are already checked. */
export function splitSaplingFullViewingKey(bytes: Uint8Array): SaplingFullViewingKey {
  assertLength(bytes, SAPLING_FULL_VIEWING_KEY_LENGTH, 'Sapling full viewing key');
  return { ak: bytes.slice(0, 32), nk: bytes.slice(32, 64), ovk: bytes.slice(64, 96), dk: bytes.slice(96) };
}

/** CRH^ivk: 32 bytes, an integer in [1, 2^251), little-endian. */
export function saplingIncomingViewingKey({ ak, nk }: { ak: Uint8Array; nk: Uint8Array }): Uint8Array {
  const ivk = blake2s('Zcashivk', ak, nk);
  ivk[31]! &= 7;
  if (decodeInteger32(ivk) === 0n) throw new FormatError('Sapling viewing key has no incoming viewing key');
  return ivk;
}

/** The scalar I_nsk and the wide hash R of the internal scope; a spending key adds I_nsk to nsk. */
export function saplingInternalParts(key: SaplingFullViewingKey): {
  nskOffset: bigint;
  dk: Uint8Array;
  ovk: Uint8Array;
} {
  const seed = blake2b('Zcash_SaplingInt', 32, key.ak, key.nk, key.ovk, key.dk);
  const pair = prfExpand(seed, Uint8Array.of(0x18));
  return {
    nskOffset: toJubjubScalar(prfExpand(seed, Uint8Array.of(0x17))),
    dk: pair.slice(0, 32),
    ovk: pair.slice(32),
  };
}

/** The key of the internal (change) scope; unlike in Orchard its nk differs. */
export function internalSaplingFullViewingKey(key: SaplingFullViewingKey): SaplingFullViewingKey {
  const nk = tryDecodeJubjub(key.nk);
  if (nk === undefined) throw new FormatError('Sapling viewing key: nk is not a valid key');
  const { nskOffset, dk, ovk } = saplingInternalParts(key);
  return { ak: key.ak, nk: encodeJubjub(addJubjub(SAPLING_PROOF_BASE.multiply(nskOffset), nk)), ovk, dk };
}

/** The key itself, or for change the internal one (ZIP 32). */
export function saplingKeyOfScope(key: SaplingFullViewingKey, scope: Scope): SaplingFullViewingKey {
  return scope === 'external' ? key : internalSaplingFullViewingKey(key);
}

/** The diversifier key and an incoming viewing key in [1, 2^251). */
export const parseSaplingIncomingViewingKey = (bytes: Uint8Array): IncomingViewingKey =>
  parseIncomingViewingKey(bytes, 'Sapling', IVK_END);

/** The raw address (diversifier and pk_d, 43 bytes) at an index below 2^88; undefined for about half of them. */
export function saplingAddressAt({ dk, ivk }: IncomingViewingKey, index: bigint): Uint8Array | undefined {
  const diversifier = createDiversifierCipher(dk).diversifierAt(index);
  const base = diversifyHashSapling(diversifier);
  return base && concatBytes(diversifier, encodeJubjub(multiplyJubjub(base, decodeInteger32(ivk))));
}

/** Undefined when the diversifier has no base or pk_d is not of prime order. */
export function tryParseSaplingAddress(
  raw: Uint8Array,
): { diversifier: Uint8Array; transmissionKey: JubjubPoint } | undefined {
  if (raw.length !== SAPLING_ADDRESS_LENGTH) return undefined;
  const diversifier = raw.slice(0, DIVERSIFIER_LENGTH);
  if (diversifyHashSapling(diversifier) === undefined) return undefined;
  const transmissionKey = tryDecodeJubjub(raw, DIVERSIFIER_LENGTH);
  if (transmissionKey === undefined || isJubjubIdentity(transmissionKey)) return undefined;
  return isInJubjubSubgroup(transmissionKey) ? { diversifier, transmissionKey } : undefined;
}
