// Points of the Pasta curves, y^2 = x^3 + 5 over the field of `limbs`: Pallas or Vesta.
//
// Points are Jacobian, three elements; z = 0 represents the identity and for every exceptional case of the incomplete
// formulas. Once z is 0 it stays 0.

import {
  add, copy, ELEMENT, invert, isZero, mul, negate, parity, readElement, readSigned, setOne, sqr, sqrt, sub, writeElement,
  writeSigned,
} from './fieldElement';

export const Y: usize = ELEMENT;
export const Z: usize = 2 * ELEMENT;
export const POINT: usize = 3 * ELEMENT;
export const AFFINE: usize = 2 * ELEMENT;

export const A: usize = memory.data(40, 16);
export const B: usize = memory.data(40, 16);
export const C: usize = memory.data(40, 16);
export const D: usize = memory.data(40, 16);
export const E: usize = memory.data(40, 16);
export const F: usize = memory.data(40, 16);
export const G: usize = memory.data(40, 16);
export const H: usize = memory.data(40, 16);
export const R: usize = memory.data(40, 16);
export const T: usize = memory.data(40, 16);

/** p = 2p */
export function double(p: usize): void {
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
export function addAffine(p: usize, ax: usize, ay: usize): void {
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

/** With p and q Jacobian, q's y negated or not: what `finishAddition` takes. */
function prepareAddition(p: usize, q: usize, negative: bool): void {
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
}

/** p = p + q, both Jacobian, q's y negated or not. */
export function addPoint(p: usize, q: usize, negative: bool): void {
  prepareAddition(p, q, negative);
  finishAddition(p, U1, S1);
}

/** p = p + q in every case: here z = 0 is the identity and nothing else. */
export function addComplete(p: usize, q: usize): void {
  if (isZero(q + Z)) return;
  if (isZero(p + Z)) {
    memory.copy(p, q, POINT);
    return;
  }
  prepareAddition(p, q, false);
  if (!isZero(H)) {
    finishAddition(p, U1, S1);
  } else if (isZero(R)) {
    memory.copy(p, q, POINT);
    double(p);
  } else {
    memory.fill(p, 0, POINT);
  }
}

const INVERSE: usize = memory.data(40, 16);
/** Products of the z up to each point: a window's entries and the next window's base are the most. */
const PRODUCTS: usize = memory.data(33 * 40, 16);

/** o (affine) = p for `count` points, at most 33, with one inversion; false when one of them has z = 0. */
export function normalise(o: usize, p: usize, count: usize): bool {
  copy(PRODUCTS, p + Z);
  for (let i: usize = 1; i < count; i++) mul(PRODUCTS + i * ELEMENT, PRODUCTS + (i - 1) * ELEMENT, p + i * POINT + Z);
  if (isZero(PRODUCTS + (count - 1) * ELEMENT)) return false;
  invert(INVERSE, PRODUCTS + (count - 1) * ELEMENT);
  for (let i: usize = count; i-- > 0; ) {
    const from = p + i * POINT;
    const to = o + i * AFFINE;
    if (i > 0) {
      mul(B, INVERSE, PRODUCTS + (i - 1) * ELEMENT);
      mul(INVERSE, INVERSE, from + Z);
    } else {
      copy(B, INVERSE);
    }
    sqr(A, B);
    mul(to, from, A);
    mul(A, A, B);
    mul(to + Y, from + Y, A);
  }
  return true;
}

/** o (Jacobian) = an affine point. */
export function fromAffine(o: usize, affine: usize): void {
  memory.copy(o, affine, AFFINE);
  setOne(o + Z);
}

/** Writes the encoding of an affine point: x, and y's parity in the top bit. */
export function encode(bytes: usize, affine: usize): void {
  writeSigned(bytes, affine, affine + Y);
}

/** o (affine) = the point that the 32 bytes encode; false unless they are the canonical encoding of one. */
export function decode(o: usize, bytes: usize): bool {
  if (!readSigned(o, bytes)) return false;
  // y^2 = x^3 + 5, and y is never 0.
  sqr(A, o);
  mul(A, A, o);
  setOne(B);
  add(C, B, B);
  add(C, C, C);
  add(C, C, B);
  add(A, A, C);
  if (!sqrt(o + Y, A)) return false;
  if (parity(o + Y) != <i32>(load<u8>(bytes, 31) >> 7)) negate(o + Y, o + Y);
  return true;
}

/** Reads an affine point from two integers. */
export function readAffine(o: usize, bytes: usize): void {
  readElement(o, bytes);
  readElement(o + Y, bytes + 32);
}

const DECODED: usize = memory.data(80, 16);

/** Writes the coordinates of the point that the 32 bytes encode; false unless they are the canonical encoding of one. */
export function decodeCoordinates(o: usize, bytes: usize): bool {
  if (!decode(DECODED, bytes)) return false;
  writeElement(o, DECODED);
  writeElement(o + 32, DECODED + Y);
  return true;
}
