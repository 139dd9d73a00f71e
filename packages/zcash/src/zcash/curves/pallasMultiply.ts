// Scalar multiplication on Pallas: a table of odd multiples per point that several viewing keys share, a recoding per
// viewing key that several points share, and the curve's part of the window tables for fixed bases.
//
// The odd multiples of a point are brought to one common denominator instead of to affine form: scaled by z², z³ they
// are affine points of the isomorphic curve y² = x³ + 5·z⁶, whose addition formulas are the same because they do not
// use the constant. The result only needs its z multiplied by the common one, so no inversion is spent on a table.
import { type CurveArithmetic, createFixedBase, type FixedBase } from './fixedBase.ts';
import { type GlvScalar, recodeScalar, TABLE_SIZE, ZETA } from './glv.ts';
import {
  affinePallas,
  affinePallasAll,
  JacobianAccumulator,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
} from './pallas.ts';

const P = PALLAS_BASE.order;

/** P, 3P, … 15P over one denominator, and their images under the endomorphism (which share y). */
export interface PallasTable {
  readonly x: readonly bigint[];
  readonly phiX: readonly bigint[];
  readonly y: readonly bigint[];
  readonly z: bigint;
}

export function createPallasTable(point: PallasPoint): PallasTable {
  const twice = new JacobianAccumulator().set(point);
  twice.double();
  // On the curve scaled by twice.z, 2P is the affine (twice.x, twice.y).
  const zz = (twice.z * twice.z) % P;
  const current = new JacobianAccumulator().set({
    x: (point.x * zz) % P,
    y: (((point.y * zz) % P) * twice.z) % P,
  });
  const x: bigint[] = [current.x];
  const y: bigint[] = [current.y];
  const growth: bigint[] = [];
  for (let i = 1; i < TABLE_SIZE; i++) {
    // Never degenerate: the order is a large prime, so 2P does not meet ± an odd multiple this small.
    growth.push(current.add(twice.x, twice.y));
    x.push(current.x);
    y.push(current.y);
  }
  let ratio = 1n;
  for (let i = TABLE_SIZE - 2; i >= 0; i--) {
    ratio = (ratio * growth[i]!) % P;
    const square = (ratio * ratio) % P;
    x[i] = (x[i]! * square) % P;
    y[i] = (((y[i]! * square) % P) * ratio) % P;
  }
  return { x, phiX: x.map((value) => (value * ZETA) % P), y, z: (current.z * twice.z) % P };
}

/** The product of a table's point and a recoded scalar: about 127 doublings and 43 additions. */
export function multiplyPallasTable(table: PallasTable, scalar: GlvScalar): JacobianAccumulator {
  const { x, phiX, y } = table;
  const { first, second } = scalar;
  const sum = new JacobianAccumulator();
  for (let bit = first.length - 1; bit >= 0; bit--) {
    sum.double();
    const a = first[bit]!;
    if (a > 0) sum.add(x[a >> 1]!, y[a >> 1]!);
    else if (a < 0) sum.add(x[-a >> 1]!, -y[-a >> 1]!);
    const b = second[bit]!;
    if (b > 0) sum.add(phiX[b >> 1]!, y[b >> 1]!);
    else if (b < 0) sum.add(phiX[-b >> 1]!, -y[-b >> 1]!);
  }
  sum.z = (sum.z * table.z) % P;
  return sum;
}

/** [scalar]·point for any non-negative scalar; undefined is the identity. */
export function multiplyPallas(point: PallasPoint, scalar: bigint): PallasPoint | undefined {
  return affinePallas(multiplyPallasTable(createPallasTable(point), recodeScalar(scalar)));
}

/** A base point of the protocol with its multiples; an undefined product is the identity. */
export type PallasFixedBase = FixedBase<PallasPoint, JacobianAccumulator, PallasPoint | undefined>;

const ARITHMETIC: CurveArithmetic<PallasPoint, JacobianAccumulator, PallasPoint, PallasPoint | undefined> = {
  order: PALLAS_SCALAR_ORDER,
  sum: (point) => (point ? new JacobianAccumulator().set(point) : new JacobianAccumulator()),
  copy: (sum) => sum.clone(),
  double: (sum) => sum.double(),
  add: (sum, { x, y }, sign) => {
    sum.add(x, sign === 1 ? y : -y);
  },
  addends: (sums) =>
    affinePallasAll(sums).map((point) => {
      if (point === undefined) throw new Error('a fixed base has prime order');
      return point;
    }),
  product: affinePallas,
};

/** `derive` gives the base point; it and its table are computed when they are first needed. */
export const createPallasFixedBase = (derive: () => PallasPoint): PallasFixedBase =>
  createFixedBase(ARITHMETIC, derive);
