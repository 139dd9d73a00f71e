// The random scalars of a proof, each from 64 random bytes of its own. Which are drawn in which order is part of the proof
// system: one that is left out or used twice gives a valid proof that leaks its witness.

import { wipe } from '@wallet-companion/base/bytes';
import { toPallasBase } from '@wallet-companion/zcash/curves';

/** So many random bytes that no one else knows. */
export type RandomBytes = (length: number) => Uint8Array;

const BLOCK = 64;
/** What `crypto.getRandomValues` gives at once. */
const MOST_BLOCKS = 65_536 / BLOCK;

export class Draws {
  readonly #random: RandomBytes;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  scalar(): bigint {
    return this.scalars(1)[0]!;
  }

  scalars(count: number): bigint[] {
    const all: bigint[] = [];
    while (all.length < count) {
      const bytes = this.#random(Math.min(count - all.length, MOST_BLOCKS) * BLOCK);
      for (let at = 0; at < bytes.length; at += BLOCK) all.push(toPallasBase(bytes.subarray(at, at + BLOCK)));
      wipe(bytes);
    }
    return all;
  }
}
