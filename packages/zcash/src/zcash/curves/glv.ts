// Splitting of Pallas scalars by the curve's endomorphism (Gallant, Lambert, Vanstone): (x, y) -> (zeta·x, y) is
// multiplication by lambda, so k·P = k1·P + k2·phi(P) with both halves below 2^127, and a multiplication needs half
// the doublings.
import { PALLAS_SCALAR_ORDER } from './pallas.ts';

/** The cube root of unity of the base field that matches LAMBDA. */
export const ZETA = 0x12ccca834acdba712caad5dc57aab1b01d1f8bd237ad31491dad5ebdfdfe4ab9n;
/** 5^((r-1)/3) modulo the group order r. */
export const LAMBDA = 0x06819a58283e528e511db4d81cf70f5a0fed467d47c033af2aa9d2e050aa0e4fn;

// A short basis of the lattice {(a, b): a + b·LAMBDA = 0 modulo r}, of determinant r: (A1, -B1) and (B1, A1 + B1).
const A1 = 0x49e69d1640f049157fcae1c700000001n;
const B1 = 0x49e69d1640a899538cb1279300000000n;
const B2 = A1 + B1;

// round(2^384·B2/r) and round(2^384·B1/r): division-free rounding of the coordinates in that basis.
const SHIFT = 384n;
const HALF = 1n << (SHIFT - 1n);
const G1 = 0x24f34e8b2066389a431f0256800000002c35fbd4d086862e0111f686111afc293n;
const G2 = 0x1279a745902a2654e32c49e4bffffffff61afdea68480fa554a95a2d972171db4n;

/**
 * Width 5, that is odd multiples up to 15·P, suits a single product of 127 doublings; width 6 would double the table
 * for 3 % fewer additions.
 */
export const WINDOW_BITS = 5;
export const TABLE_SIZE = 2 ** (WINDOW_BITS - 2);

/** Half-size scalars in width-5 non-adjacent form, least significant digit first, equally long. */
export interface GlvScalar {
  readonly first: Int8Array;
  readonly second: Int8Array;
}

/** k1 + k2·LAMBDA = k modulo the group order; |k1|, |k2| < 2^127 for 0 <= k < group order. */
export function splitScalar(k: bigint): readonly [k1: bigint, k2: bigint] {
  const c1 = (G1 * k + HALF) >> SHIFT;
  const c2 = (G2 * k + HALF) >> SHIFT;
  return [k - c1 * A1 - c2 * B1, c1 * B1 - c2 * B2];
}

/** Digits for multiplyPallasTable; compute once per viewing key. Any non-negative scalar. */
export function recodeScalar(scalar: bigint): GlvScalar {
  const [k1, k2] = splitScalar(scalar % PALLAS_SCALAR_ORDER);
  const length = 129;
  return {
    first: nonAdjacentForm(k1, WINDOW_BITS, length),
    second: nonAdjacentForm(k2, WINDOW_BITS, length),
  };
}

/**
 * Digits in {0, ±1, ±3, …, ±(2^(width-1) - 1)}, least significant first, at most one of `width` neighbours non-zero.
 * |value| must be below 2^(length - 1).
 */
export function nonAdjacentForm(value: bigint, width: number, length: number): Int8Array {
  const digits = new Int8Array(length);
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  const words = new Uint32Array(Math.ceil(length / 32) + 1);
  for (let i = 0, rest = magnitude; rest > 0n; i++, rest >>= 32n) words[i] = Number(BigInt.asUintN(32, rest));
  const window = 2 ** width;
  let carry = 0;
  for (let bit = 0; bit < length; ) {
    const word = bit >>> 5;
    const shift = bit & 31;
    const low = words[word]! >>> shift;
    // Shifting by 32 would leave the word unchanged in JavaScript.
    const bits = shift === 0 ? low : low | (words[word + 1]! << (32 - shift));
    const chunk = (bits & (window - 1)) + carry;
    if ((chunk & 1) === 0) {
      bit++;
      continue;
    }
    const digit = chunk > window / 2 ? chunk - window : chunk;
    carry = digit < 0 ? 1 : 0;
    digits[bit] = negative ? -digit : digit;
    bit += width;
  }
  return digits;
}
