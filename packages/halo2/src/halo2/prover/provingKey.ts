// What a prover prepares once for a circuit: the key's columns as rows, coefficients and values in the cosets.

import { SerialQueue } from '@wallet-companion/base/async';
import { concatBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { columnName, lookupExpressions, type RowChallenges } from '../circuit/constraints.ts';
import type { Prepared } from '../verifier/equation.ts';
import { type Column, ELEMENT } from './columns.ts';
import { Domain, PASSES, type Pass } from './domain.ts';
import { StraightLine } from './straightLine.ts';

const { order } = PALLAS_BASE;

/** The unpacked tables of a circuit. */
export interface CircuitTables {
  readonly fixed: Uint8Array;
  readonly sigma: Uint8Array;
}

export interface ProvingKey {
  readonly prepared: Prepared;
  /** Proofs, of which one at a time uses the kernel's memory. */
  readonly proofs: SerialQueue;
  readonly domain: Domain;
  readonly fixed: readonly Column[];
  readonly fixedCoefficients: readonly Column[];
  readonly permutationCoefficients: readonly Column[];
  /** Arrays of rows: for each cell of the columns of copies the cell that it equals, and the rows' own points. */
  readonly permutationRows: readonly number[];
  readonly points: number;
  /** The arrays of each pass, by the column's name. */
  readonly cosets: ReadonlyMap<Pass, ReadonlyMap<string, number>>;
  readonly lookups: StraightLine<RowChallenges>;
  readonly constraints: StraightLine<RowChallenges>;
}

/** Takes some half a second, and 20 MB of the kernel's memory for each pass; a thread that works on one needs no other. */
export function createProvingKey(
  prepared: Prepared,
  { fixed, sigma }: CircuitTables,
  passes: readonly Pass[] = PASSES,
): ProvingKey {
  const { circuit, sums, constraints } = prepared;
  const domain = new Domain(sums.kernel, circuit);
  const { columns } = domain;
  const fixedColumns = cut(fixed, circuit.rows * ELEMENT);
  const points = powersOf(circuit.omega, circuit.rows);
  const permutation = copiedPoints(circuit, sigma, points);
  const [fixedCoefficients, permutationCoefficients] = [fixedColumns, permutation].map((all) =>
    domain.coefficientsOf(all),
  );
  const { rows, blindingRows } = circuit;
  const lastRow = rows - blindingRows - 1;
  const selected = (isSet: (row: number) => boolean): Column =>
    columnOf(Array.from({ length: rows }, (_, row) => (isSet(row) ? 1n : 0n)));
  const [first, last, active, x] = domain.coefficientsOf([
    selected((row) => row === 0),
    selected((row) => row === lastRow),
    selected((row) => row < lastRow),
    columnOf(points),
  ]);
  const named = (kind: 'fixed' | 'permutation', all: readonly Column[]) =>
    all.map((column, i) => [columnName(kind, i), column] as const);
  const shared = new Map<string, Column>([
    ...named('fixed', fixedCoefficients!),
    ...named('permutation', permutationCoefficients!),
    [columnName('first'), first!],
    [columnName('last'), last!],
    [columnName('active'), active!],
    [columnName('x'), x!],
  ]);
  const inCosets = (pass: Pass) =>
    [...shared].map(([name, coefficients]) => {
      const array = domain.cosetArray();
      domain.evaluate(array, coefficients, pass);
      return [name, array] as const;
    });
  const cosets = new Map(passes.map((pass) => [pass, new Map(inCosets(pass))]));
  columns.keep();
  const lookups = lookupExpressions(circuit);
  return {
    prepared,
    proofs: new SerialQueue(),
    domain,
    fixed: fixedColumns,
    fixedCoefficients: fixedCoefficients!,
    permutationCoefficients: permutationCoefficients!,
    permutationRows: permutation.map((column) => columns.rowsOf(column)),
    points: columns.rowsOf(columnOf(points)),
    cosets,
    lookups: new StraightLine(lookups.expressions, lookups.outputs),
    constraints: new StraightLine(constraints.expressions, constraints.outputs),
  };
}

export const columnOf = (values: readonly bigint[]): Column => concatBytes(...values.map(encodeInteger32));

/** The parts of this length; each has a buffer of its own. */
export const cut = (bytes: Uint8Array, length: number): Uint8Array[] =>
  Array.from(
    { length: bytes.length / length },
    (_, i) => new Uint8Array(bytes.subarray(i * length, (i + 1) * length)),
  );

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
): Column[] {
  const count = copySets.flat().length;
  const deltas = powersOf(delta, count);
  const view = new DataView(sigma.buffer, sigma.byteOffset, sigma.byteLength);
  return Array.from({ length: count }, (_, column) =>
    columnOf(
      points.map((_, row) => {
        const own = column * rows + row;
        const cell = (own + view.getUint16(own * 2, true)) & 0xffff;
        return (deltas[Math.floor(cell / rows)]! * points[cell % rows]!) % order;
      }),
    ),
  );
}
