// Multiplication of a fixed base, three bits of the scalar a row. The point of window w with digit k is [(k + 2)·8^w]·B, so
// that none is the identity and no two of one chain are equal; the last window takes the twos back.
import {
  affinePallasAll,
  JacobianAccumulator,
  PALLAS_BASE,
  type PallasPoint,
} from '@wallet-companion/zcash/curves';
import { digitsOf } from './bits.ts';
import { addCompletely, assignAddition, type CompleteAddition } from './completeAddition.ts';
import type { Region, Regions } from './layout.ts';

const { reduce } = PALLAS_BASE;
const WINDOW_BITS = 3;
const DIGITS = 2 ** WINDOW_BITS;

export const SCALAR_WINDOWS = 85;
export const VALUE_WINDOWS = 22;

/** The points of a base's windows, and for each a root that shows in the circuit which of ±y it has. */
export class WindowTable {
  readonly windows: number;
  readonly #points: readonly PallasPoint[];
  readonly #roots: bigint[] = [];
  readonly #z: readonly bigint[];

  /** `z`, of each window: what makes y + z a square for its points, and -y + z for none. */
  constructor(base: PallasPoint, z: readonly bigint[]) {
    this.windows = z.length;
    this.#points = windowPoints(base, z.length);
    this.#z = z;
  }

  point(window: number, digit: number): PallasPoint {
    return this.#points[window * DIGITS + digit]!;
  }

  /** Kept, because all of them at once would take longer than a witness. */
  root(window: number, digit: number): bigint {
    const index = window * DIGITS + digit;
    this.#roots[index] ??= this.#rootOf(this.#points[index]!.y + this.#z[window]!);
    return this.#roots[index];
  }

  #rootOf(square: bigint): bigint {
    const root = PALLAS_BASE.sqrt(square);
    if (root === undefined) throw new Error('the window belongs to another base');
    // The reference crates' choice, by which our tables equal theirs; a verifier takes either.
    return reduce(-root);
  }
}

/** Entry 8·w + k is that of window w and digit k. */
function windowPoints(base: PallasPoint, windows: number): readonly PallasPoint[] {
  const power = new JacobianAccumulator().set(base);
  const powers: JacobianAccumulator[] = [];
  for (let window = 0; window < windows; window++) {
    powers.push(power.clone());
    for (let i = 0; i < WINDOW_BITS; i++) power.double();
  }
  const points = affinePoints(powers);
  const last = new JacobianAccumulator();
  for (const { x, y } of points.slice(0, -1)) {
    last.add(x, -y);
    last.add(x, -y);
  }
  return affinePoints(
    points.flatMap((step, window) => {
      const sum = window === windows - 1 ? last : new JacobianAccumulator().set(step);
      if (window < windows - 1) sum.add(step.x, step.y);
      return Array.from({ length: DIGITS }, () => {
        const entry = sum.clone();
        sum.add(step.x, step.y);
        return entry;
      });
    }),
  );
}

function affinePoints(sums: readonly JacobianAccumulator[]): readonly PallasPoint[] {
  return affinePallasAll(sums).map((point) => {
    if (point === undefined) throw new Error('a base of the protocol has prime order');
    return point;
  });
}

export interface FixedBaseTrace {
  readonly table: WindowTable;
  readonly scalar: bigint;
  readonly digits: readonly number[];
  /** Sums of the windows up to each, without the first and the last. */
  readonly sums: readonly PallasPoint[];
  /** The last window's point and all before it. */
  readonly addition: CompleteAddition;
}

/** The scalar has at most three bits a window. */
export function multiplyFixedBase(table: WindowTable, scalar: bigint): FixedBaseTrace {
  const digits = digitsOf(scalar, WINDOW_BITS, table.windows);
  const sum = new JacobianAccumulator().set(table.point(0, digits[0]!));
  const last = table.windows - 1;
  const partial: JacobianAccumulator[] = [];
  for (let window = 1; window < last; window++) {
    const { x, y } = table.point(window, digits[window]!);
    sum.add(x, y);
    partial.push(sum.clone());
  }
  const sums = affinePoints(partial);
  const addition = addCompletely(table.point(last, digits[last]!), sums.at(-1)!);
  return { table, scalar, digits, sums, addition };
}

/** A scalar as its digits, from which nothing else of the circuit depends. */
export function assignFullScalar(regions: Regions, trace: FixedBaseTrace): void {
  const region = regions.next('Full-width fixed-base mul (incomplete addition)');
  trace.digits.forEach((digit, window) => {
    region.set(4, window, BigInt(digit));
  });
  assignWindows(region, trace);
  assignAddition(
    regions.next('Full-width fixed-base mul (last window, complete addition)'),
    0,
    trace.addition,
  );
}

/** A scalar that is a cell, as a running sum. */
export function assignCellScalar(
  regions: Regions,
  trace: FixedBaseTrace,
  kind: 'Base-field elem' | 'Short',
): void {
  const region = regions.next(`${kind} fixed-base mul (incomplete addition)`);
  for (let i = 0, z = trace.scalar; i <= trace.table.windows; i++, z >>= BigInt(WINDOW_BITS)) {
    region.set(4, i, z);
  }
  assignWindows(region, trace);
}

function assignWindows(region: Region, { table, digits, sums }: FixedBaseTrace): void {
  digits.forEach((digit, window) => {
    const { x, y } = table.point(window, digit);
    region.set(0, window, x);
    region.set(1, window, y);
    region.set(5, window, table.root(window, digit));
  });
  sums.forEach(({ x, y }, i) => {
    region.set(2, i + 2, x);
    region.set(3, i + 2, y);
  });
}
