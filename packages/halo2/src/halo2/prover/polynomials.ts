// Polynomials by their coefficients: values, sums and commitments.

import { BLOCK_BYTES, LANES_PER_BLOCK } from '@wallet-companion/kernel/vesta';
import { encodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import { power } from '../circuit/powers.ts';
import type { Prepared } from '../verifier/equation.ts';
import type { Column, Columns } from './columns.ts';
import { constants, powers } from './transform.ts';

const { order, reduce } = PALLAS_BASE;

export interface Polynomial {
  readonly coefficients: Column;
  /** The blind of its commitment; 1 for public columns. */
  readonly blind: bigint;
  /** The factor of U in its commitment; none without. */
  readonly product?: bigint;
}

/** Coordinates of the commitment. */
export function commit(
  { sums, places }: Prepared,
  { coefficients, blind, product = 0n }: Polynomial,
): Uint8Array {
  const between = new Uint8Array((places.coefficients - places.product - 1) * 32);
  const factors = [encodeInteger32(blind), encodeInteger32(product), between, coefficients];
  const point = sums.commit(factors, places.blind);
  if (point === undefined) throw new Error('a commitment is the identity');
  return point;
}

/** A new array of the powers of x, for `valueAt`. */
export function pointPowers({ kernel, blocks }: Columns, x: bigint): number {
  const first = Array.from({ length: LANES_PER_BLOCK }, (_, i) => power(x, BigInt(i)));
  const step = power(x, BigInt(LANES_PER_BLOCK));
  return powers(kernel.scalars, blocks, constants(kernel.scalars, first), [step]);
}

/** The sum of the products of two arrays of rows: with powers of x the value of a polynomial there. */
export function valueAt({ kernel, blocks }: Columns, coefficients: number, powersOfX: number): bigint {
  const field = kernel.scalars;
  return kernel.memory.borrow(() => {
    const sum = field.array(blocks);
    field.mul(sum, coefficients, powersOfX, blocks);
    let isNegative = false;
    for (let half = blocks / 2; half >= 1; half /= 2) {
      field.negatedSum(sum, sum, sum + half * BLOCK_BYTES, half);
      isNegative = !isNegative;
    }
    const lanes = Array.from({ length: LANES_PER_BLOCK }, (_, lane) => field.element(sum, lane));
    const value = lanes.reduce((all, one) => all + one, 0n) % order;
    return isNegative ? reduce(-value) : value;
  });
}

/** A sum in which each polynomial that is added multiplies what is there by the factor. */
export class Combination {
  readonly #columns: Columns;
  readonly #factor: bigint;
  readonly #constant: number;
  readonly rows: number;
  readonly #added: number;
  #isEmpty = true;
  blind = 0n;

  constructor(columns: Columns, factor: bigint) {
    const field = columns.kernel.scalars;
    this.#columns = columns;
    this.#factor = factor;
    this.#constant = field.constant(factor);
    this.rows = field.array(columns.blocks);
    this.#added = field.array(columns.blocks);
  }

  add({ coefficients, blind }: Polynomial): void {
    this.#columns.readRows(this.#isEmpty ? this.rows : this.#added, coefficients);
    const { kernel, blocks } = this.#columns;
    if (!this.#isEmpty) kernel.scalars.scalePlus(this.rows, this.rows, this.#constant, this.#added, blocks);
    kernel.scalars.flush();
    this.#isEmpty = false;
    this.blind = (this.blind * this.#factor + blind) % order;
  }

  get polynomial(): Polynomial {
    return { coefficients: this.#columns.writeRows(this.rows), blind: this.blind };
  }
}
