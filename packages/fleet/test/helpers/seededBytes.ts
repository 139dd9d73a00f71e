// Bytes that look random and are the same each time.

import { sha256 } from '@noble/hashes/sha2.js';

export function seededBytes(seed: string): (length: number) => Uint8Array {
  let count = 0;
  return (length) => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 32)
      bytes.set(sha256(new TextEncoder().encode(`${seed} ${count++}`)).subarray(0, length - at), at);
    return bytes;
  };
}
