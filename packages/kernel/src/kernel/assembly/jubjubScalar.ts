// Jubjub arithmetic for hits: the steps to verify one Sapling note and derive its nullifier (protocol specification
// §5.4.1.7, §5.4.8.2, §4.16). Extended twisted Edwards coordinates (u, v, z, t) with a = -1 (Hisil, Wong, Carter,
// Dawson 2008); the addition law is complete, so there are no exceptional cases.

import {
  add, copy, ELEMENT, invert, isZero, mul, negate, parity, readElement, readSigned, setOne, sqr, sqrt, sub,
  writeSigned,
} from './fieldElement';
import { ODD_MULTIPLES, PART, POSITIONS, recode, recodeWindows, WINDOW_BITS, WINDOW_ENTRIES } from './windows';

export { invertFour } from './fieldInverse';
export { readElement, writeElement } from './fieldElement';
export { gatherPoints, layOutPairs, storePoints } from './treeLanes';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const V: usize = ELEMENT;
const Z: usize = 2 * ELEMENT;
const T: usize = 3 * ELEMENT;
const POINT: usize = 4 * ELEMENT;
/** Affine point as an addend: v + u, v - u, 2 d u v. */
const NIELS: usize = 3 * ELEMENT;
const AFFINE: usize = 2 * ELEMENT;

const A: usize = memory.data(40, 16);
const B: usize = memory.data(40, 16);
const C: usize = memory.data(40, 16);
const D: usize = memory.data(40, 16);
const E: usize = memory.data(40, 16);
const F: usize = memory.data(40, 16);
const G: usize = memory.data(40, 16);
const H: usize = memory.data(40, 16);
/** d and 2d of the curve equation, set by `initialise`. */
const CURVE_D: usize = memory.data(40, 16);
const CURVE_2D: usize = memory.data(40, 16);

/** `bytes`: the curve's d. */
export function initialise(bytes: usize): void {
  readElement(CURVE_D, bytes);
  add(CURVE_2D, CURVE_D, CURVE_D);
}

/** p = the identity */
export function setIdentity(p: usize): void {
  memory.fill(p, 0, POINT);
  setOne(p + V);
  setOne(p + Z);
}

// @ts-ignore: decorator
@inline
function fromCompleted(p: usize): void {
  mul(p, E, F);
  mul(p + V, G, H);
  mul(p + Z, F, G);
  mul(p + T, E, H);
}

/** p = 2p */
function double(p: usize): void {
  sqr(A, p);
  sqr(B, p + V);
  sqr(C, p + Z);
  add(C, C, C);
  add(E, p, p + V);
  sqr(E, E);
  sub(E, E, A);
  sub(E, E, B);
  sub(G, B, A);
  sub(F, G, C);
  add(H, A, B);
  negate(H, H);
  fromCompleted(p);
}

/** p = p +- (v + u, v - u, 2 d u v) */
function addNiels(p: usize, n: usize, negative: bool): void {
  sub(A, p + V, p);
  mul(A, A, n + (negative ? 0 : ELEMENT));
  add(B, p + V, p);
  mul(B, B, n + (negative ? ELEMENT : 0));
  mul(C, p + T, n + 2 * ELEMENT);
  if (negative) negate(C, C);
  add(D, p + Z, p + Z);
  sub(E, B, A);
  sub(F, D, C);
  add(G, D, C);
  add(H, B, A);
  fromCompleted(p);
}

/** p = p + q */
function addPoint(p: usize, q: usize): void {
  sub(C, q + V, q);
  add(D, q + V, q);
  sub(A, p + V, p);
  mul(A, A, C);
  add(B, p + V, p);
  mul(B, B, D);
  mul(C, p + T, q + T);
  mul(C, C, CURVE_2D);
  mul(D, p + Z, q + Z);
  add(D, D, D);
  sub(E, B, A);
  sub(F, D, C);
  add(G, D, C);
  add(H, B, A);
  fromCompleted(p);
}

const INVERSE: usize = memory.data(40, 16);
/** Products of the z up to each point: a row's entries and the next row's base are the most. */
const PRODUCTS: usize = memory.data(33 * 40, 16);

/** o (affine) = p for `count` points, at most 33, with one inversion; z is never 0. */
export function normalise(o: usize, p: usize, count: usize): void {
  copy(PRODUCTS, p + Z);
  for (let i: usize = 1; i < count; i++) mul(PRODUCTS + i * ELEMENT, PRODUCTS + (i - 1) * ELEMENT, p + i * POINT + Z);
  invert(INVERSE, PRODUCTS + (count - 1) * ELEMENT);
  for (let i: usize = count; i-- > 0; ) {
    const from = p + i * POINT;
    const to = o + i * AFFINE;
    if (i > 0) {
      mul(A, INVERSE, PRODUCTS + (i - 1) * ELEMENT);
      mul(INVERSE, INVERSE, from + Z);
    } else {
      copy(A, INVERSE);
    }
    mul(to, from, A);
    mul(to + V, from + V, A);
  }
}

/** p = an affine point */
export function fromAffine(p: usize, affine: usize): void {
  copy(p, affine);
  copy(p + V, affine + V);
  setOne(p + Z);
  mul(p + T, p, p + V);
}

/** Writes the encoding of an affine point: v, and u's parity in the top bit. */
export function encode(bytes: usize, affine: usize): void {
  writeSigned(bytes, affine + V, affine);
}

/**
 * o (affine) = the point that the 32 bytes encode; false unless they are the canonical encoding of a point (ZIP 216).
 */
export function decode(o: usize, bytes: usize): bool {
  const sign = load<u8>(bytes, 31) >> 7;
  if (!readSigned(o + V, bytes)) return false;
  // u^2 = (v^2 - 1) / (1 + d v^2)
  sqr(A, o + V);
  setOne(B);
  mul(C, A, CURVE_D);
  add(C, C, B);
  sub(B, A, B);
  invert(C, C);
  mul(B, B, C);
  if (!sqrt(D, B)) return false;
  if (isZero(D)) {
    copy(o, D);
    return sign == 0;
  }
  if (parity(D) != <i32>sign) negate(D, D);
  copy(o, D);
  return true;
}

/** p = 8 p; false when it is the identity. */
export function clearCofactor(p: usize): bool {
  double(p);
  double(p);
  double(p);
  return !isIdentity(p);
}

/** Whether p is (0, 1), and not (0, -1). */
export function isIdentity(p: usize): bool {
  sub(A, p + V, p + Z);
  return isZero(p) && isZero(A);
}

const DIGITS: usize = memory.data(264, 16);
const DOUBLED: usize = memory.data(160, 16);
/** The points of a table that is being made. */
const MULTIPLES: usize = memory.data(160 * 33, 16);
const NORMALISED: usize = memory.data(80 * 33, 16);

/** Parts of a scalar. */
const PARTS: usize = 4;

/** Bytes of a table for `multiply`. */
export function tableSize(): usize {
  return PARTS * ODD_MULTIPLES * NIELS;
}

/** The odd multiples of a point and of 2^64, 2^128 and 2^192 times it, as addends. */
export function makeTable(table: usize, point: usize): void {
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
      addPoint(first + i * POINT, DOUBLED);
    }
  }
  normalise(NORMALISED, MULTIPLES, PARTS * ODD_MULTIPLES);
  for (let i: usize = 0; i < PARTS * ODD_MULTIPLES; i++) makeNiels(table + i * NIELS, NORMALISED + i * AFFINE);
}

/** o = 2^`doublings` times scalar (32 bytes) times the point of a table. */
export function multiply(o: usize, table: usize, scalar: usize, doublings: i32): void {
  recode(DIGITS, scalar, POSITIONS);
  setIdentity(o);
  let started = false;
  for (let i = POSITIONS - <i32>(PARTS - 1) * PART - 1; i >= 0; i--) {
    if (started) double(o);
    for (let part: usize = i < PART ? 0 : PARTS - 1; part < PARTS; part++) {
      const digit = <i32>load<i8>(DIGITS + part * PART + <usize>i);
      if (digit == 0) continue;
      addNiels(o, table + (part * ODD_MULTIPLES + <usize>((digit < 0 ? -digit : digit) >> 1)) * NIELS, digit < 0);
      started = true;
    }
  }
  for (let i = 0; i < doublings; i++) double(o);
}

// Tables of a fixed base in rows: row i holds the multiples 1..n of 2^(step i) times the base, as addends.
function makeNiels(o: usize, affine: usize): void {
  add(o, affine + V, affine);
  sub(o + ELEMENT, affine + V, affine);
  mul(o + 2 * ELEMENT, affine, affine + V);
  mul(o + 2 * ELEMENT, o + 2 * ELEMENT, CURVE_2D);
}

/** Bytes of `rows` rows of `perRow` multiples. */
export function rowsSize(rows: usize, perRow: usize): usize {
  return rows * perRow * NIELS;
}

/** The rows of an affine point; at most 32 in each. */
export function makeRows(table: usize, point: usize, rows: usize, perRow: usize, step: i32): void {
  const next = NORMALISED + perRow * AFFINE;
  memory.copy(next, point, AFFINE);
  for (let row: usize = 0; row < rows; row++) {
    const at = table + row * perRow * NIELS;
    makeNiels(at, next);
    fromAffine(MULTIPLES, next);
    for (let i: usize = 1; i < perRow; i++) {
      const multiple = MULTIPLES + i * POINT;
      memory.copy(multiple, multiple - POINT, POINT);
      addNiels(multiple, at, false);
    }
    const power = MULTIPLES + perRow * POINT;
    memory.copy(power, MULTIPLES, POINT);
    for (let i = 0; i < step; i++) double(power);
    normalise(NORMALISED, MULTIPLES, perRow + 1);
    for (let i: usize = 1; i < perRow; i++) makeNiels(at + i * NIELS, NORMALISED + i * AFFINE);
  }
}

/** Bytes of a fixed base's table, for scalars below 2^(6 windows - 1). */
export function fixedBaseSize(windows: usize): usize {
  return rowsSize(windows, WINDOW_ENTRIES);
}

/** The table of an affine point for scalars below 2^(6 windows - 1). */
export function makeFixedBase(table: usize, point: usize, windows: usize): void {
  makeRows(table, point, windows, WINDOW_ENTRIES, WINDOW_BITS);
}

/** p += scalar (32 bytes) times a fixed base. */
export function addFixedBase(p: usize, table: usize, scalar: usize, windows: usize): void {
  recodeWindows(DIGITS, scalar, windows);
  for (let window: usize = 0; window < windows; window++) {
    const digit = <i32>load<i8>(DIGITS + window);
    if (digit == 0) continue;
    addNiels(p, table + (window * WINDOW_ENTRIES + <usize>(digit < 0 ? -digit : digit) - 1) * NIELS, digit < 0);
  }
}

/**
 * Continues the Pedersen hash at p with the three-bit chunks `first` to before `end` of `message`. `generators`: one
 * table of 63 rows of 4 per segment of 63 chunks.
 */
export function addChunks(p: usize, generators: usize, message: usize, first: i32, end: i32): void {
  for (let i = first; i < end; i++) {
    const bit = i * 3;
    const bits = (load<u16>(message + <usize>(bit >> 3)) >> <u16>(bit & 7)) & 7;
    addNiels(p, generators + (<usize>i * 4 + <usize>(bits & 3)) * NIELS, (bits & 4) != 0);
  }
}
