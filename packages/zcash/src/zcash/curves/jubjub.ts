// The Jubjub curve -u² + v² = 1 + d·u²·v² (protocol specification §5.4.9.3): encoding with the ZIP 216 rules and
// arithmetic in extended coordinates (Hisil, Wong, Carter, Dawson), whose addition is complete here.
//
// Points that leave this folder are affine with canonical coordinates. Unlike on Pallas, the identity (0, 1) and points
// of small order are ordinary points; callers that must refuse them do so themselves.
import { decodeInteger32, decodeInteger64, encodeInteger32 } from './integers.ts';
import { createPrimeField } from './primeField.ts';

const Q = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const D = 0x2a9318e74bfa2b48f5fd9207e6bd7fd4292d7f6d37579d2601065fd6d6343eb1n;
const SIGN_BIT = 1n << 255n;

export const JUBJUB_BASE = createPrimeField(Q, 7n);
/** Order of the prime-order subgroup; the curve has eight times as many points. */
export const JUBJUB_ORDER = 0x0e7db4ea6533afa906673b0101343b00a6682093ccc81082d0970e5ed6f72cb7n;

/** An affine point of the whole curve, with coordinates in [0, q). */
export interface JubjubPoint {
  readonly u: bigint;
  readonly v: bigint;
}

/** Whether it is the neutral element (0, 1), the only point with these coordinates. */
export function isJubjubIdentity(point: JubjubPoint): boolean {
  return point.u === 0n && point.v === 1n;
}

/** `repr_J`: 32 bytes, v little-endian, parity of u in the top bit. */
export function encodeJubjub(point: JubjubPoint): Uint8Array {
  const bytes = encodeInteger32(point.v);
  bytes[31]! |= Number(point.u & 1n) << 7;
  return bytes;
}

/**
 * `abst_J`. Undefined when the 32 bytes at `offset` hold v >= q, name no point, or are the non-canonical encoding
 * of a point with u = 0 (ZIP 216).
 */
export function tryDecodeJubjub(bytes: Uint8Array, offset = 0): JubjubPoint | undefined {
  const encoded = decodeInteger32(bytes, offset);
  const v = encoded & (SIGN_BIT - 1n);
  if (v >= Q) return undefined;
  const vv = (v * v) % Q;
  // 1 + d·v² is never 0, because -1 is a square and d is not.
  const { isSquare, root } = JUBJUB_BASE.sqrtRatio(vv - 1n, 1n + D * vv);
  if (!isSquare) return undefined;
  const sign = encoded >> 255n;
  if (root === 0n) return sign === 0n ? { u: 0n, v } : undefined;
  return { u: (root & 1n) === sign ? root : Q - root, v };
}

/** ToScalar for Sapling: 64 bytes, little-endian, modulo the subgroup order. */
export function toJubjubScalar(bytes: Uint8Array): bigint {
  return decodeInteger64(bytes) % JUBJUB_ORDER;
}

/** An affine point prepared as an addend: v + u, v - u, 2d·u·v. */
export interface NielsPoint {
  readonly sum: bigint;
  readonly difference: bigint;
  readonly product: bigint;
}

/** A point prepared as an addend. */
export function toNiels({ u, v }: JubjubPoint): NielsPoint {
  return { sum: v + u, difference: v - u, product: (((2n * D * u) % Q) * v) % Q };
}

/** A prepared addend for a point over a denominator. */
export interface ProjectiveNielsPoint extends NielsPoint {
  readonly twiceZ: bigint;
}

/** A point (u/z, v/z) with t = u·v/z, changed in place. Residues are signed. */
export class ExtendedAccumulator {
  u = 0n;
  v = 1n;
  z = 1n;
  t = 0n;

  set(point: JubjubPoint): this {
    this.u = point.u;
    this.v = point.v;
    this.z = 1n;
    this.t = (point.u * point.v) % Q;
    return this;
  }

  clone(): ExtendedAccumulator {
    const copy = new ExtendedAccumulator();
    copy.u = this.u;
    copy.v = this.v;
    copy.z = this.z;
    copy.t = this.t;
    return copy;
  }

  /** `keepT` false leaves t stale, which is fine when another doubling follows: 7 products instead of 8. */
  double(keepT = true): void {
    const { u, v, z } = this;
    const uu = u * u;
    const vv = v * v;
    // The published formulas with f and h negated, which negates all four coordinates: the same point.
    const e = ((u * v) << 1n) % Q;
    const f = (((z * z) << 1n) + uu - vv) % Q;
    const g = (vv - uu) % Q;
    const h = (uu + vv) % Q;
    this.u = (e * f) % Q;
    this.v = (g * h) % Q;
    this.z = (f * g) % Q;
    if (keepT) this.t = (e * h) % Q;
  }

  /** Adds (or subtracts) a prepared affine point: 7 products. */
  add(point: NielsPoint, sign: 1 | -1 = 1): void {
    this.#combine(point, this.z << 1n, sign);
  }

  /** Adds (or subtracts) a prepared projective point: 8 products. */
  addProjective(point: ProjectiveNielsPoint, sign: 1 | -1 = 1): void {
    this.#combine(point, (this.z * point.twiceZ) % Q, sign);
  }

  #combine(point: NielsPoint, d: bigint, sign: 1 | -1): void {
    const { u, v, t } = this;
    const plus = sign === 1 ? point.sum : point.difference;
    const minus = sign === 1 ? point.difference : point.sum;
    const a = (v - u) * minus;
    const b = (v + u) * plus;
    const c = sign === 1 ? (t * point.product) % Q : -((t * point.product) % Q);
    const e = (b - a) % Q;
    const f = d - c;
    const g = d + c;
    const h = (b + a) % Q;
    this.u = (e * f) % Q;
    this.v = (g * h) % Q;
    this.t = (e * h) % Q;
    this.z = (f * g) % Q;
  }

  toProjectiveNiels(): ProjectiveNielsPoint {
    return {
      sum: (this.v + this.u) % Q,
      difference: (this.v - this.u) % Q,
      product: (((2n * D) % Q) * this.t) % Q,
      twiceZ: (this.z << 1n) % Q,
    };
  }
}

/** Affine forms with one inversion for all. */
export function affineJubjubAll(
  points: readonly { readonly u: bigint; readonly v: bigint; readonly z: bigint }[],
): JubjubPoint[] {
  const inverses = points.map((point) => point.z);
  JUBJUB_BASE.invertAll(inverses);
  return points.map((point, i) => ({
    u: JUBJUB_BASE.reduce(point.u * inverses[i]!),
    v: JUBJUB_BASE.reduce(point.v * inverses[i]!),
  }));
}

/** The point in affine coordinates, for one inversion. */
export function affineJubjub(point: ExtendedAccumulator): JubjubPoint {
  return affineJubjubAll([point])[0]!;
}

export function addJubjub(a: JubjubPoint, b: JubjubPoint): JubjubPoint {
  const sum = new ExtendedAccumulator().set(a);
  sum.add(toNiels(b));
  return affineJubjub(sum);
}

/** [8]·point, which is in the prime-order subgroup. */
export function clearJubjubCofactor(point: JubjubPoint): JubjubPoint {
  const product = new ExtendedAccumulator().set(point);
  for (let i = 0; i < 3; i++) product.double();
  return affineJubjub(product);
}
