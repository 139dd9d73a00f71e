// Hashing to Pallas with the kernel's scalar arithmetic (protocol specification §5.4.9.8): diversified bases, and some
// generators of the protocol. The 1,024 points of Sinsemilla's pieces were computed when the kernel was built.

import { asciiBytes } from '@wallet-companion/base/bytes';
import { ISO_PALLAS } from '@wallet-companion/zcash/curves';
import { PALLAS_MODULUS } from '../generator/primeField.ts';
import { SINSEMILLA_POINT_BYTES, SINSEMILLA_POINTS } from '../generator/sinsemillaPoints.ts';
import type { PallasScalarExports } from '../load/kernelExports.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';
import type { LaneMemory } from './fieldLanes.ts';
import type { KernelHashes } from './kernelHashes.ts';

const ELEMENT = 40;
const AFFINE = 80;
const JACOBIAN = 120;
const COEFFICIENTS = 3 + 4 + 3 + 4 + 4;
const SUITE = '-pallas_XMD:BLAKE2b_SSWU_RO_';
const ZERO_BLOCK = new Uint8Array(128);

/** Writes integers as elements, one after the other. */
export function writeElements(
  memory: LaneMemory,
  exports: PallasScalarExports,
  address: number,
  values: readonly bigint[],
): void {
  memory.borrow(() => {
    const bytes = memory.allocate(32);
    values.forEach((value, i) => {
      const reduced = ((value % PALLAS_MODULUS) + PALLAS_MODULUS) % PALLAS_MODULUS;
      memory.bytes.set(encodeInteger(reduced), bytes);
      exports.readElement(address + i * ELEMENT, bytes);
    });
  });
}

/** Writes the points of Sinsemilla's pieces, affine, one after the other. */
export function writeSinsemillaPoints(
  memory: LaneMemory,
  exports: PallasScalarExports,
  address: number,
  points: Uint8Array,
): void {
  memory.borrow(() => {
    const bytes = memory.allocate(SINSEMILLA_POINT_BYTES);
    for (let i = 0; i < SINSEMILLA_POINTS; i++) {
      const start = i * SINSEMILLA_POINT_BYTES;
      memory.bytes.set(points.subarray(start, start + SINSEMILLA_POINT_BYTES), bytes);
      exports.readAffine(address + i * AFFINE, bytes);
    }
  });
}

export class PallasGroupHash {
  readonly #memory: LaneMemory;
  readonly #exports: PallasScalarExports;
  readonly #hashes: KernelHashes;
  readonly #isogeny: number;
  #isogenyReady = false;
  readonly #integers: number;
  readonly #point: number;

  constructor(memory: LaneMemory, exports: PallasScalarExports, hashes: KernelHashes) {
    this.#memory = memory;
    this.#exports = exports;
    this.#hashes = hashes;
    this.#isogeny = memory.allocate(COEFFICIENTS * ELEMENT);
    this.#integers = memory.allocate(2 * 32);
    this.#point = memory.allocate(JACOBIAN);
  }

  #prepareIsogeny(): number {
    if (this.#isogenyReady) return this.#isogeny;
    const { a, b, z, xNumerator, xDenominator, yNumerator, yDenominator } = ISO_PALLAS;
    const constants = [a, b, z, ...xNumerator, ...xDenominator, ...yNumerator, ...yDenominator];
    writeElements(this.#memory, this.#exports, this.#isogeny, constants);
    this.#isogenyReady = true;
    return this.#isogeny;
  }

  /** GroupHash^P to a Jacobian point; false, or z = 0: undetermined. */
  tryHash(o: number, domain: string, message: Uint8Array): boolean {
    const suite = `${domain}${SUITE}`;
    const dst = Uint8Array.of(...asciiBytes(suite), suite.length);
    const hash = (...inputs: readonly Uint8Array[]) => this.#hashes.blake2b('', 64, ...inputs);
    const b0 = hash(ZERO_BLOCK, message, Uint8Array.of(0, 128, 0), dst);
    const b1 = hash(b0, Uint8Array.of(1), dst);
    const b2 = hash(
      b0.map((byte, i) => byte ^ b1[i]!),
      Uint8Array.of(2),
      dst,
    );
    const isogeny = this.#prepareIsogeny();
    [b1, b2].forEach((wide, i) => {
      const element = encodeInteger(decodeInteger(wide.reverse()) % PALLAS_MODULUS);
      this.#memory.bytes.set(element, this.#integers + i * 32);
    });
    return this.#exports.hashToCurve(o, this.#integers, isogeny) !== 0;
  }

  /** GroupHash^P of a generator, which is never an exceptional point, to an affine point. */
  generator(o: number, domain: string, message: Uint8Array): void {
    if (!this.tryHash(this.#point, domain, message) || this.#exports.normalise(o, this.#point, 1) === 0)
      throw new Error('a generator is an exceptional point');
  }
}
