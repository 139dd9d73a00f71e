// Field arithmetic on single elements, for hits: an element is nine 29-bit limbs (40 bytes with padding) in Montgomery
// form, stored below 2^256. Sums and differences are folded, so that any stored value may be a factor.

import { readLane, writeLane, canonicalise } from './limbLanes';
import { CUBED_R, GENERATOR, ONE, SQRT_EXPONENT, SQUARED_R, mulLimbs, sqrLimbs, subLimbs } from './limbs';
import { invertBytes } from './modularInverse';

export const ELEMENT: usize = 40;
const BYTES: usize = memory.data(32, 16);
const PROBE: usize = memory.data(40, 16);
const RAW_ONE: usize = memory.data<u32>([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16);

export { addLimbs as add, mulLimbs as mul, sqrLimbs as sqr, subLimbs as sub } from './limbs';

// @ts-ignore: decorator
@inline
export function copy(o: usize, a: usize): void {
  memory.copy(o, a, 36);
}

// @ts-ignore: decorator
@inline
export function setOne(o: usize): void {
  memory.copy(o, ONE, 36);
}

const ZERO: usize = memory.data(40, 16);

export function negate(o: usize, a: usize): void {
  subLimbs(o, ZERO, a);
}

export function isZero(a: usize): bool {
  copy(PROBE, a);
  canonicalise(PROBE);
  let any: u32 = 0;
  for (let i: usize = 0; i < 36; i += 4) any |= load<u32>(PROBE + i);
  return any == 0;
}

/** Reads a little-endian integer below 2^255 (bit 255 is ignored). */
export function readElement(o: usize, bytes: usize): void {
  readLane(o, bytes);
  mulLimbs(o, o, SQUARED_R);
}

/** Writes the canonical integer; returns its parity. */
export function writeElement(bytes: usize, a: usize): i32 {
  mulLimbs(PROBE, a, RAW_ONE);
  writeLane(bytes, PROBE);
  return load<u8>(bytes) & 1;
}

/** Writes the canonical integer of a coordinate, and the parity of the point's other one in the top bit. */
export function writeSigned(bytes: usize, coordinate: usize, other: usize): void {
  const parity = writeElement(bytes, other);
  writeElement(bytes, coordinate);
  store<u8>(bytes, load<u8>(bytes, 31) | <u8>(parity << 7), 31);
}

const CANONICAL: usize = memory.data(32, 16);

/** o = the coordinate of such an encoding; false unless it is canonical. */
export function readSigned(o: usize, bytes: usize): bool {
  readElement(o, bytes);
  writeElement(CANONICAL, o);
  store<u8>(CANONICAL, load<u8>(CANONICAL, 31) | (load<u8>(bytes, 31) & 0x80), 31);
  return memory.compare(CANONICAL, bytes, 32) == 0;
}

/** The parity of the canonical integer. */
export function parity(a: usize): i32 {
  return writeElement(CANONICAL, a);
}

/** o = 1/a, or 0 for 0. */
export function invert(o: usize, a: usize): void {
  writeLane(BYTES, a);
  invertBytes(BYTES);
  readLane(o, BYTES);
  mulLimbs(o, o, CUBED_R);
}

const POWER: usize = memory.data(40, 16);
const POWERS: usize = memory.data(40 * 16, 16);

/** o = a^exponent for a 32-byte little-endian exponent, four bits at a time. */
function raise(o: usize, a: usize, exponent: usize): void {
  setOne(POWERS);
  for (let i: usize = 1; i < 16; i++) mulLimbs(POWERS + i * ELEMENT, POWERS + (i - 1) * ELEMENT, a);
  setOne(POWER);
  let started = false;
  for (let i: isize = 63; i >= 0; i--) {
    const digit = <usize>((load<u8>(exponent + (<usize>i >> 1)) >> <u8>((i & 1) << 2)) & 15);
    if (started) {
      for (let j = 0; j < 4; j++) sqrLimbs(POWER, POWER);
      if (digit != 0) mulLimbs(POWER, POWER, POWERS + digit * ELEMENT);
    } else if (digit != 0) {
      copy(POWER, POWERS + digit * ELEMENT);
      started = true;
    }
  }
  copy(o, POWER);
}

// The roots of unity of order 2^32 in base 16: entry d of row k is root^(-d 16^k).
const RADIX: usize = 16;
const PLACES: usize = 8;
const ROW: usize = RADIX * ELEMENT;
const INVERSE_ROOTS: usize = memory.data(40 * 16 * 8, 16);
let rootsAreKnown = false;

const SQRT_W: usize = memory.data(40, 16);
const SQRT_T: usize = memory.data(40, 16);
/** The powers 16^k of the root of unity whose logarithm is sought. */
const SQRT_POWERS: usize = memory.data(40 * 8, 16);

function prepareRoots(): void {
  if (rootsAreKnown) return;
  // generator^odd = (generator^((odd - 1) / 2))^2 * generator
  raise(SQRT_W, GENERATOR, SQRT_EXPONENT);
  sqrLimbs(SQRT_W, SQRT_W);
  mulLimbs(SQRT_W, SQRT_W, GENERATOR);
  invert(SQRT_W, SQRT_W);
  for (let place: usize = 0; place < PLACES; place++) {
    const row = INVERSE_ROOTS + place * ROW;
    setOne(row);
    for (let d: usize = 1; d < RADIX; d++) mulLimbs(row + d * ELEMENT, row + (d - 1) * ELEMENT, SQRT_W);
    mulLimbs(SQRT_W, row + (RADIX - 1) * ELEMENT, SQRT_W);
  }
  const top = INVERSE_ROOTS + (PLACES - 1) * ROW;
  for (let d: usize = 0; d < RADIX; d++) canonicalise(top + d * ELEMENT);
  rootsAreKnown = true;
}

/** The inverse of the root of unity of which `sqrt` multiplies non-squares. */
export function inverseRoot(): usize {
  prepareRoots();
  return INVERSE_ROOTS + ELEMENT;
}

/** d of root^(d 16^7). */
function topDigit(a: usize): u32 {
  copy(PROBE, a);
  canonicalise(PROBE);
  const top = INVERSE_ROOTS + (PLACES - 1) * ROW;
  let d: usize = 0;
  while (d < RADIX - 1 && memory.compare(PROBE, top + d * ELEMENT, 36) != 0) d++;
  return <u32>(RADIX - d) & 15;
}

/**
 * o = a square root of a. Where there is none it returns false, and o = a square root of a times a fixed root of unity
 * of order 2^32. By the discrete logarithm to that root, a digit in base 16 at a time (Sarkar 2020).
 */
export function sqrt(o: usize, a: usize): bool {
  prepareRoots();
  if (isZero(a)) {
    copy(o, ZERO);
    return true;
  }
  raise(SQRT_W, a, SQRT_EXPONENT);
  // (a w)^2 = a (a w^2), and a w^2 = a^odd is a root of unity.
  mulLimbs(SQRT_T, a, SQRT_W);
  mulLimbs(SQRT_POWERS, SQRT_T, SQRT_W);
  copy(SQRT_W, SQRT_T);
  for (let place: usize = 1; place < PLACES; place++) {
    const power = SQRT_POWERS + place * ELEMENT;
    sqrLimbs(power, power - ELEMENT);
    for (let i = 0; i < 3; i++) sqrLimbs(power, power);
  }
  let logarithm: u32 = 0;
  for (let place: usize = 0; place < PLACES; place++) {
    copy(SQRT_T, SQRT_POWERS + (PLACES - 1 - place) * ELEMENT);
    for (let known: usize = 0; known < place; known++) {
      const digit = <usize>(logarithm >> <u32>(4 * known)) & 15;
      mulLimbs(SQRT_T, SQRT_T, INVERSE_ROOTS + (PLACES - 1 - place + known) * ROW + digit * ELEMENT);
    }
    logarithm |= topDigit(SQRT_T) << <u32>(4 * place);
  }
  const half = logarithm >> 1;
  for (let place: usize = 0; place < PLACES; place++) {
    const digit = <usize>(half >> <u32>(4 * place)) & 15;
    mulLimbs(SQRT_W, SQRT_W, INVERSE_ROOTS + place * ROW + digit * ELEMENT);
  }
  copy(o, SQRT_W);
  return (logarithm & 1) == 0;
}
