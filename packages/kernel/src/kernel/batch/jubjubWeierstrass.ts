// Jubjub as a curve in short Weierstrass form, where affine additions are cheap and the kernel's lanes work:
// -u^2 + v^2 = 1 + d u^2 v^2 is the Montgomery curve B y^2 = x^3 + A x^2 + x with x = (1 + v) / (1 - v), y = x / u, and
// that is Y^2 = X^3 + a X + b with X = (x + A/3) / B, Y = y / B.

import { JUBJUB_MODULUS } from '../generator/primeField.ts';

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
