// Field arithmetic on single elements, for hits: an element is nine 29-bit limbs (40 bytes with padding) in Montgomery
// form, stored below 2^256. Sums and differences are folded, so that any stored value may be a factor.

import { readLane, writeLane, canonicalise } from './limbLanes';
import {
  CUBED_R, FOLD_KEEP, FOLD_SHIFT, GENERATOR, MODULUS, MULTIPLE_OF_MODULUS, ONE, SQRT_EXPONENT, SQUARED_R, mulLimbs,
  sqrLimbs,
} from './limbs';
import { invertBytes } from './modularInverse';

export const ELEMENT: usize = 40;
const MASK: i64 = (1 << 29) - 1;
const BYTES: usize = memory.data(32, 16);
const PROBE: usize = memory.data(40, 16);
const RAW_ONE: usize = memory.data<u32>([1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16);

export { mulLimbs as mul, sqrLimbs as sqr } from './limbs';

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

function fold(o: usize): void {
  const quotient = (<i64>load<u32>(o, 32) >> FOLD_SHIFT) - FOLD_KEEP;
  if (quotient <= 0) return;
  let carry: i64 = 0;
  for (let i: usize = 0; i < 9; i++) {
    carry += <i64>load<u32>(o + i * 4) - quotient * load<i64>(MODULUS + i * 8);
    store<u32>(o + i * 4, <u32>(i < 8 ? carry & MASK : carry));
    carry >>= 29;
  }
}

export function add(o: usize, a: usize, b: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < 9; i++) {
    carry += <i64>load<u32>(a + i * 4) + <i64>load<u32>(b + i * 4);
    store<u32>(o + i * 4, <u32>(i < 8 ? carry & MASK : carry));
    carry >>= 29;
  }
  fold(o);
}

export function sub(o: usize, a: usize, b: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < 9; i++) {
    carry += <i64>load<u32>(a + i * 4) - <i64>load<u32>(b + i * 4) + load<i64>(MULTIPLE_OF_MODULUS + i * 8);
    store<u32>(o + i * 4, <u32>(i < 8 ? carry & MASK : carry));
    carry >>= 29;
  }
  fold(o);
}

const ZERO: usize = memory.data(40, 16);

export function negate(o: usize, a: usize): void {
  sub(o, ZERO, a);
}

export function isZero(a: usize): bool {
  copy(PROBE, a);
  canonicalise(PROBE);
  let any: u32 = 0;
  for (let i: usize = 0; i < 36; i += 4) any |= load<u32>(PROBE + i);
  return any == 0;
}

export function isOne(a: usize): bool {
  copy(PROBE, a);
  canonicalise(PROBE);
  return memory.compare(PROBE, ONE, 36) == 0;
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

const TWO_ADICITY: i32 = 32;
const ROOT_OF_UNITY: usize = memory.data(40, 16);
let rootIsKnown = false;
const SQRT_INPUT: usize = memory.data(40, 16);
const SQRT_W: usize = memory.data(40, 16);
const SQRT_B: usize = memory.data(40, 16);
const SQRT_Z: usize = memory.data(40, 16);
const SQRT_T: usize = memory.data(40, 16);

/** o = a square root of a, by Tonelli and Shanks; false when there is none. */
export function sqrt(o: usize, a: usize): bool {
  if (!rootIsKnown) {
    // generator^odd = (generator^((odd - 1) / 2))^2 * generator
    raise(ROOT_OF_UNITY, GENERATOR, SQRT_EXPONENT);
    sqrLimbs(ROOT_OF_UNITY, ROOT_OF_UNITY);
    mulLimbs(ROOT_OF_UNITY, ROOT_OF_UNITY, GENERATOR);
    rootIsKnown = true;
  }
  copy(SQRT_INPUT, a);
  if (isZero(SQRT_INPUT)) {
    copy(o, ZERO);
    return true;
  }
  raise(SQRT_W, SQRT_INPUT, SQRT_EXPONENT);
  mulLimbs(o, SQRT_INPUT, SQRT_W);
  mulLimbs(SQRT_B, o, SQRT_W);
  copy(SQRT_Z, ROOT_OF_UNITY);
  let order = TWO_ADICITY;
  while (!isOne(SQRT_B)) {
    let i = 0;
    copy(SQRT_T, SQRT_B);
    do {
      sqrLimbs(SQRT_T, SQRT_T);
      i++;
    } while (i < order && !isOne(SQRT_T));
    if (i == order) return false;
    copy(SQRT_T, SQRT_Z);
    for (let j = order - i - 1; j > 0; j--) sqrLimbs(SQRT_T, SQRT_T);
    mulLimbs(o, o, SQRT_T);
    sqrLimbs(SQRT_Z, SQRT_T);
    mulLimbs(SQRT_B, SQRT_B, SQRT_Z);
    order = i;
  }
  return true;
}
