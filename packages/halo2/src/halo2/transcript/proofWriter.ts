// Writes a proof, and absorbs what it writes.

import { concatBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import { Transcript } from './transcript.ts';

export class ProofWriter extends Transcript {
  readonly #parts: Uint8Array[] = [];

  get proof(): Uint8Array {
    return concatBytes(...this.#parts);
  }

  /** `coordinates`: x and y of a point. */
  writePoint(coordinates: Uint8Array): void {
    this.absorbPoint(coordinates);
    const encoded = coordinates.slice(0, 32);
    encoded[31]! |= (coordinates[32]! & 1) << 7;
    this.#parts.push(encoded);
  }

  writeScalar(scalar: bigint): void {
    this.absorbScalar(scalar);
    this.#parts.push(encodeInteger32(scalar));
  }
}
