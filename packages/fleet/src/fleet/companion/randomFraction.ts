// A random number, of the bytes that the companion hands over: what it decides is nothing that a worker can foresee.

import type { RandomBytes } from '../ports/sealing.ts';

/** At least 0, below 1. */
export function randomFraction(randomBytes: RandomBytes): number {
  const bytes = randomBytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32;
}
