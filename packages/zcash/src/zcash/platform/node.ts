// The platform functions on Node: native, because SHA-256 runs over every byte of every full block. `#platform` in
// package.json chooses between this file and plain.ts.
import { createCipheriv, createHash } from 'node:crypto';

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/**
 * AES-256 of single blocks. To read a short array, Node moves its bytes out of the JavaScript heap to memory that is
 * freed without wiping: it receives a copy, which is wiped.
 */
export function keyedAes(key: Uint8Array): (block: Uint8Array) => Uint8Array {
  const copy = Uint8Array.from(key);
  try {
    const cipher = createCipheriv('aes-256-ecb', copy, null).setAutoPadding(false);
    return (block) => cipher.update(block);
  } finally {
    copy.fill(0);
  }
}
