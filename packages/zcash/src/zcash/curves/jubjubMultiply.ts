// Scalar multiplication on Jubjub: odd multiples per point, shared by several viewing keys; recodings per viewing key,
// shared by several points; and the curve's part of the window tables for fixed bases. Pallas computes its odd
// multiples in another way: Jubjub has no endomorphism, and its addition takes projective points as they are.
import { type CurveArithmetic, createFixedBase, type FixedBase } from './fixedBase.ts';
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
 * P, 3P, … 15P; with two parts also the odd multiples of 2^127·P. Those 127 doublings are then done once per point
 * instead of once per scalar, which pays off from the second scalar on.
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

/** [scalar]·point, affine. */
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

/** A base point of prime order with its multiples. */
export type JubjubFixedBase = FixedBase<JubjubPoint, ExtendedAccumulator, JubjubPoint>;

const ARITHMETIC: CurveArithmetic<JubjubPoint, ExtendedAccumulator, NielsPoint, JubjubPoint> = {
  order: JUBJUB_ORDER,
  sum: (point) => (point ? new ExtendedAccumulator().set(point) : new ExtendedAccumulator()),
  copy: (sum) => sum.clone(),
  double: (sum) => sum.double(),
  add: (sum, addend, sign) => sum.add(addend, sign),
  addends: (sums) => affineJubjubAll(sums).map(toNiels),
  product: affineJubjub,
};

/** `derive` gives the base point; it and its table are computed when they are first needed. */
export const createJubjubFixedBase = (derive: () => JubjubPoint): JubjubFixedBase =>
  createFixedBase(ARITHMETIC, derive);
