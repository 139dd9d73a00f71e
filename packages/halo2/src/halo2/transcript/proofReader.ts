// Reads a proof, and absorbs what it reads.

import { concatBytes } from '@wallet-companion/base/bytes';
import { decodePoints, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { decodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import { Transcript } from './transcript.ts';

const ELEMENT = 32;

export type Refusal =
  /** Not the length that this number of actions has. */
  | 'LENGTH'
  /** A public input is no scalar, or an action has another number of them. */
  | 'INPUTS'
  /** Bytes that are no point, or the identity. */
  | 'POINT'
  /** A number that is not below the order. */
  | 'SCALAR'
  /** The proof is of another statement, or wrong. */
  | 'EQUATION';

/** Ends the verification of a proof; `verify` catches it. */
export class RefusedProof extends Error {
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(`the proof is refused: ${reason}`);
    this.reason = reason;
  }
}

export class ProofReader extends Transcript {
  readonly #kernel: VestaKernel;
  readonly #proof: Uint8Array;
  #at = 0;
  readonly #points: Uint8Array[] = [];

  constructor(kernel: VestaKernel, proof: Uint8Array) {
    super();
    this.#kernel = kernel;
    this.#proof = proof;
  }

  /** Coordinates of all points that were read. */
  get points(): Uint8Array {
    return concatBytes(...this.#points);
  }

  /** The number of the point among all. */
  readPoint(): number {
    const point = decodePoints(this.#kernel, 'vesta', this.#next());
    if (point === undefined) throw new RefusedProof('POINT');
    this.absorbPoint(point);
    return this.#points.push(point) - 1;
  }

  readPoints(count: number): number[] {
    return Array.from({ length: count }, () => this.readPoint());
  }

  readScalar(): bigint {
    const scalar = decodeInteger32(this.#next());
    if (scalar >= PALLAS_BASE.order) throw new RefusedProof('SCALAR');
    this.absorbScalar(scalar);
    return scalar;
  }

  readScalars(count: number): bigint[] {
    return Array.from({ length: count }, () => this.readScalar());
  }

  #next(): Uint8Array {
    this.#at += ELEMENT;
    return this.#proof.subarray(this.#at - ELEMENT, this.#at);
  }
}
