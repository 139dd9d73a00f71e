// The columns of a lookup: the input's values in ascending order, and the table's values beside the first of each.

import { UnprovableError } from '../witness/unprovable.ts';
import { type Column, ELEMENT, valuesOf } from './columns.ts';

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The first values of a column, sorted. */
export const sortedValues = (column: Column, count: number): bigint[] =>
  valuesOf(column.subarray(0, count * ELEMENT)).sort(ascending);

/** The sorted table's values, beside the first row of each in the sorted input; what is left over fills the other rows from the last one backwards. */
export function permutedTable(input: readonly bigint[], table: readonly bigint[]): bigint[] {
  const placed = new Array<bigint>(input.length);
  const free: number[] = [];
  const left: bigint[] = [];
  let at = 0;
  input.forEach((value, row) => {
    if (row > 0 && input[row - 1] === value) {
      free.push(row);
      return;
    }
    while (table[at]! < value) left.push(table[at++]!);
    if (table[at] !== value) throw new UnprovableError('a value of the witness is not in its table');
    placed[row] = value;
    at++;
  });
  left.push(...table.slice(at));
  for (const value of left) placed[free.pop()!] = value;
  return placed;
}
