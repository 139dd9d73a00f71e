// The discrete Fourier transform of four columns at once, one in each lane.

import { BLOCK_BYTES, type FieldLanes } from '@wallet-companion/kernel/vesta';

/** Transforms with one root of unity, whose order is the number of rows. */
export class Transform {
  readonly #field: FieldLanes;
  readonly #rows: number;
  /** Powers of the root for each halving, the longest first. */
  readonly #twiddles: readonly number[];
  readonly #reversed: Uint32Array;

  constructor(field: FieldLanes, rows: number, root: bigint) {
    this.#field = field;
    this.#rows = rows;
    const longest = powers(field, rows / 2, field.constant(1n), [root]);
    const twiddles: number[] = [longest];
    for (let half = rows / 4, step = 2; half >= 1; half /= 2, step *= 2) {
      const table = field.array(half);
      for (let i = 0; i < half; i++) field.copy(table + i * BLOCK_BYTES, longest + i * step * BLOCK_BYTES, 1);
      twiddles.push(table);
    }
    field.flush();
    this.#twiddles = twiddles;
    const bits = Math.log2(rows);
    this.#reversed = Uint32Array.from({ length: rows }, (_, i) => {
      let reversed = 0;
      for (let bit = 0; bit < bits; bit++) reversed |= ((i >> bit) & 1) << (bits - 1 - bit);
      return reversed;
    });
  }

  /**
   * Block i of o = the sum over j of block j of a times the root's power i j, negated for an odd number of halvings; o may
   * be a. By decimation in frequency, whose last halving puts each result in its place.
   */
  run(o: number, a: number): void {
    const field = this.#field;
    field.memory.borrow(() => {
      let from = a;
      let [to, next] = [field.array(this.#rows), field.array(this.#rows)];
      this.#twiddles.forEach((twiddles, level) => {
        const half = this.#rows >> (level + 1);
        for (let group = 0; group < this.#rows; group += 2 * half) {
          const low = from + group * BLOCK_BYTES;
          const high = low + half * BLOCK_BYTES;
          const isLast = half === 1;
          const sum = isLast ? this.#place(o, group) : to + group * BLOCK_BYTES;
          const difference = isLast ? this.#place(o, group + 1) : sum + half * BLOCK_BYTES;
          field.negatedSum(sum, low, high, half);
          field.mulSub(difference, high, low, twiddles, half);
        }
        const done = from === a ? next : from;
        [from, to, next] = [to, done, done];
      });
      field.flush();
    });
  }

  #place(o: number, index: number): number {
    return o + this.#reversed[index]! * BLOCK_BYTES;
  }
}

/** A new array of `count` blocks: start times the powers of a base for all lanes, or of one for each. */
export function powers(field: FieldLanes, count: number, start: number, bases: readonly bigint[]): number {
  const array = field.array(count);
  field.copy(array, start, 1);
  let squares = [...bases];
  for (let known = 1; known < count; known *= 2) {
    const factor = constants(field, squares);
    const missing = Math.min(known, count - known);
    field.scale(array + known * BLOCK_BYTES, array, factor, missing);
    field.flush();
    squares = squares.map((square) => (square * square) % field.modulus);
  }
  return array;
}

/** A constant block with a value for all lanes, or one for each. */
export function constants(field: FieldLanes, values: readonly bigint[]): number {
  const block = field.constant(values[0]!);
  if (values.length === 1) return block;
  const one = field.stored(field.constant(1n), 0);
  values.forEach((value, lane) => {
    field.overwrite(block, lane, (value * one) % field.modulus);
  });
  return block;
}
