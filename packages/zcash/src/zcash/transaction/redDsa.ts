// RedDSA: RedPallas and RedJubjub of the protocol specification §5.4.7, for spend authorization and binding signatures.
//
// The arithmetic is variable-time, so what it computes with a key is changed at random each time: its multiple of the base is
// the sum of two, and its product with the challenge is taken with a multiple of the order added. A bigint cannot be wiped;
// bytes that could reveal a key are.

import { concatBytes, equalBytes, FormatError, leBytesToBigint, wipe } from '@wallet-companion/base/bytes';
import type { FixedBase } from '../curves/fixedBase.ts';
import { decodeInteger32, encodeInteger32 } from '../curves/integers.ts';
import type { RepresentedGroup } from '../curves/representedGroup.ts';
import { blake2b } from '../hashes/blake2.ts';

export type RandomBytes = (length: number) => Uint8Array;

export const REDDSA_SIGNATURE_SIZE = 64;
const SCALAR_SIZE = 32;
/** (512 + 128) / 8 */
const HEDGE_SIZE = 80;
/** Bytes of the random factor of the order that is added to a key. */
const BLINDING_SIZE = 16;
const WIDE_SIZE = 64;

/** Keys, messages and signatures as bytes: scalars little-endian and canonical, points in their only encoding. */
export interface RedDsa {
  /** `Validate`. Malformed bytes are not a valid signature. */
  verify(validatingKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
  /**
   * `Sign`. The nonce depends on `randomBytes`, the validating key and the message: an attacker who knows the nonce knows
   * the key. FormatError when the bytes are not a key.
   */
  sign(signingKey: Uint8Array, message: Uint8Array, randomBytes: RandomBytes): Uint8Array;
  /** `DerivePublic` */
  validatingKey(signingKey: Uint8Array): Uint8Array;
  /** Whether the two keys belong together; false for malformed bytes. */
  isSigningKeyOf(validatingKey: Uint8Array, signingKey: Uint8Array): boolean;
  /** `RandomizePrivate` */
  randomizedSigningKey(signingKey: Uint8Array, randomizer: Uint8Array): Uint8Array;
  /** `RandomizePublic` */
  randomizedValidatingKey(validatingKey: Uint8Array, randomizer: Uint8Array): Uint8Array;
}

export function createRedDsa<Sum>(
  group: RepresentedGroup<Sum>,
  base: FixedBase<unknown, Sum, unknown>,
  personalization: string,
): RedDsa {
  /** H* */
  const hashToScalar = (...inputs: readonly Uint8Array[]): bigint => {
    const wide = blake2b(personalization, 64, ...inputs);
    try {
      return group.toScalar(wide);
    } finally {
      wipe(wide);
    }
  };
  const multipleOfBase = (scalar: bigint): Uint8Array => {
    const sum = group.identity();
    base.addTo(sum, scalar);
    return group.encode(sum);
  };
  const blindedMultipleOfBase = (scalar: bigint, randomBytes: RandomBytes): Uint8Array => {
    const wide = randomBytes(WIDE_SIZE);
    const part = group.toScalar(wide);
    wipe(wide);
    const sum = group.identity();
    base.addTo(sum, part);
    base.addTo(sum, scalar + group.order - part);
    return group.encode(sum);
  };
  return {
    verify(validatingKey, message, signature) {
      if (signature.length !== REDDSA_SIGNATURE_SIZE) return false;
      const encodedR = signature.subarray(0, 32);
      const key = group.tryDecode(validatingKey);
      const r = group.tryDecode(encodedR);
      const s = decodeInteger32(signature, 32);
      if (key === undefined || r === undefined || s >= group.order) return false;
      // [cofactor](R + [c]·key - [S]·base) must be the identity.
      const difference = group.product(key, hashToScalar(encodedR, validatingKey, message));
      group.add(difference, r, 1);
      base.addTo(difference, group.order - s);
      return group.isSmallOrder(difference);
    },
    sign(signingKey, message, randomBytes) {
      const key = decodeScalar(group, signingKey, 'signing key');
      const hedge = randomBytes(HEDGE_SIZE);
      if (hedge.length !== HEDGE_SIZE) throw new RangeError(`a nonce takes ${HEDGE_SIZE} random bytes`);
      const validatingKey = blindedMultipleOfBase(key, randomBytes);
      const nonce = hashToScalar(hedge, validatingKey, message);
      wipe(hedge);
      const encodedR = multipleOfBase(nonce);
      const challenge = hashToScalar(encodedR, validatingKey, message);
      const factor = randomBytes(BLINDING_SIZE);
      const blindedKey = key + group.order * leBytesToBigint(factor);
      wipe(factor);
      return concatBytes(encodedR, encodeInteger32((nonce + challenge * blindedKey) % group.order));
    },
    validatingKey: (signingKey) => multipleOfBase(decodeScalar(group, signingKey, 'signing key')),
    isSigningKeyOf(validatingKey, signingKey) {
      const key = tryDecodeScalar(group, signingKey);
      return key !== undefined && equalBytes(multipleOfBase(key), validatingKey);
    },
    randomizedSigningKey(signingKey, randomizer) {
      const key = decodeScalar(group, signingKey, 'signing key');
      return encodeInteger32((key + decodeScalar(group, randomizer, 'randomizer')) % group.order);
    },
    randomizedValidatingKey(validatingKey, randomizer) {
      const sum = decodePoint(group, validatingKey, 'validating key');
      base.addTo(sum, decodeScalar(group, randomizer, 'randomizer'));
      return group.encode(sum);
    },
  };
}

/** The scalar in 32 bytes. FormatError, without the value, when it is not below the order. */
export function decodeScalar(group: RepresentedGroup<unknown>, bytes: Uint8Array, what: string): bigint {
  const scalar = tryDecodeScalar(group, bytes);
  if (scalar === undefined) throw new FormatError(`the ${what} is not a canonical scalar`);
  return scalar;
}

function tryDecodeScalar(group: RepresentedGroup<unknown>, bytes: Uint8Array): bigint | undefined {
  const scalar = bytes.length === SCALAR_SIZE ? decodeInteger32(bytes) : group.order;
  return scalar < group.order ? scalar : undefined;
}

export function decodePoint<Sum>(group: RepresentedGroup<Sum>, bytes: Uint8Array, what: string): Sum {
  const point = group.tryDecode(bytes);
  if (point === undefined) throw new FormatError(`the ${what} is not a canonical point`);
  return point;
}
