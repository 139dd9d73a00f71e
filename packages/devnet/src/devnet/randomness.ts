// Every random choice of a devnet comes from here, so that a seed determines a chain byte for byte. The stream is the
// AES-256-CTR keystream of the hashed seed, because the runtime's AES is fast and most of a long chain is filler.
import { createCipheriv, createHash } from 'node:crypto';

export interface Randomness {
  bytes(length: number): Uint8Array;
  /** Uniform in 0..bound-1; `bound` at most 2^32. */
  below(bound: number): number;
  /**
   * 32 bytes, little-endian, below 2^254: canonical in both base fields (BLS12-381 scalars and Pallas coordinates) and
   * as a Pallas scalar.
   */
  fieldElement(): Uint8Array;
}

const CHUNK = 1 << 16;

export function seededRandomness(seed: string | Uint8Array): Randomness {
  const key = createHash('sha256').update('devnet randomness').update(seed).digest();
  const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
  const zeros = new Uint8Array(CHUNK);
  let chunk: Uint8Array = new Uint8Array(0);
  let used = 0;

  function bytes(length: number): Uint8Array {
    const out = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      if (used === chunk.length) {
        chunk = cipher.update(zeros);
        used = 0;
      }
      const take = Math.min(length - filled, chunk.length - used);
      out.set(chunk.subarray(used, used + take), filled);
      used += take;
      filled += take;
    }
    return out;
  }

  return {
    bytes,
    below: (bound) => {
      // 53 bits over at most 2^32 choices: the bias is below 2^-21, negligible for made-up traffic.
      const [a = 0, b = 0] = new Uint32Array(bytes(8).buffer);
      return Math.floor(((a * 0x20_0000 + (b >>> 11)) / 2 ** 53) * bound);
    },
    fieldElement: () => {
      const element = bytes(32);
      element[31] = element[31]! & 0x3f;
      return element;
    },
  };
}
