// Jubjub arithmetic for hits: the steps to verify one Sapling note and derive its nullifier (protocol specification
// §5.4.1.7, §5.4.8.2, §4.16). Extended twisted Edwards coordinates (u, v, z, t) with a = -1 (Hisil, Wong, Carter,
// Dawson 2008); the addition law is complete, so there are no exceptional cases.

import {
  add, copy, ELEMENT, invert, isOne, isZero, mul, negate, readElement, setOne, sqr, sqrt, sub, writeElement,
} from './fieldElement';
import { ODD_MULTIPLES, POSITIONS, recode } from './windows';

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

function setIdentity(p: usize): void {
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

/** p = p +- q */
function addPoint(p: usize, q: usize, negative: bool): void {
  // -q swaps the roles of v - u and v + u and negates t.
  if (negative) {
    add(C, q + V, q);
    sub(D, q + V, q);
  } else {
    sub(C, q + V, q);
    add(D, q + V, q);
  }
  sub(A, p + V, p);
  mul(A, A, C);
  add(B, p + V, p);
  mul(B, B, D);
  mul(C, p + T, q + T);
  mul(C, C, CURVE_2D);
  if (negative) negate(C, C);
  mul(D, p + Z, q + Z);
  add(D, D, D);
  sub(E, B, A);
  sub(F, D, C);
  add(G, D, C);
  add(H, B, A);
  fromCompleted(p);
}

const INVERSE: usize = memory.data(40, 16);

/** o (affine) = p; z is never 0. */
function normalise(o: usize, p: usize): void {
  invert(INVERSE, p + Z);
  mul(o, p, INVERSE);
  mul(o + V, p + V, INVERSE);
}

function fromAffine(p: usize, affine: usize): void {
  copy(p, affine);
  copy(p + V, affine + V);
  setOne(p + Z);
  mul(p + T, p, p + V);
}

/** Writes the encoding of an affine point: v, and u's parity in the top bit. */
export function encode(bytes: usize, affine: usize): void {
  const parity = writeElement(bytes, affine);
  writeElement(bytes, affine + V);
  store<u8>(bytes, load<u8>(bytes, 31) | <u8>(parity << 7), 31);
}

/** Writes the u-coordinate of an affine point. */
export function writeU(bytes: usize, affine: usize): void {
  writeElement(bytes, affine);
}

const CANONICAL: usize = memory.data(32, 16);

/**
 * o (affine) = the point that the 32 bytes encode; false unless they are the canonical encoding of a point (ZIP 216).
 */
export function decode(o: usize, bytes: usize): bool {
  const sign = load<u8>(bytes, 31) >> 7;
  readElement(o + V, bytes);
  writeElement(CANONICAL, o + V);
  store<u8>(CANONICAL, load<u8>(CANONICAL, 31) | (sign << 7), 31);
  if (memory.compare(CANONICAL, bytes, 32) != 0) return false;
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
  if (writeElement(CANONICAL, D) != <i32>sign) negate(D, D);
  copy(o, D);
  return true;
}

/** o (affine) = 8 * o; false when it is the identity. */
export function clearCofactor(o: usize): bool {
  fromAffine(ACCUMULATOR, o);
  double(ACCUMULATOR);
  double(ACCUMULATOR);
  double(ACCUMULATOR);
  normalise(o, ACCUMULATOR);
  return !(isZero(o) && isOne(o + V));
}

const DIGITS: usize = memory.data(264, 16);
const ACCUMULATOR: usize = memory.data(160, 16);
const DOUBLED: usize = memory.data(160, 16);

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

/** o (affine) = scalar (32 bytes) times the table's point, and 2^`doublings` times that. */
export function multiply(o: usize, table: usize, scalar: usize, doublings: i32): void {
  recode(DIGITS, scalar, POSITIONS);
  setIdentity(ACCUMULATOR);
  let started = false;
  for (let i = POSITIONS - 1; i >= 0; i--) {
    if (started) double(ACCUMULATOR);
    const digit = <i32>load<i8>(DIGITS + <usize>i);
    if (digit == 0) continue;
    addPoint(ACCUMULATOR, table + <usize>((digit < 0 ? -digit : digit) >> 1) * POINT, digit < 0);
    started = true;
  }
  for (let i = 0; i < doublings; i++) double(ACCUMULATOR);
  normalise(o, ACCUMULATOR);
}

// Tables of multiples of a fixed base in rows: row i holds 1..n times 2^(4 i) times the base, as addends.
const ROW_POINT: usize = memory.data(80, 16);
const MULTIPLE: usize = memory.data(160, 16);
const MULTIPLE_AFFINE: usize = memory.data(80, 16);

function makeNiels(o: usize, affine: usize): void {
  add(o, affine + V, affine);
  sub(o + ELEMENT, affine + V, affine);
  mul(o + 2 * ELEMENT, affine, affine + V);
  mul(o + 2 * ELEMENT, o + 2 * ELEMENT, CURVE_2D);
}

export function rowsSize(rows: usize, perRow: usize): usize {
  return rows * perRow * NIELS;
}

export function makeRows(table: usize, affine: usize, rows: usize, perRow: usize): void {
  memory.copy(ROW_POINT, affine, AFFINE);
  for (let row: usize = 0; row < rows; row++) {
    const at = table + row * perRow * NIELS;
    makeNiels(at, ROW_POINT);
    fromAffine(MULTIPLE, ROW_POINT);
    for (let i: usize = 1; i < perRow; i++) {
      addNiels(MULTIPLE, at, false);
      normalise(MULTIPLE_AFFINE, MULTIPLE);
      makeNiels(at + i * NIELS, MULTIPLE_AFFINE);
    }
    fromAffine(MULTIPLE, ROW_POINT);
    for (let i = 0; i < 4; i++) double(MULTIPLE);
    normalise(ROW_POINT, MULTIPLE);
  }
}

const SUM: usize = memory.data(160, 16);

/** SUM += scalar * base for a table of rows of 15. */
function addFixed(table: usize, scalar: usize, rows: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    const digit = (load<u8>(scalar + (row >> 1)) >> <u8>((row & 1) << 2)) & 15;
    if (digit != 0) addNiels(SUM, table + (row * 15 + <usize>(digit - 1)) * NIELS, false);
  }
}

/**
 * o (affine) = the Pedersen hash point of `chunks` three-bit chunks of `message`, plus scalar times the randomness
 * base. `generators`: one table of 63 rows of 4 per segment of 63 chunks.
 */
export function commit(
  o: usize, generators: usize, message: usize, chunks: i32, randomness: usize, randomnessRows: usize, scalar: usize,
): void {
  setIdentity(SUM);
  for (let i = 0; i < chunks; i++) {
    const bit = i * 3;
    const bits = (load<u16>(message + <usize>(bit >> 3)) >> <u16>(bit & 7)) & 7;
    addNiels(SUM, generators + (<usize>i * 4 + <usize>(bits & 3)) * NIELS, (bits & 4) != 0);
  }
  addFixed(randomness, scalar, randomnessRows);
  normalise(o, SUM);
}

/** o (affine) = a (affine) + scalar * fixed base. */
export function addFixedBase(o: usize, a: usize, table: usize, rows: usize, scalar: usize): void {
  fromAffine(SUM, a);
  addFixed(table, scalar, rows);
  normalise(o, SUM);
}
