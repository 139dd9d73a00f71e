// Scalar multiplication on Jubjub: odd multiples per point, shared by several viewing keys; recodings per viewing key,
// shared by several points; window tables for the fixed bases.
import { nonAdjacentForm } from './glv.ts';
import {
  affineJubjub,
  affineJubjubAll,
  ExtendedAccumulator,
  isJubjubIdentity,
  JUBJUB_ORDER,
  type JubjubPoint,
  type NielsPoint,
  type ProjectiveNielsPoint,
  toNiels,
} from './jubjub.ts';

/** Odd multiples up to 15·P: 251 doublings and about 42 additions. Width 6 gains nothing for a single product. */
const WINDOW_BITS = 5;
const TABLE_SIZE = 2 ** (WINDOW_BITS - 2);

/** Digits of a recoded scalar. */
const DIGITS = 254;

/**
 * P, 3P, … 15P; with two parts also the odd multiples of 2^127·P. Those 127 doublings are then spent once per point and
 * no longer once per scalar, which pays from the second scalar on.
 */
export type JubjubTable = readonly (readonly ProjectiveNielsPoint[])[];

/** Digits in width-5 non-adjacent form, least significant first. */
export type JubjubScalar = Int8Array;

export function createJubjubTable(point: JubjubPoint, parts: 1 | 2 = 1): JubjubTable {
  const power = new ExtendedAccumulator().set(point);
  const table = [oddMultiples(power)];
  if (parts === 2) {
    for (let i = 0; i < DIGITS / 2; i++) power.double(i === DIGITS / 2 - 1);
    table.push(oddMultiples(power));
  }
  return table;
}

function oddMultiples(point: ExtendedAccumulator): ProjectiveNielsPoint[] {
  const multiple = point.clone();
  const multiples = [multiple.toProjectiveNiels()];
  const twice = point.clone();
  twice.double();
  const step = twice.toProjectiveNiels();
  for (let i = 1; i < TABLE_SIZE; i++) {
    multiple.addProjective(step);
    multiples.push(multiple.toProjectiveNiels());
  }
  return multiples;
}

/** A scalar in [0, 2^252). It is not reduced: points outside the prime-order subgroup see the integer itself. */
export function recodeJubjubScalar(scalar: bigint): JubjubScalar {
  if (scalar < 0n || scalar >> 252n !== 0n) throw new RangeError('Jubjub scalars are below 2^252');
  return nonAdjacentForm(scalar, WINDOW_BITS, DIGITS);
}

export function multiplyJubjubTable(table: JubjubTable, scalar: JubjubScalar): ExtendedAccumulator {
  const sum = new ExtendedAccumulator();
  const [low, high] = table as readonly [readonly ProjectiveNielsPoint[], (readonly ProjectiveNielsPoint[])?];
  const rows = high === undefined ? DIGITS : DIGITS / 2;
  for (let bit = rows - 1; bit >= 0; bit--) {
    const digit = scalar[bit]!;
    const upper = high === undefined ? 0 : scalar[bit + rows]!;
    sum.double(digit !== 0 || upper !== 0 || bit === 0);
    if (digit !== 0) addMultiple(sum, low, digit);
    if (high !== undefined && upper !== 0) addMultiple(sum, high, upper);
  }
  return sum;
}

function addMultiple(
  sum: ExtendedAccumulator,
  multiples: readonly ProjectiveNielsPoint[],
  digit: number,
): void {
  if (digit > 0) sum.addProjective(multiples[digit >> 1]!);
  else sum.addProjective(multiples[-digit >> 1]!, -1);
}

export function multiplyJubjub(point: JubjubPoint, scalar: bigint): JubjubPoint {
  return affineJubjub(multiplyJubjubTable(createJubjubTable(point), recodeJubjubScalar(scalar)));
}

/** `KA^Sapling.Agree` (§5.4.5.3): [8·scalar]·point, whatever the order of the point. Not yet affine. */
export function agreeJubjub(table: JubjubTable, scalar: JubjubScalar): ExtendedAccumulator {
  const product = multiplyJubjubTable(table, scalar);
  for (let i = 0; i < 3; i++) product.double(i === 2);
  return product;
}

/** Whether the point is in the prime-order subgroup (the identity is). */
export function isInJubjubSubgroup(point: JubjubPoint): boolean {
  return isJubjubIdentity(multiplyJubjub(point, JUBJUB_ORDER));
}

/** Windows of 6 bits, signed: at most 43 additions per product, 1,376 table points. */
const FIXED_WINDOW_BITS = 6;
const FIXED_ENTRIES = 2 ** (FIXED_WINDOW_BITS - 1);
const FIXED_WINDOWS = Math.ceil(254 / FIXED_WINDOW_BITS);

/** A base point of prime order with its multiples. */
export interface JubjubFixedBase {
  readonly point: JubjubPoint;
  /** [scalar]·point for any non-negative scalar. */
  multiply(scalar: bigint): JubjubPoint;
  /** Adds [scalar]·point to the accumulator. */
  addTo(sum: ExtendedAccumulator, scalar: bigint): void;
}

/** `derive` gives the base point; it and the table are computed when they are first needed. */
export function createJubjubFixedBase(derive: () => JubjubPoint): JubjubFixedBase {
  let point: JubjubPoint | undefined;
  let table: readonly NielsPoint[] | undefined;
  const base = (): JubjubPoint => {
    point ??= derive();
    return point;
  };
  const addTo = (sum: ExtendedAccumulator, scalar: bigint): void => {
    table ??= createFixedTable(base());
    let rest = scalar % JUBJUB_ORDER;
    for (let window = 0; rest > 0n; window++) {
      let digit = Number(BigInt.asUintN(FIXED_WINDOW_BITS, rest));
      rest >>= BigInt(FIXED_WINDOW_BITS);
      if (digit > FIXED_ENTRIES) {
        digit -= 2 * FIXED_ENTRIES;
        rest += 1n;
      }
      if (digit !== 0) sum.add(table[window * FIXED_ENTRIES + Math.abs(digit) - 1]!, digit > 0 ? 1 : -1);
    }
  };
  return {
    get point() {
      return base();
    },
    addTo,
    multiply(scalar) {
      const sum = new ExtendedAccumulator();
      addTo(sum, scalar);
      return affineJubjub(sum);
    },
  };
}

/** Entry w·32 + d - 1 is d·64^w·point. */
function createFixedTable(point: JubjubPoint): NielsPoint[] {
  const entries: { u: bigint; v: bigint; z: bigint }[] = [];
  const power = new ExtendedAccumulator().set(point);
  for (let window = 0; window < FIXED_WINDOWS; window++) {
    const step = power.toProjectiveNiels();
    const multiple = new ExtendedAccumulator();
    for (let d = 1; d <= FIXED_ENTRIES; d++) {
      multiple.addProjective(step);
      entries.push({ u: multiple.u, v: multiple.v, z: multiple.z });
    }
    for (let i = 0; i < FIXED_WINDOW_BITS; i++) power.double();
  }
  return affineJubjubAll(entries).map(toNiels);
}
