// The Pallas curve y² = x³ + 5 (protocol specification §5.4.9.6): encoding, Jacobian arithmetic, conversion to affine.
//
// Points that leave this folder are affine with canonical coordinates, and the identity is `undefined`, because a wallet
// refuses it everywhere in the protocol. Between operations an accumulator keeps Jacobian coordinates whose residues may
// be negative, and merges two products into one reduction where it can. Everything is variable-time: apart from key
// derivation on the user's own machine and keys made for one transaction, it only handles viewing keys and public data.
import { decodeInteger32, decodeInteger64, encodeInteger32 } from './integers.ts';
import { createPrimeField } from './primeField.ts';

const P = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
const SIGN_BIT = 1n << 255n;

export const PALLAS_BASE = createPrimeField(P, 5n);
/** The number of points, a prime; also the order of the Vesta base field. */
export const PALLAS_SCALAR_ORDER = 0x40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001n;

/** An affine point other than the identity, with coordinates in [0, p). */
export interface PallasPoint {
  readonly x: bigint;
  readonly y: bigint;
}

/** `repr_P` of a point that is not the identity: 32 bytes, x little-endian, parity of y in the top bit. */
export function encodePallas(point: PallasPoint): Uint8Array {
  const bytes = encodeInteger32(point.x);
  bytes[31]! |= Number(point.y & 1n) << 7;
  return bytes;
}

/**
 * `abst_P` for places that refuse the identity (pk_d, ephemeral keys, ak). Undefined when the 32 bytes at `offset`
 * are the identity, hold x >= p, or name no point.
 */
export function tryDecodePallas(bytes: Uint8Array, offset = 0): PallasPoint | undefined {
  const encoded = decodeInteger32(bytes, offset);
  const x = encoded & (SIGN_BIT - 1n);
  if (x === 0n || x >= P) return undefined;
  const y = PALLAS_BASE.sqrt(((x * x) % P) * x + 5n);
  if (y === undefined) return undefined;
  // y is never 0: the order is odd, so no point has order two.
  return { x, y: (y & 1n) === encoded >> 255n ? y : P - y };
}

/** `Extract_P`: the x-coordinate, 0 for the identity. */
export function extractPallas(point: PallasPoint | undefined): bigint {
  return point === undefined ? 0n : point.x;
}

/** `ToBase`: 64 bytes, little-endian, modulo p. */
export function toPallasBase(bytes: Uint8Array): bigint {
  return decodeInteger64(bytes) % P;
}

/** `ToScalar`: 64 bytes, little-endian, modulo the group order. */
export function toPallasScalar(bytes: Uint8Array): bigint {
  return decodeInteger64(bytes) % PALLAS_SCALAR_ORDER;
}

/**
 * A point in Jacobian coordinates (x/z², y/z³) that is changed in place; z = 0 is the identity. Residues are signed.
 */
export class JacobianAccumulator {
  x = 0n;
  y = 1n;
  z = 0n;

  set(point: PallasPoint): this {
    this.x = point.x;
    this.y = point.y;
    this.z = 1n;
    return this;
  }

  clone(): JacobianAccumulator {
    const copy = new JacobianAccumulator();
    copy.x = this.x;
    copy.y = this.y;
    copy.z = this.z;
    return copy;
  }

  clear(): this {
    this.x = 0n;
    this.y = 1n;
    this.z = 0n;
    return this;
  }

  /** Doubles: 7 products, 6 reductions. Independent of the curve constant, so it serves isomorphic curves too. */
  double(): void {
    const { x, y, z } = this;
    if (z === 0n) return;
    const twiceYY = ((y * y) << 1n) % P;
    const d = ((x * twiceYY) << 1n) % P;
    const e = ((x * x) % P) * 3n;
    const nextX = (e * e - (d << 1n)) % P;
    this.x = nextX;
    this.y = (e * (d - nextX) - ((twiceYY * twiceYY) << 1n)) % P;
    this.z = ((y * z) << 1n) % P;
  }

  /**
   * Adds the affine point (x2, y2), whatever it is relative to this one: 11 products, 10 reductions. Returns what z was
   * multiplied by, which table building needs; 0 in the degenerate cases.
   */
  add(x2: bigint, y2: bigint): bigint {
    const { x, y, z } = this;
    if (z === 0n) {
      this.x = x2;
      this.y = y2;
      this.z = 1n;
      return 0n;
    }
    const zz = (z * z) % P;
    const h = (x2 * zz - x) % P;
    const r = (((y2 * z) % P) * zz - y) % P;
    if (h === 0n) {
      if (r === 0n) this.double();
      else this.clear();
      return 0n;
    }
    const hh = (h * h) % P;
    const hhh = (hh * h) % P;
    const v = (x * hh) % P;
    const nextX = (r * r - hhh - (v << 1n)) % P;
    this.x = nextX;
    this.y = (r * (v - nextX) - y * hhh) % P;
    this.z = (z * h) % P;
    return h;
  }
}

/** Affine forms with one inversion for all; the identity becomes undefined. */
export function affinePallasAll(
  points: readonly { readonly x: bigint; readonly y: bigint; readonly z: bigint }[],
): (PallasPoint | undefined)[] {
  const inverses = points.map((point) => point.z);
  PALLAS_BASE.invertAll(inverses);
  return points.map((point, i) => {
    if (point.z === 0n) return undefined;
    const inverse = inverses[i]!;
    const square = (inverse * inverse) % P;
    return {
      x: PALLAS_BASE.reduce(point.x * square),
      y: PALLAS_BASE.reduce(((point.y * square) % P) * inverse),
    };
  });
}

/** The point in affine coordinates, for one inversion; undefined for the identity. */
export function affinePallas(point: JacobianAccumulator): PallasPoint | undefined {
  return affinePallasAll([point])[0];
}
