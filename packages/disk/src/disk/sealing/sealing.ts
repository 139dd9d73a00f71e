// Sealing at rest: XChaCha20-Poly1305 with a random 192-bit nonce (draft-irtf-cfrg-xchacha-03), keys derived from the
// wallet's master key with HKDF-SHA256 (RFC 5869), one per purpose. Random nonces of this size are safe, so no counter
// has to survive a crash.

import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@wallet-companion/base/bytes';
import { NONCE_SIZE, TAG_SIZE, xchacha } from './xchacha.ts';

export const KEY_SIZE = 32;
/** How much longer the sealed form is. */
export const SEAL_OVERHEAD = NONCE_SIZE + TAG_SIZE;

export type RandomBytes = (length: number) => Uint8Array;

/** A key for one purpose. The label names product, purpose and format version. */
export function deriveSubkey(masterKey: Uint8Array, label: string): Uint8Array {
  return hkdf(sha256, masterKey, undefined, new TextEncoder().encode(`wallet-companion/${label}`), KEY_SIZE);
}

/** nonce | ciphertext | tag. `context` is authenticated, not stored. */
export function seal(
  key: Uint8Array,
  plaintext: Uint8Array,
  context: Uint8Array,
  randomBytes: RandomBytes,
): Uint8Array {
  const nonce = randomBytes(NONCE_SIZE);
  return concatBytes(nonce, xchacha().encrypt(key, nonce, plaintext, context));
}

/** Undefined when key or context is wrong, or a bit was changed. */
export function unseal(key: Uint8Array, sealed: Uint8Array, context: Uint8Array): Uint8Array | undefined {
  if (sealed.length < SEAL_OVERHEAD) return undefined;
  return xchacha().decrypt(key, sealed.subarray(0, NONCE_SIZE), sealed.subarray(NONCE_SIZE), context);
}
