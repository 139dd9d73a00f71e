// Repeatable bytes for tests.

import { createHash } from 'node:crypto';

/** Repeatable bytes; secrecy is not what these tests are about. */
export function seededRandom(seed: string): (length: number) => Uint8Array {
  let counter = 0;
  return (length) => {
    const out = new Uint8Array(length);
    for (let offset = 0; offset < length; offset += 64) {
      const block = createHash('sha512').update(`${seed}:${counter++}`).digest();
      out.set(block.subarray(0, Math.min(64, length - offset)), offset);
    }
    return out;
  };
}
