// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03 §2.3). Seals are opened by @noble/ciphers: Node's own decryption copies the
// plaintext once more and frees the first one as it is, so that keys and memos would outlive the lock in freed memory. What it
// leaves of a seal that is made is ciphertext; there HChaCha20 derives a subkey from the key and 16 bytes of the nonce for
// Node's ChaCha20-Poly1305 (RFC 8439), which is twice as fast.
//
// Both are equal byte for byte. Where the runtime lacks the cipher (Electron's BoringSSL) or the machine is big-endian, which
// is found out at first use, the package does everything.

import { createCipheriv } from 'node:crypto';
import { hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';

export const NONCE_SIZE = 24;
export const TAG_SIZE = 16;
const CIPHER = 'chacha20-poly1305';
/** The first bytes of the nonce go into the subkey; four zeros stand for them in the inner nonce. */
const SUBKEY_NONCE_SIZE = 16;
const INNER_NONCE_SIZE = 12;

export interface XChaCha {
  /** Ciphertext and tag. */
  encrypt(key: Uint8Array, nonce: Uint8Array, plaintext: Uint8Array, context: Uint8Array): Uint8Array;
  /** Takes ciphertext and tag; undefined when the tag is wrong. */
  decrypt(
    key: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    context: Uint8Array,
  ): Uint8Array | undefined;
}

export const portableXChaCha: XChaCha = {
  encrypt: (key, nonce, plaintext, context) => xchacha20poly1305(key, nonce, context).encrypt(plaintext),
  decrypt: (key, nonce, sealed, context) => {
    try {
      return xchacha20poly1305(key, nonce, context).decrypt(sealed);
    } catch {
      return undefined;
    }
  },
};

export const nativeEncrypt: XChaCha['encrypt'] = (key, nonce, plaintext, context) =>
  withSubkey(key, nonce, (subkey, innerNonce) => {
    const cipher = createCipheriv(CIPHER, subkey, innerNonce, { authTagLength: TAG_SIZE });
    cipher.setAAD(context, { plaintextLength: plaintext.length });
    return concatBytes(cipher.update(plaintext), cipher.final(), cipher.getAuthTag());
  });

/** "expand 32-byte k" */
const SIGMA = Uint32Array.of(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);

function withSubkey<T>(
  key: Uint8Array,
  nonce: Uint8Array,
  use: (subkey: Uint8Array, innerNonce: Uint8Array) => T,
): T {
  const keyWords = wordsOf(key);
  const subkey = new Uint32Array(8);
  try {
    hchacha(SIGMA, keyWords, wordsOf(nonce.subarray(0, SUBKEY_NONCE_SIZE)), subkey);
    const innerNonce = new Uint8Array(INNER_NONCE_SIZE);
    innerNonce.set(nonce.subarray(SUBKEY_NONCE_SIZE), INNER_NONCE_SIZE - (NONCE_SIZE - SUBKEY_NONCE_SIZE));
    return use(new Uint8Array(subkey.buffer), innerNonce);
  } finally {
    keyWords.fill(0);
    subkey.fill(0);
  }
}

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);

let chosen: XChaCha | undefined;

/** The fastest implementation that gives the right answer on this machine, and leaves no plaintext behind. */
export function xchacha(): XChaCha {
  chosen ??= agrees(nativeEncrypt) ? { ...portableXChaCha, encrypt: nativeEncrypt } : portableXChaCha;
  return chosen;
}

function agrees(candidate: XChaCha['encrypt']): boolean {
  const [key, nonce, text, context] = [32, NONCE_SIZE, 100, 20].map((length) =>
    Uint8Array.from({ length }, (_, i) => i + length),
  ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  try {
    return equalBytes(
      candidate(key, nonce, text, context),
      portableXChaCha.encrypt(key, nonce, text, context),
    );
  } catch {
    return false;
  }
}
