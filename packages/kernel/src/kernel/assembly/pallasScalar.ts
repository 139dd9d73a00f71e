// Pallas arithmetic for hits: the steps to verify one note and derive its nullifier (protocol specification
// §5.4.1.6, §5.4.1.9, §5.4.1.10, §5.4.8.4).
//
// Where a point's z is 0, the caller falls back to the reference.

import {
  add, copy, ELEMENT, inverseRoot, invert, isZero, mul, negate, parity, readElement, setOne, sqr, sqrt, sub, writeElement,
} from './fieldElement';
import {
  A, AFFINE, addAffine, addPoint, B, C, D, double, E, F, fromAffine, G, H, normalise, POINT, R, T, Y, Z,
} from './pastaPoint';
import { HALF_POSITIONS, HALF_WINDOWS, ODD_MULTIPLES, PART, recode, recodeWindows, WINDOW_ENTRIES } from './windows';

export { invertFour } from './fieldInverse';
export { readElement, writeElement } from './fieldElement';
export { decode, decodeCoordinates, encode, fromAffine, normalise, readAffine } from './pastaPoint';
export { gatherPoints, layOutPairs, storePoints } from './treeLanes';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const DIGITS: usize = memory.data(264, 16);
const DOUBLED: usize = memory.data(120, 16);
/** The points of a table that is being made. */
const MULTIPLES: usize = memory.data(120 * 33, 16);

/** Parts of a half scalar. */
const PARTS: usize = 2;

/** Bytes of a table for `multiply`. */
export function tableSize(): usize {
  return PARTS * ODD_MULTIPLES * AFFINE;
}

/** The affine odd multiples of a Jacobian point and of 2^64 times it; false when undetermined. */
export function makeTable(table: usize, point: usize): bool {
  memory.copy(MULTIPLES, point, POINT);
  for (let part: usize = 0; part < PARTS; part++) {
    const first = MULTIPLES + part * ODD_MULTIPLES * POINT;
    if (part > 0) {
      memory.copy(first, first - ODD_MULTIPLES * POINT, POINT);
      for (let i = 0; i < PART; i++) double(first);
    }
    memory.copy(DOUBLED, first, POINT);
    double(DOUBLED);
    for (let i: usize = 1; i < ODD_MULTIPLES; i++) {
      memory.copy(first + i * POINT, first + (i - 1) * POINT, POINT);
      addPoint(first + i * POINT, DOUBLED, false);
    }
  }
  return normalise(table, MULTIPLES, PARTS * ODD_MULTIPLES);
}

const DIGITS_B: usize = memory.data(136, 16);
const ROTATED: usize = memory.data(120, 16);
/** zeta of the endomorphism (x, y) -> (zeta x, y), and its square, set by `initialise`. */
const ZETA: usize = memory.data(40, 16);
const ZETA_SQUARED: usize = memory.data(40, 16);

/** `bytes`: zeta. */
export function initialise(bytes: usize): void {
  readElement(ZETA, bytes);
  sqr(ZETA_SQUARED, ZETA);
}

/** Adds an affine point, or its negative, to p; a p that is not `started` is replaced. */
function addEntry(p: usize, x: usize, y: usize, negative: bool, started: bool): void {
  if (negative) {
    negate(ROTATED + Y, y);
    y = ROTATED + Y;
  }
  if (started) {
    addAffine(p, x, y);
  } else {
    copy(p, x);
    copy(p + Y, y);
    setOne(p + Z);
  }
}

/**
 * o (Jacobian) = (+-a +- b lambda) times the point of a table, a and b 32-byte integers below 2^128. z = 0 when the
 * result is the identity or undetermined.
 */
export function multiply(o: usize, table: usize, a: usize, aNegative: bool, b: usize, bNegative: bool): void {
  recode(DIGITS, a, HALF_POSITIONS);
  recode(DIGITS_B, b, HALF_POSITIONS);
  let started = false;
  memory.fill(o, 0, POINT);
  for (let i = HALF_POSITIONS - PART - 1; i >= 0; i--) {
    if (started) double(o);
    for (let position = i < PART ? i : i + PART; position < HALF_POSITIONS; position += PART) {
      const part = table + <usize>(position == i ? 0 : 1) * ODD_MULTIPLES * AFFINE;
      for (let half = 0; half < 2; half++) {
        const digit = <i32>load<i8>((half == 0 ? DIGITS : DIGITS_B) + <usize>position);
        if (digit == 0) continue;
        const entry = part + <usize>((digit < 0 ? -digit : digit) >> 1) * AFFINE;
        let x = entry;
        if (half == 1) {
          mul(ROTATED, entry, ZETA);
          x = ROTATED;
        }
        addEntry(o, x, entry + Y, digit < 0 != (half == 0 ? aNegative : bNegative), started);
        started = true;
      }
    }
  }
}

// Fixed bases: for each window of a half scalar the affine multiples 1..32, which serve both halves.
const NORMALISED: usize = memory.data(80 * 33, 16);

/** Bytes of a fixed base's table. */
export function fixedBaseSize(): usize {
  return HALF_WINDOWS * WINDOW_ENTRIES * AFFINE;
}

/** The table of an affine point. */
export function makeFixedBase(table: usize, point: usize): void {
  memory.copy(NORMALISED + WINDOW_ENTRIES * AFFINE, point, AFFINE);
  for (let window: usize = 0; window < HALF_WINDOWS; window++) {
    const base = NORMALISED + WINDOW_ENTRIES * AFFINE;
    fromAffine(MULTIPLES, base);
    for (let i: usize = 2; i <= WINDOW_ENTRIES; i++) {
      const at = MULTIPLES + (i - 1) * POINT;
      if (i & 1) {
        memory.copy(at, at - POINT, POINT);
        addAffine(at, base, base + Y);
      } else {
        memory.copy(at, MULTIPLES + ((i >> 1) - 1) * POINT, POINT);
        double(at);
      }
    }
    const next = MULTIPLES + WINDOW_ENTRIES * POINT;
    memory.copy(next, next - POINT, POINT);
    double(next);
    normalise(NORMALISED, MULTIPLES, WINDOW_ENTRIES + 1);
    memory.copy(table + window * WINDOW_ENTRIES * AFFINE, NORMALISED, WINDOW_ENTRIES * AFFINE);
  }
}

/** p = p +- half * base; a p that is not `started` is replaced. Returns whether p is started now. */
function addHalf(p: usize, table: usize, half: usize, negative: bool, started: bool): bool {
  recodeWindows(DIGITS, half, HALF_WINDOWS);
  for (let window: usize = 0; window < HALF_WINDOWS; window++) {
    const digit = <i32>load<i8>(DIGITS + window);
    if (digit == 0) continue;
    const entry = table + (window * WINDOW_ENTRIES + <usize>(digit < 0 ? -digit : digit) - 1) * AFFINE;
    addEntry(p, entry, entry + Y, digit < 0 != negative, started);
    started = true;
  }
  return started;
}

/** p (Jacobian) += (+-a +- b lambda) times a fixed base, the halves as in `multiply`; z = 0 when undetermined. */
export function addFixedBase(p: usize, table: usize, a: usize, aNegative: bool, b: usize, bNegative: bool): void {
  mul(p, p, ZETA_SQUARED);
  addHalf(p, table, b, bNegative, true);
  mul(p, p, ZETA);
  addHalf(p, table, a, aNegative, true);
}

/** o (Jacobian) = (+-a +- b lambda) times a fixed base; z = 0 when it is the identity or undetermined. */
export function multiplyFixedBase(o: usize, table: usize, a: usize, aNegative: bool, b: usize, bNegative: bool): void {
  memory.fill(o, 0, POINT);
  const started = addHalf(o, table, b, bNegative, false);
  mul(o, o, ZETA);
  addHalf(o, table, a, aNegative, started);
}

// Hash to curve.
const SWU_U: usize = memory.data(80, 16);
const SWU_ZUU: usize = memory.data(80, 16);
/** t = Z^2 u^4 + Z u^2 */
const SWU_T: usize = memory.data(80, 16);
const SWU_X1: usize = memory.data(80, 16);
const SWU_X: usize = memory.data(40, 16);
const SWU_Y: usize = memory.data(40, 16);
const SWU_G: usize = memory.data(40, 16);
/** A square root of Z over the root of unity by which `sqrt` multiplies non-squares. */
const THETA: usize = memory.data(40, 16);
let thetaIsKnown = false;

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

/**
 * o (Jacobian) = the image on Pallas of map_to_curve(u) (RFC 9380 §6.6.2 and the 3-isogeny); z = 0: undetermined.
 * `bytes`: u. `zuu`: Z u^2. `x`: the first abscissa x1. g(Z u^2 x1) = Z^3 u^6 g(x1), so one root serves both.
 */
function mapToCurve(o: usize, bytes: usize, u: usize, zuu: usize, x: usize, constants: usize): void {
  copy(SWU_X, x);
  sqr(SWU_G, SWU_X);
  add(SWU_G, SWU_G, constants);
  mul(SWU_G, SWU_G, SWU_X);
  add(SWU_G, SWU_G, constants + ELEMENT);
  if (!sqrt(SWU_Y, SWU_G)) {
    mul(SWU_X, SWU_X, zuu);
    mul(SWU_Y, SWU_Y, THETA);
    mul(SWU_Y, SWU_Y, zuu);
    mul(SWU_Y, SWU_Y, u);
  }
  if (parity(SWU_Y) != (load<u8>(bytes) & 1)) negate(SWU_Y, SWU_Y);
  const coefficients = constants + 3 * ELEMENT;
  evaluate(o, coefficients, 4);
  evaluate(ISO_XD, coefficients + 4 * ELEMENT, 3);
  evaluate(o + Y, coefficients + 7 * ELEMENT, 4);
  evaluate(ISO_YD, coefficients + 11 * ELEMENT, 4);
  // z = xd yd, so that xn / xd = xn xd yd^2 / z^2 and y yn / yd = y yn xd^3 yd^2 / z^3.
  mul(o + Z, ISO_XD, ISO_YD);
  mul(A, o + Z, ISO_YD);
  mul(o, o, A);
  mul(A, A, ISO_XD);
  mul(A, A, ISO_XD);
  mul(o + Y, o + Y, A);
  mul(o + Y, o + Y, SWU_Y);
}

const IMAGE: usize = memory.data(120, 16);

/**
 * o (Jacobian) = the sum of the images of two field elements (canonical, 32 bytes each). `constants`: a, b, Z of the
 * map, then the isogeny's coefficients: x numerator 4, x denominator 3, y numerator 4, y denominator 4. False, or
 * z = 0: undetermined.
 */
export function hashToCurve(o: usize, bytes: usize, constants: usize): bool {
  const a = constants;
  const b = constants + ELEMENT;
  const z = constants + 2 * ELEMENT;
  if (!thetaIsKnown) {
    mul(THETA, z, inverseRoot());
    if (!sqrt(THETA, THETA)) return false;
    thetaIsKnown = true;
  }
  for (let i: usize = 0; i < 2 * ELEMENT; i += ELEMENT) {
    readElement(SWU_U + i, bytes + (i == 0 ? 0 : 32));
    sqr(SWU_ZUU + i, SWU_U + i);
    mul(SWU_ZUU + i, SWU_ZUU + i, z);
    sqr(SWU_T + i, SWU_ZUU + i);
    add(SWU_T + i, SWU_T + i, SWU_ZUU + i);
  }
  // x1 = b (1 + t) / (-a t), with one inversion for both
  mul(A, SWU_T, SWU_T + ELEMENT);
  mul(A, A, a);
  negate(A, A);
  if (isZero(A)) return false;
  invert(A, A);
  setOne(C);
  for (let i: usize = 0; i < 2 * ELEMENT; i += ELEMENT) {
    const other = i == 0 ? ELEMENT : 0;
    add(B, SWU_T + i, C);
    mul(B, B, b);
    mul(B, B, A);
    mul(SWU_X1 + i, B, SWU_T + other);
  }
  mapToCurve(o, bytes, SWU_U, SWU_ZUU, SWU_X1, constants);
  mapToCurve(IMAGE, bytes + 32, SWU_U + ELEMENT, SWU_ZUU + ELEMENT, SWU_X1 + ELEMENT, constants);
  addPoint(o, IMAGE, false);
  return true;
}

// Sinsemilla.
const TX: usize = memory.data(40, 16);
const TY: usize = memory.data(40, 16);
const V: usize = memory.data(40, 16);
const W: usize = memory.data(40, 16);

/** p = (p + s) + p. The first sum rewrites p over its own denominator, where the second addition is cheap. */
function sinsemillaStep(p: usize, s: usize): void {
  const x = p;
  const y = p + Y;
  const z = p + Z;
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
 * Continues Sinsemilla at the Jacobian point p with the pieces `first` to before `end`, of ten bits each, of
 * `message`. `generators`: the 1,024 affine points S(j).
 */
export function addPieces(p: usize, generators: usize, message: usize, first: i32, end: i32): void {
  for (let i = first; i < end; i++) {
    const bit = i * 10;
    const word = load<u32>(message + <usize>(bit >> 3));
    sinsemillaStep(p, generators + <usize>((word >> <u32>(bit & 7)) & 1023) * AFFINE);
  }
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
