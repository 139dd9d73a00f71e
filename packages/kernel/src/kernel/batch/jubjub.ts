// Constants of Jubjub: the curve in short Weierstrass form, and its points of small order.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { JUBJUB_MODULUS } from '../generator/primeField.ts';
import { encodeInteger } from '../plan/integers.ts';

// Jubjub as a curve in short Weierstrass form, where affine additions are cheap and the kernel's lanes work:
// -u^2 + v^2 = 1 + d u^2 v^2 is the Montgomery curve B y^2 = x^3 + A x^2 + x with x = (1 + v) / (1 - v), y = x / u, and
// that is Y^2 = X^3 + a X + b with X = (x + A/3) / B, Y = y / B.
export const modJubjub = (value: bigint) => ((value % JUBJUB_MODULUS) + JUBJUB_MODULUS) % JUBJUB_MODULUS;

function power(base: bigint, exponent: bigint): bigint {
  let out = 1n;
  for (let b = modJubjub(base), e = exponent; e > 0n; e >>= 1n, b = modJubjub(b * b))
    if (e & 1n) out = modJubjub(out * b);
  return out;
}

export const divideJubjub = (a: bigint, b: bigint) => modJubjub(a * power(b, JUBJUB_MODULUS - 2n));

const D = divideJubjub(-10240n, 10241n);
const MONTGOMERY_A = divideJubjub(2n * (D - 1n), -1n - D);
export const MONTGOMERY_B = divideJubjub(4n, -1n - D);
export const MONTGOMERY_A_THIRD = divideJubjub(MONTGOMERY_A, 3n);
export const WEIERSTRASS_A = divideJubjub(3n - MONTGOMERY_A ** 2n, 3n * MONTGOMERY_B ** 2n);
export const WEIERSTRASS_B = divideJubjub(
  2n * MONTGOMERY_A ** 3n - 9n * MONTGOMERY_A,
  27n * MONTGOMERY_B ** 3n,
);

// The eight points of small order on Jubjub, by their v-coordinate: 1, -1, 0 and two opposite values for order 8.

/** v of two points of order 8; the other two have -v. A root of d v^4 + 2 v^2 - 1. */
const V8 = 0x2a94e9a11036e51a1c98a7d25c54659ec2b6b5720c79b75d00f2df96100b6924n;

const key = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, 32));

function encoding(v: bigint, sign: 0 | 1): string {
  const bytes = encodeInteger(v);
  bytes[31]! |= sign << 7;
  return key(bytes);
}

const ENCODINGS = new Set([
  // A point with u = 0 has only the encoding with sign 0 (ZIP 216).
  encoding(1n, 0),
  encoding(JUBJUB_MODULUS - 1n, 0),
  ...[0n, V8, JUBJUB_MODULUS - V8].flatMap((v) => [encoding(v, 0), encoding(v, 1)]),
]);

/** Whether the 32 bytes are the canonical encoding of a point of order 1, 2, 4 or 8. */
export function smallOrderEncoding(bytes: Uint8Array): boolean {
  return ENCODINGS.has(key(bytes));
}
