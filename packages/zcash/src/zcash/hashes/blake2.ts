// BLAKE2b and BLAKE2s as the protocol uses them (specification §5.4.1.2): unkeyed, with a personalisation string, over
// the concatenation of the inputs.
import { blake2b as nobleBlake2b, blake2s as nobleBlake2s } from '@noble/hashes/blake2.js';
import { asciiBytes, concatBytes } from '@wallet-companion/base/bytes';

/** BLAKE2b of `length` bytes (1 to 64); `personal` is 16 bytes, as text or as bytes. */
export function blake2b(
  personal: string | Uint8Array,
  length: number,
  ...inputs: readonly Uint8Array[]
): Uint8Array {
  const hash = nobleBlake2b.create({ dkLen: length, personalization: personalisation(personal, 16) });
  return digestOf(hash, inputs);
}

/**
 * BLAKE2b-256 of the concatenated parts under a 16-byte personalisation. A scan may pass in a faster implementation.
 */
export type Blake2b256 = (personal: Uint8Array, parts: readonly Uint8Array[]) => Uint8Array;

export const blake2b256: Blake2b256 = (personal, parts) => blake2b(personal, 32, ...parts);

/** BLAKE2s of 32 bytes; `personal` is 8 bytes, as text or as bytes. */
export function blake2s(personal: string | Uint8Array, ...inputs: readonly Uint8Array[]): Uint8Array {
  const hash = nobleBlake2s.create({ dkLen: 32, personalization: personalisation(personal, 8) });
  return digestOf(hash, inputs);
}

interface Hash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/**
 * Inputs may be keys. Access to the buffer of a short array, as in the library, makes the engine move its bytes out of
 * the JavaScript heap to memory that is freed without wiping: so the library receives a copy, which is wiped.
 */
function digestOf(hash: Hash, inputs: readonly Uint8Array[]): Uint8Array {
  const joined = concatBytes(...inputs);
  try {
    hash.update(joined);
    return hash.digest();
  } finally {
    joined.fill(0);
  }
}

function personalisation(personal: string | Uint8Array, length: number): Uint8Array {
  const bytes = typeof personal === 'string' ? asciiBytes(personal) : personal;
  if (bytes.length !== length) throw new RangeError(`personalisation must be ${length} bytes`);
  return bytes;
}
