// The messages of prover and verifier so far, from which the challenges come.

import { blake2b } from '@noble/hashes/blake2.js';
import { asciiBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32, toPallasBase } from '@wallet-companion/zcash/curves';

const PERSONAL = asciiBytes('Halo2-Transcript');
const CHALLENGE = Uint8Array.of(0);
const POINT = Uint8Array.of(1);
const SCALAR = Uint8Array.of(2);

export class Transcript {
  readonly #state = blake2b.create({ dkLen: 64, personalization: PERSONAL });

  /** x and y, 32 bytes each. */
  absorbPoint(coordinates: Uint8Array): void {
    this.#state.update(POINT).update(coordinates);
  }

  absorbScalar(scalar: bigint): void {
    this.#state.update(SCALAR).update(encodeInteger32(scalar));
  }

  /** The digest is not absorbed: two challenges in a row differ by the second prefix. */
  challenge(): bigint {
    this.#state.update(CHALLENGE);
    return toPallasBase(this.#state.clone().digest());
  }
}
