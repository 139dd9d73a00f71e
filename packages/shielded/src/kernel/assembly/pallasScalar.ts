// Pallas arithmetic for hits: the steps to verify one note and derive its nullifier (protocol specification
// §5.4.1.6, §5.4.1.9, §5.4.1.10, §5.4.8.4).
//
// Points are Jacobian, three elements; z = 0 represents the identity and for every exceptional case of the incomplete
// formulas. Once z is 0 it stays 0, and the caller falls back to the reference.

import {
  add, copy, ELEMENT, invert, isZero, mul, negate, readElement, setOne, sqr, sqrt, sub, writeElement,
} from './fieldElement';
import { HALF_POSITIONS, ODD_MULTIPLES, recode } from './windows';

export { invertFour } from './fieldInverse';
export { readElement, writeElement } from './fieldElement';
export { gatherPoints, layOutPairs, storePoints } from './treeLanes';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const Y: usize = ELEMENT;
const Z: usize = 2 * ELEMENT;
const POINT: usize = 3 * ELEMENT;
const AFFINE: usize = 2 * ELEMENT;

const A: usize = memory.data(40, 16);
const B: usize = memory.data(40, 16);
const C: usize = memory.data(40, 16);
const D: usize = memory.data(40, 16);
const E: usize = memory.data(40, 16);
const F: usize = memory.data(40, 16);
const G: usize = memory.data(40, 16);
const H: usize = memory.data(40, 16);
const R: usize = memory.data(40, 16);
const T: usize = memory.data(40, 16);

/** p = 2p */
function double(p: usize): void {
  sqr(A, p);
  sqr(B, p + Y);
  sqr(C, B);
  // D = 2 ((x + y^2)^2 - x^2 - y^4)
  add(D, p, B);
  sqr(D, D);
  sub(D, D, A);
  sub(D, D, C);
  add(D, D, D);
  add(E, A, A);
  add(E, E, A);
  mul(T, p + Y, p + Z);
  add(p + Z, T, T);
  sqr(p, E);
  sub(p, p, D);
  sub(p, p, D);
  sub(D, D, p);
  mul(D, D, E);
  add(C, C, C);
  add(C, C, C);
  add(C, C, C);
  sub(p + Y, D, C);
}

/** p = p + (ax, ay). p = +-(ax, ay) gives z = 0. */
function addAffine(p: usize, ax: usize, ay: usize): void {
  sqr(A, p + Z);
  mul(H, ax, A);
  sub(H, H, p);
  mul(R, A, p + Z);
  mul(R, R, ay);
  sub(R, R, p + Y);
  finishAddition(p, p, p + Y);
}

/** With h in H, r in R: p = sum over z * h; (x, y) is the first operand over z. */
function finishAddition(p: usize, x: usize, y: usize): void {
  mul(p + Z, p + Z, H);
  sqr(B, H);
  mul(C, B, H);
  mul(D, x, B);
  mul(E, y, C);
  sqr(F, R);
  sub(F, F, C);
  sub(F, F, D);
  sub(F, F, D);
  sub(D, D, F);
  mul(D, D, R);
  sub(p + Y, D, E);
  copy(p, F);
}

const U1: usize = memory.data(40, 16);
const S1: usize = memory.data(40, 16);

/** p = p + q, both Jacobian, q's y negated or not. */
function addPoint(p: usize, q: usize, negative: bool): void {
  sqr(A, p + Z);
  sqr(G, q + Z);
  mul(U1, p, G);
  mul(G, G, q + Z);
  mul(S1, p + Y, G);
  mul(H, q, A);
  sub(H, H, U1);
  mul(R, A, p + Z);
  mul(R, R, q + Y);
  if (negative) negate(R, R);
  sub(R, R, S1);
  mul(p + Z, p + Z, q + Z);
  finishAddition(p, U1, S1);
}

const INVERSE: usize = memory.data(40, 16);

/** o (affine) = p; false for z = 0. */
function normalise(o: usize, p: usize): bool {
  if (isZero(p + Z)) return false;
  invert(INVERSE, p + Z);
  sqr(A, INVERSE);
  mul(o, p, A);
  mul(A, A, INVERSE);
  mul(o + Y, p + Y, A);
  return true;
}

function fromAffine(o: usize, affine: usize): void {
  memory.copy(o, affine, AFFINE);
  setOne(o + Z);
}

/** Writes the encoding of an affine point: x, and y's parity in the top bit. */
export function encode(bytes: usize, affine: usize): void {
  const parity = writeElement(bytes, affine + Y);
  writeElement(bytes, affine);
  store<u8>(bytes, load<u8>(bytes, 31) | <u8>(parity << 7), 31);
}

const DIGITS: usize = memory.data(264, 16);
const ACCUMULATOR: usize = memory.data(120, 16);
const DOUBLED: usize = memory.data(120, 16);

/** Bytes of a table for `multiply`. */
export function tableSize(): usize {
  return ODD_MULTIPLES * POINT;
}

/** Odd multiples of an affine point. */
export function makeTable(table: usize, affine: usize): void {
  fromAffine(table, affine);
  memory.copy(DOUBLED, table, POINT);
  double(DOUBLED);
  for (let i: usize = 1; i < ODD_MULTIPLES; i++) {
    memory.copy(table + i * POINT, table + (i - 1) * POINT, POINT);
    addPoint(table + i * POINT, DOUBLED, false);
  }
}

const DIGITS_B: usize = memory.data(136, 16);
const ROTATED: usize = memory.data(120, 16);
/** zeta of the endomorphism (x, y) -> (zeta x, y), set by `initialise`. */
const ZETA: usize = memory.data(40, 16);

/** `bytes`: zeta. */
export function initialise(bytes: usize): void {
  readElement(ZETA, bytes);
}

/**
 * o (affine) = (+-a +- b lambda) times the table's point, a and b 32-byte integers below 2^128. False when the result
 * is the identity or undetermined.
 */
export function multiply(o: usize, table: usize, a: usize, aNegative: bool, b: usize, bNegative: bool): bool {
  recode(DIGITS, a, HALF_POSITIONS);
  recode(DIGITS_B, b, HALF_POSITIONS);
  let started = false;
  for (let i = HALF_POSITIONS - 1; i >= 0; i--) {
    if (started) double(ACCUMULATOR);
    for (let half = 0; half < 2; half++) {
      const digit = <i32>load<i8>((half == 0 ? DIGITS : DIGITS_B) + <usize>i);
      if (digit == 0) continue;
      let entry = table + <usize>((digit < 0 ? -digit : digit) >> 1) * POINT;
      if (half == 1) {
        memory.copy(ROTATED, entry, POINT);
        mul(ROTATED, ROTATED, ZETA);
        entry = ROTATED;
      }
      const negative = digit < 0 != (half == 0 ? aNegative : bNegative);
      if (started) {
        addPoint(ACCUMULATOR, entry, negative);
      } else {
        memory.copy(ACCUMULATOR, entry, POINT);
        if (negative) negate(ACCUMULATOR + Y, ACCUMULATOR + Y);
        started = true;
      }
    }
  }
  return started && normalise(o, ACCUMULATOR);
}

// Fixed bases: for each of 64 four-bit windows the affine multiples 1..15.
const WINDOWS: usize = 64;
const WINDOW_POINTS: usize = 15;
const MULTIPLES: usize = memory.data(120 * 17, 16);

export function fixedBaseSize(): usize {
  return WINDOWS * WINDOW_POINTS * AFFINE;
}

export function makeFixedBase(table: usize, affine: usize): void {
  fromAffine(MULTIPLES + POINT, affine);
  for (let window: usize = 0; window < WINDOWS; window++) {
    const row = table + window * WINDOW_POINTS * AFFINE;
    memory.copy(row, MULTIPLES + POINT, AFFINE);
    for (let i: usize = 2; i <= WINDOW_POINTS + 1; i++) {
      const at = MULTIPLES + i * POINT;
      if (i & 1) {
        memory.copy(at, at - POINT, POINT);
        addAffine(at, row, row + Y);
      } else {
        memory.copy(at, MULTIPLES + (i >> 1) * POINT, POINT);
        double(at);
      }
      if (i <= WINDOW_POINTS) normalise(row + (i - 1) * AFFINE, at);
    }
    normalise(MULTIPLES + POINT, MULTIPLES + (WINDOW_POINTS + 1) * POINT);
    setOne(MULTIPLES + POINT + Z);
  }
}

/** p = p + scalar * base; z = 0 when undetermined. */
function addFixed(p: usize, table: usize, scalar: usize): void {
  for (let window: usize = 0; window < WINDOWS; window++) {
    const digit = (load<u8>(scalar + (window >> 1)) >> <u8>((window & 1) << 2)) & 15;
    if (digit == 0) continue;
    const entry = table + (window * WINDOW_POINTS + <usize>(digit - 1)) * AFFINE;
    addAffine(p, entry, entry + Y);
  }
}

// Hash to curve.
const SWU_U: usize = memory.data(40, 16);
const SWU_ZUU: usize = memory.data(40, 16);
const SWU_X: usize = memory.data(40, 16);
const SWU_Y: usize = memory.data(40, 16);
const SWU_G: usize = memory.data(40, 16);
const SWU_BYTES: usize = memory.data(32, 16);

/** SWU_G = x^3 + a x + b on iso-Pallas. */
function isoCurve(constants: usize): void {
  sqr(SWU_G, SWU_X);
  add(SWU_G, SWU_G, constants);
  mul(SWU_G, SWU_G, SWU_X);
  add(SWU_G, SWU_G, constants + ELEMENT);
}

/** o = the polynomial with `count` coefficients, highest degree first, at SWU_X. */
function evaluate(o: usize, coefficients: usize, count: usize): void {
  copy(o, coefficients);
  for (let i: usize = 1; i < count; i++) {
    mul(o, o, SWU_X);
    add(o, o, coefficients + i * ELEMENT);
  }
}

const ISO_XD: usize = memory.data(40, 16);
const ISO_YD: usize = memory.data(40, 16);
const ISO_BOTH: usize = memory.data(40, 16);

/**
 * o (affine) = the image on Pallas of map_to_curve(u) (RFC 9380 §6.6.2 and the 3-isogeny). `constants`: a, b, Z, then
 * the isogeny's coefficients: x numerator 4, x denominator 3, y numerator 4, y denominator 4. False: undetermined.
 */
function mapToCurve(o: usize, u: usize, constants: usize): bool {
  const a = constants;
  const b = constants + ELEMENT;
  readElement(SWU_U, u);
  sqr(SWU_ZUU, SWU_U);
  mul(SWU_ZUU, SWU_ZUU, constants + 2 * ELEMENT);
  sqr(A, SWU_ZUU);
  add(A, A, SWU_ZUU);
  if (isZero(A)) return false;
  // x1 = b (1 + t) / (-a t)
  setOne(B);
  add(B, B, A);
  mul(B, B, b);
  mul(A, A, a);
  negate(A, A);
  invert(A, A);
  mul(SWU_X, A, B);
  isoCurve(constants);
  if (!sqrt(SWU_Y, SWU_G)) {
    mul(SWU_X, SWU_X, SWU_ZUU);
    isoCurve(constants);
    if (!sqrt(SWU_Y, SWU_G)) return false;
  }
  if (writeElement(SWU_BYTES, SWU_Y) != (load<u8>(u) & 1)) negate(SWU_Y, SWU_Y);
  const coefficients = constants + 3 * ELEMENT;
  evaluate(o, coefficients, 4);
  evaluate(ISO_XD, coefficients + 4 * ELEMENT, 3);
  evaluate(o + Y, coefficients + 7 * ELEMENT, 4);
  evaluate(ISO_YD, coefficients + 11 * ELEMENT, 4);
  mul(ISO_BOTH, ISO_XD, ISO_YD);
  if (isZero(ISO_BOTH)) return false;
  invert(ISO_BOTH, ISO_BOTH);
  mul(ISO_YD, ISO_YD, ISO_BOTH);
  mul(ISO_XD, ISO_XD, ISO_BOTH);
  mul(o, o, ISO_YD);
  mul(o + Y, o + Y, ISO_XD);
  mul(o + Y, o + Y, SWU_Y);
  return true;
}

const IMAGE: usize = memory.data(80, 16);

/** o (affine) = the sum of the images of two field elements (canonical, 32 bytes each). */
export function hashToCurve(o: usize, u: usize, constants: usize): bool {
  if (!mapToCurve(o, u, constants)) return false;
  if (!mapToCurve(IMAGE, u + 32, constants)) return false;
  fromAffine(ACCUMULATOR, o);
  addAffine(ACCUMULATOR, IMAGE, IMAGE + Y);
  return normalise(o, ACCUMULATOR);
}

// Sinsemilla.
const SUM: usize = memory.data(120, 16);
const TX: usize = memory.data(40, 16);
const TY: usize = memory.data(40, 16);
const V: usize = memory.data(40, 16);
const W: usize = memory.data(40, 16);

/** SUM = (SUM + s) + SUM. The first sum rewrites SUM over its own denominator, where the second addition is cheap. */
function sinsemillaStep(s: usize): void {
  const x = SUM;
  const y = SUM + Y;
  const z = SUM + Z;
  sqr(A, z);
  mul(H, s, A);
  sub(H, H, x);
  mul(R, A, z);
  mul(R, R, s + Y);
  sub(R, R, y);
  sqr(B, H);
  mul(C, B, H);
  mul(V, x, B);
  mul(W, y, C);
  sqr(TX, R);
  sub(TX, TX, C);
  sub(TX, TX, V);
  sub(TX, TX, V);
  sub(D, V, TX);
  mul(TY, R, D);
  sub(TY, TY, W);
  sub(E, W, TY);
  mul(z, z, H);
  mul(z, z, D);
  sqr(F, D);
  mul(A, V, F);
  mul(B, TX, F);
  sqr(x, E);
  sub(x, x, A);
  sub(x, x, B);
  sub(G, A, x);
  mul(y, E, G);
  sub(A, A, B);
  mul(A, A, W);
  sub(y, y, A);
}

/**
 * The commitment point as Jacobian at `o`: Sinsemilla of `pieces` ten-bit pieces of `message` from the affine point
 * `start`, plus scalar times the fixed base. `generators`: the 1,024 affine points S(j).
 */
export function commit(
  o: usize, start: usize, generators: usize, message: usize, pieces: i32, fixedBase: usize, scalar: usize,
): void {
  fromAffine(SUM, start);
  for (let i = 0; i < pieces; i++) {
    const bit = i * 10;
    const word = load<u32>(message + <usize>(bit >> 3));
    sinsemillaStep(generators + <usize>((word >> <u32>(bit & 7)) & 1023) * AFFINE);
  }
  addFixed(SUM, fixedBase, scalar);
  memory.copy(o, SUM, POINT);
}

/** o (Jacobian) += scalar * fixed base. */
export function addFixedBase(o: usize, fixedBase: usize, scalar: usize): void {
  addFixed(o, fixedBase, scalar);
}

/** Writes the x-coordinate of a Jacobian point; false when undetermined. */
export function extract(bytes: usize, point: usize): bool {
  if (!normalise(IMAGE, point)) return false;
  writeElement(bytes, IMAGE);
  return true;
}

// Poseidon, width 3, x^5, 8 full and 56 partial rounds.
const STATE: usize = memory.data(120, 16);
const NEXT: usize = memory.data(120, 16);

function power5(a: usize): void {
  sqr(T, a);
  sqr(T, T);
  mul(a, a, T);
}

/**
 * Writes the hash of two integers (32 bytes each). `constants`: the capacity, 192 round constants, the matrix by rows.
 */
export function poseidon(bytes: usize, first: usize, second: usize, constants: usize): void {
  readElement(STATE, first);
  readElement(STATE + Y, second);
  copy(STATE + Z, constants);
  const matrix = constants + 193 * ELEMENT;
  let key = constants + ELEMENT;
  for (let round = 0; round < 64; round++) {
    for (let i: usize = 0; i < 3; i++) {
      add(STATE + i * ELEMENT, STATE + i * ELEMENT, key);
      key += ELEMENT;
      if (i == 0 || round < 4 || round >= 60) power5(STATE + i * ELEMENT);
    }
    for (let i: usize = 0; i < 3; i++) {
      const row = matrix + i * POINT;
      mul(A, row, STATE);
      mul(B, row + ELEMENT, STATE + Y);
      mul(C, row + 2 * ELEMENT, STATE + Z);
      add(A, A, B);
      add(NEXT + i * ELEMENT, A, C);
    }
    memory.copy(STATE, NEXT, POINT);
  }
  writeElement(bytes, STATE);
}

/** Reads an affine point from two integers. */
export function readAffine(o: usize, bytes: usize): void {
  readElement(o, bytes);
  readElement(o + Y, bytes + 32);
}
