// What the rows of a table must add up to: their number, and the XOR of a keyed function of each. Neither the function's
// values nor their sum is visible outside, since the seal of the state covers the sum. So rows of older copies,
// each of them sealed by us, cannot be chosen such that they add up to the same: among more than 128 visible values (the
// tags alone, for example) some combination is zero, and elimination finds it. XOR suffices because the number of rows is
// part of the row sum: a row that is there twice would cancel out, but then there is one row too many.

import { equalBytes } from '@wallet-companion/base/bytes';
import { mixInto, PRF_BLOCK, type RowPrf } from '../sealing/rowPrf.ts';

/** The row sum as it is sealed. */
export interface RowSumValue {
  readonly count: number;
  readonly sum: Uint8Array;
}

export const EMPTY_ROW_SUM: RowSumValue = { count: 0, sum: new Uint8Array(PRF_BLOCK) };

/** The sum takes two halves of each row: its name, and the proof of its contents. */
export const SUMMED_HALF = 16;
export const SUMMED_ROW = 2 * SUMMED_HALF;

export class RowSum {
  readonly #prf: RowPrf;
  #count = 0;
  #sum = new Uint8Array(PRF_BLOCK);
  /** Rows not in the sum yet: the function is cheap for many at once. */
  #pending: Uint8Array[] = [];

  constructor(prf: RowPrf) {
    this.#prf = prf;
  }

  add(name: Uint8Array, proof: Uint8Array): void {
    this.#count++;
    this.#pending.push(rowOf(name, proof));
  }

  remove(name: Uint8Array, proof: Uint8Array): void {
    this.#count--;
    this.#pending.push(rowOf(name, proof));
  }

  /** `rows` lie one after the other. */
  addAll(rows: Uint8Array): void {
    this.#count += rows.length / SUMMED_ROW;
    this.#mix(rows);
  }

  reset(value: RowSumValue = EMPTY_ROW_SUM): void {
    this.#count = value.count;
    this.#sum = Uint8Array.from(value.sum);
    this.#pending = [];
  }

  value(): RowSumValue {
    const rows = new Uint8Array(this.#pending.length * SUMMED_ROW);
    this.#pending.forEach((row, i) => {
      rows.set(row, i * SUMMED_ROW);
    });
    this.#pending = [];
    this.#mix(rows);
    const count = this.#count;
    return { count, sum: Uint8Array.from(this.#sum) };
  }

  /** Returns the function that restores the row sum. */
  save(): () => void {
    const before = this.value();
    return () => this.reset(before);
  }

  equals(other: RowSumValue): boolean {
    const { count, sum } = this.value();
    return count === other.count && equalBytes(sum, other.sum);
  }

  #mix(rows: Uint8Array): void {
    const values = this.#prf.of(rows);
    for (let offset = 0; offset < values.length; offset += PRF_BLOCK) {
      mixInto(this.#sum, 0, values, offset);
    }
  }
}

/** A row of another size is not ours; cut or filled up, it cannot match the sum. */
function rowOf(name: Uint8Array, proof: Uint8Array): Uint8Array {
  const row = new Uint8Array(SUMMED_ROW);
  row.set(name.subarray(0, SUMMED_HALF));
  row.set(proof.subarray(0, SUMMED_HALF), SUMMED_HALF);
  return row;
}
