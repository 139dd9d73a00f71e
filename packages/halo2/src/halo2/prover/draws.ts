// The random scalars of a proof, each from 64 random bytes of its own. Which are drawn in which order is part of the proof
// system: one that is left out or used twice gives a valid proof that leaks its witness.

import { wipe } from '@wallet-companion/base/bytes';
import { toPallasBase } from '@wallet-companion/zcash/curves';

/** So many random bytes that no one else knows. */
export type RandomBytes = (length: number) => Uint8Array;

const BLOCK = 64;

export class Draws {
  readonly #random: RandomBytes;

  constructor(random: RandomBytes) {
    this.#random = random;
  }

  scalar(): bigint {
    return this.scalars(1)[0]!;
  }

  scalars(count: number): bigint[] {
    const bytes = this.#random(count * BLOCK);
    const all = Array.from({ length: count }, (_, i) =>
      toPallasBase(bytes.subarray(i * BLOCK, (i + 1) * BLOCK)),
    );
    wipe(bytes);
    return all;
  }
}
