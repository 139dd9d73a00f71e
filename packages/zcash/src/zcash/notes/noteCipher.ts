// Symmetric encryption of notes (protocol specification §5.4.3, §4.20): ChaCha20-Poly1305 with a zero nonce, since
// every key is used only once. The compact form has no tag: plain ChaCha20 from block 1, where the AEAD starts its
// ciphertext.
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concatBytes } from '@wallet-companion/base/bytes';

const ZERO_NONCE = new Uint8Array(12);

/** Decrypts the first 52 (or more) bytes of encCiphertext; any key gives some bytes. */
export const openCompact = (key: Uint8Array, ciphertext: Uint8Array): Uint8Array =>
  chacha20(key, ZERO_NONCE, ciphertext, undefined, 1);

/** The ciphertext and its tag of 16 bytes (ChaCha20-Poly1305; each key is used once). */
export const seal = (key: Uint8Array, plaintext: Uint8Array): Uint8Array =>
  chacha20poly1305(key, ZERO_NONCE).encrypt(plaintext);

/** The plaintext, or undefined when the tag is wrong. */
export function open(key: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
  try {
    return chacha20poly1305(key, ZERO_NONCE).decrypt(ciphertext);
  } catch {
    return undefined;
  }
}

/** outCiphertext (80 bytes): pk_d and esk for the sender's own outgoing viewing key. */
export const sealOutgoing = (ock: Uint8Array, pkd: Uint8Array, esk: Uint8Array): Uint8Array =>
  seal(ock, concatBytes(pkd, esk));

export interface OutgoingPlaintext {
  /** 32 bytes each. */
  readonly pkd: Uint8Array;
  readonly esk: Uint8Array;
}

/** What outCiphertext holds (§4.20.3), or undefined when its tag is wrong. */
export function openOutgoing(ock: Uint8Array, outCiphertext: Uint8Array): OutgoingPlaintext | undefined {
  const plaintext = open(ock, outCiphertext);
  return plaintext && { pkd: plaintext.subarray(0, 32), esk: plaintext.subarray(32, 64) };
}
