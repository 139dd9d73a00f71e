// What a prover prepares once for a circuit: the key's columns as rows, coefficients and values in the cosets.

import { SerialQueue } from '@wallet-companion/base/async';
import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { columnName, lookupExpressions, type RowChallenges } from '../circuit/constraints.ts';
import type { Prepared } from '../verifier/equation.ts';
import { type Column, ELEMENT } from './columns.ts';
import { Domain, PASSES, type Pass } from './domain.ts';
import { StraightLine } from './straightLine.ts';

const { order } = PALLAS_BASE;

/** By the column's name. */
export type ColumnsByName = ReadonlyMap<string, Column>;

/** The unpacked tables of a circuit. */
export interface CircuitTables {
  readonly fixed: Uint8Array;
  readonly sigma: Uint8Array;
}

/** What a thread needs for its passes of the quotient. */
export interface QuotientKey {
  readonly domain: Domain;
  /** The arrays of each pass, by the column's name. */
  readonly cosets: ReadonlyMap<Pass, ReadonlyMap<string, number>>;
  readonly constraints: StraightLine<RowChallenges>;
}

export interface ProvingKey extends QuotientKey {
  readonly prepared: Prepared;
  /** Proofs, of which one at a time uses the kernel's memory. */
  readonly proofs: SerialQueue;
  readonly fixed: readonly Column[];
  /** By the column's name, what all actions share. */
  readonly coefficients: ColumnsByName;
  /** Arrays of rows: for each cell of the columns of copies the cell that it equals, and the rows' own points. */
  readonly permutationRows: readonly number[];
  readonly points: number;
  readonly lookups: StraightLine<RowChallenges>;
}

/** Another thread, which works on the second pass. */
export interface KeyUser {
  /** Gets the key's columns before the first proof. */
  readonly useKey: (coefficients: ColumnsByName) => void;
}

/** Takes some half a second, and 20 MB of the kernel's memory for each pass, of which a helper has one. */
export function createProvingKey(prepared: Prepared, tables: CircuitTables, helper?: KeyUser): ProvingKey {
  const { circuit, sums } = prepared;
  const domain = new Domain(sums.kernel, circuit, { areShared: helper !== undefined });
  const { columns } = domain;
  const fixed = cut(tables.fixed, circuit.rows * ELEMENT);
  const points = powersOf(circuit.omega, circuit.rows);
  const rowPoints = columns.of(points);
  const permutation = copiedPoints(circuit, tables.sigma, points).map((values) => columns.of(values));
  const permutationRows = permutation.map((column) => columns.rowsOf(column));
  const rows = [
    ...fixed,
    ...permutation,
    ...selectors(circuit).map((values) => columns.of(values)),
    rowPoints,
  ];
  const names = [
    ...fixed.map((_, i) => columnName('fixed', i)),
    ...permutation.map((_, i) => columnName('permutation', i)),
    ...(['first', 'last', 'active', 'x'] as const).map((kind) => columnName(kind)),
  ];
  const all = domain.coefficientsOf(rows);
  const coefficients = new Map(names.map((name, i) => [name, all[i]!]));
  const rowPointsArray = columns.rowsOf(rowPoints);
  columns.release(rows);
  columns.keep();
  helper?.useKey(coefficients);
  const lookups = lookupExpressions(circuit);
  return {
    ...createQuotientKey(prepared, domain, coefficients, helper === undefined ? PASSES : [PASSES[0]]),
    prepared,
    proofs: new SerialQueue(),
    fixed,
    coefficients,
    permutationRows,
    points: rowPointsArray,
    lookups: new StraightLine(lookups.expressions, lookups.outputs),
  };
}

export function createQuotientKey(
  { constraints }: Prepared,
  domain: Domain,
  coefficients: ColumnsByName,
  passes: readonly Pass[],
): QuotientKey {
  const cosets = (pass: Pass) =>
    new Map(
      [...coefficients].map(([name, column]) => {
        const array = domain.cosetArray();
        domain.evaluate(array, column, pass);
        return [name, array] as const;
      }),
    );
  return {
    domain,
    cosets: new Map(passes.map((pass) => [pass, cosets(pass)])),
    constraints: new StraightLine(constraints.expressions, constraints.outputs),
  };
}

/** Values in rows: 1 in the first row, in the last one, and in those before it. */
function selectors({ rows, blindingRows }: Circuit): bigint[][] {
  const last = rows - blindingRows - 1;
  return [(row: number) => row === 0, (row: number) => row === last, (row: number) => row < last].map(
    (isSet) => Array.from({ length: rows }, (_, row) => (isSet(row) ? 1n : 0n)),
  );
}

/** The parts of this length. */
export const cut = (bytes: Uint8Array, length: number): Uint8Array[] =>
  Array.from({ length: bytes.length / length }, (_, i) => bytes.subarray(i * length, (i + 1) * length));

export function powersOf(base: bigint, count: number): bigint[] {
  const all = [1n];
  while (all.length < count) all.push((all.at(-1)! * base) % order);
  return all;
}

/** sigma.bin has for each cell how far on the cell is that it is a copy of. */
function copiedPoints(
  { rows, delta, copySets }: Circuit,
  sigma: Uint8Array,
  points: readonly bigint[],
): bigint[][] {
  const count = copySets.flat().length;
  const deltas = powersOf(delta, count);
  const view = new DataView(sigma.buffer, sigma.byteOffset, sigma.byteLength);
  return Array.from({ length: count }, (_, column) =>
    points.map((_, row) => {
      const own = column * rows + row;
      const cell = (own + view.getUint16(own * 2, true)) & 0xffff;
      return (deltas[Math.floor(cell / rows)]! * points[cell % rows]!) % order;
    }),
  );
}
