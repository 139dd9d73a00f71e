// Sealing as the companion has it, of published parts, and with nonces that count.

import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Sealing } from '../../src/fleet/ports/sealing.ts';

const NONCE_SIZE = 24;

export function countedSealing(): Sealing {
  let count = 0;
  return {
    deriveSubkey: (key, label) => hkdf(sha256, key, undefined, new TextEncoder().encode(label), 32),
    seal(key, plaintext, context) {
      const nonce = new Uint8Array(NONCE_SIZE);
      new DataView(nonce.buffer).setUint32(0, ++count);
      const sealed = xchacha20poly1305(key, nonce, context).encrypt(plaintext);
      return Uint8Array.of(...nonce, ...sealed);
    },
    unseal(key, sealed, context) {
      if (sealed.length < NONCE_SIZE) return undefined;
      const [nonce, rest] = [sealed.subarray(0, NONCE_SIZE), sealed.subarray(NONCE_SIZE)];
      try {
        return xchacha20poly1305(key, nonce, context).decrypt(rest);
      } catch {
        return undefined;
      }
    },
  };
}
