// The rows of columns as values of polynomials: their coefficients, and values off the rows, where the quotient is computed.
// The extended domain is eight cosets of the rows' points, four of which fill the lanes of an array.

import { BLOCK_BYTES, LANES_PER_BLOCK, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { power } from '../circuit/powers.ts';
import { type Column, Columns, type ColumnsOptions } from './columns.ts';
import { powers, Transform } from './transform.ts';

const { order, invert } = PALLAS_BASE;

/** Rows before the first and after the last one that repeat the other end, for what looks there. */
const MARGIN = 8;
/** Four cosets at a time. */
export const PASSES = [0, 1] as const;
export type Pass = (typeof PASSES)[number];

export class Domain {
  readonly kernel: VestaKernel;
  readonly columns: Columns;
  readonly #forward: Transform;
  readonly #backward: Transform;
  /** For a pass: powers of its cosets' factors, negated as a transform leaves its result, and of their inverses. */
  readonly #factors: readonly number[];
  readonly #inverses: readonly number[];
  readonly #scale: number;
  /** From what the cosets have in common to the pieces: by piece and coset. */
  readonly #matrix: readonly (readonly bigint[])[];

  constructor(
    kernel: VestaKernel,
    { rows, omega, extendedOmega, zeta, quotientPieces }: Circuit,
    options: ColumnsOptions,
  ) {
    const field = kernel.scalars;
    this.kernel = kernel;
    this.columns = new Columns(kernel, rows, options);
    this.#forward = new Transform(field, rows, omega);
    this.#backward = new Transform(field, rows, invert(omega));
    // An odd number of halvings negates.
    const sign = Math.log2(rows) % 2 === 0 ? 1n : -1n;
    this.#scale = field.constant(sign * invert(BigInt(rows)));
    const cosets = Array.from(
      { length: quotientPieces },
      (_, coset) => (zeta * power(extendedOmega, BigInt(coset))) % order,
    );
    const lanesOf = (pass: Pass) => cosets.slice(pass * LANES_PER_BLOCK, (pass + 1) * LANES_PER_BLOCK);
    this.#factors = PASSES.map((pass) => powers(field, rows, field.constant(sign), lanesOf(pass)));
    this.#inverses = PASSES.map((pass) => powers(field, rows, this.#scale, lanesOf(pass).map(invert)));
    // The vanishing polynomial has one value in each coset, and so has X^rows, of which the pieces are multiples.
    const vanishing = cosets.map((coset) => power(coset, BigInt(rows)));
    const inverse = invert(BigInt(quotientPieces));
    this.#matrix = cosets.map((_, piece) =>
      vanishing.map((value) => {
        const factor = (inverse * invert(power(value, BigInt(piece)))) % order;
        return (factor * invert(value - 1n)) % order;
      }),
    );
  }

  coefficientsOf(values: readonly Column[]): Column[] {
    const { kernel, columns } = this;
    const field = kernel.scalars;
    return kernel.memory.borrow(() => {
      const array = field.array(columns.rows);
      const all: Column[] = [];
      for (let at = 0; at < values.length; at += LANES_PER_BLOCK) {
        const group = values.slice(at, at + LANES_PER_BLOCK);
        columns.readLanes(array, group);
        this.#backward.run(array, array);
        field.scale(array, array, this.#scale, columns.rows);
        all.push(...columns.writeLanes(array, group.length));
      }
      return all;
    });
  }

  /** An array for `evaluate`; its address is that of the first row. */
  cosetArray(): number {
    return this.kernel.scalars.array(this.columns.rows + 2 * MARGIN) + MARGIN * BLOCK_BYTES;
  }

  /** The polynomial's values in the pass's cosets: a lane for each, and a block for each row. */
  evaluate(o: number, coefficients: Column, pass: Pass): void {
    const { columns } = this;
    const field = this.kernel.scalars;
    columns.readLanes(o, [coefficients]);
    field.mul(o, o, this.#factors[pass]!, columns.rows);
    this.#forward.run(o, o);
    const length = columns.rows * BLOCK_BYTES;
    field.copy(o - MARGIN * BLOCK_BYTES, o + length - MARGIN * BLOCK_BYTES, MARGIN);
    field.copy(o + length, o, MARGIN);
    field.flush();
  }

  /** From a polynomial's values in the pass's cosets, what `quotientPieces` takes of each. */
  cosetParts(values: number, pass: Pass): Column[] {
    this.#backward.run(values, values);
    this.kernel.scalars.mul(values, values, this.#inverses[pass]!, this.columns.rows);
    return this.columns.writeLanes(values);
  }

  /** The pieces of the quotient of a polynomial by the vanishing one, from the parts of all cosets. */
  quotientPieces(parts: readonly Column[]): Column[] {
    const { kernel, columns } = this;
    const field = kernel.scalars;
    return kernel.memory.borrow(() => {
      const cosets = parts.map((part) => columns.rowsOf(part));
      const sum = field.array(columns.blocks);
      return this.#matrix.map((factors) => {
        kernel.memory.borrow(() => {
          cosets.forEach((coset, i) => {
            const factor = field.constant(factors[i]!);
            if (i === 0) field.scale(sum, coset, factor, columns.blocks);
            else field.scalePlus(sum, coset, factor, sum, columns.blocks);
          });
          field.flush();
        });
        return columns.writeRows(sum);
      });
    });
  }
}
