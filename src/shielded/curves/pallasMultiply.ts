// Scalar multiplication on Pallas: a table of odd multiples per point that several viewing keys share, a recoding per
// viewing key that several points share, and window tables for the fixed bases of the protocol.
//
// The odd multiples of a point are brought to one common denominator instead of to affine form: scaled by z², z³ they
// are affine points of the isomorphic curve y² = x³ + 5·z⁶, whose addition formulas are the same because they do not
// use the constant. The result only needs its z multiplied by the common one, so no inversion is spent on a table.
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

/** Windows of 6 bits, signed: 43 additions per product, 1,376 table points, about 5 ms to build at the first use. */
const FIXED_WINDOW_BITS = 6;
const FIXED_ENTRIES = 2 ** (FIXED_WINDOW_BITS - 1);
const FIXED_WINDOWS = Math.ceil(256 / FIXED_WINDOW_BITS);

/** A base point of the protocol with its multiples. */
export interface PallasFixedBase {
  readonly point: PallasPoint;
  /** [scalar]·point for any non-negative scalar. */
  multiply(scalar: bigint): PallasPoint | undefined;
  /** Adds [scalar]·point to the accumulator. */
  addTo(sum: JacobianAccumulator, scalar: bigint): void;
}

/** `derive` gives the base point; it and the table are computed when they are first needed. */
export function createPallasFixedBase(derive: () => PallasPoint): PallasFixedBase {
  let point: PallasPoint | undefined;
  let table: readonly PallasPoint[] | undefined;
  const base = (): PallasPoint => {
    point ??= derive();
    return point;
  };
  const addTo = (sum: JacobianAccumulator, scalar: bigint): void => {
    table ??= createFixedTable(base());
    let rest = scalar % PALLAS_SCALAR_ORDER;
    for (let window = 0; rest > 0n; window++) {
      let digit = Number(BigInt.asUintN(FIXED_WINDOW_BITS, rest));
      rest >>= BigInt(FIXED_WINDOW_BITS);
      if (digit > FIXED_ENTRIES) {
        digit -= 2 * FIXED_ENTRIES;
        rest += 1n;
      }
      if (digit === 0) continue;
      const entry = table[window * FIXED_ENTRIES + Math.abs(digit) - 1]!;
      sum.add(entry.x, digit > 0 ? entry.y : -entry.y);
    }
  };
  return {
    get point() {
      return base();
    },
    addTo,
    multiply(scalar) {
      const sum = new JacobianAccumulator();
      addTo(sum, scalar);
      return affinePallas(sum);
    },
  };
}

/** Entry w·32 + d - 1 is d·64^w·point. */
function createFixedTable(point: PallasPoint): PallasPoint[] {
  const power = new JacobianAccumulator().set(point);
  const powers: { x: bigint; y: bigint; z: bigint }[] = [];
  for (let window = 0; window < FIXED_WINDOWS; window++) {
    powers.push({ x: power.x, y: power.y, z: power.z });
    for (let i = 0; i < FIXED_WINDOW_BITS; i++) power.double();
  }
  const entries: { x: bigint; y: bigint; z: bigint }[] = [];
  for (const start of affinePallasAll(powers)) {
    if (start === undefined) throw new Error('a fixed base has prime order');
    const multiple = new JacobianAccumulator();
    for (let d = 1; d <= FIXED_ENTRIES; d++) {
      multiple.add(start.x, start.y);
      entries.push({ x: multiple.x, y: multiple.y, z: multiple.z });
    }
  }
  return affinePallasAll(entries).map((entry) => {
    if (entry === undefined) throw new Error('a fixed base has prime order');
    return entry;
  });
}
