// The kernel's block operations without fused multiply-add: the same functions, block size and meaning as the FMA
// build, on nine 29-bit limbs per element and 64-bit integers. A block is four elements of 40 bytes.
//
// Stored values are below 2^256; `mulLimbs` accepts factors below 2^258 with one factor's limbs below 2^30.

import { readLane, writeLane } from './limbLanes';
import { FOLD_KEEP, FOLD_SHIFT, MODULUS, mulLimbs, sqrLimbs, MULTIPLE_OF_MODULUS } from './limbs';

const LANE: usize = 40;
const LIMBS: usize = 9;
const MASK: i64 = (1 << 29) - 1;
const SCRATCH: usize = memory.data(40, 16);
const ZERO: usize = memory.data(40, 16);

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

/** o = a - b + 4p, limbs carried. */
function subLane(o: usize, a: usize, b: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    carry += <i64>load<u32>(a + i * 4) - <i64>load<u32>(b + i * 4) + load<i64>(MULTIPLE_OF_MODULUS + i * 8);
    store<u32>(o + i * 4, <u32>(i < LIMBS - 1 ? carry & MASK : carry));
    carry >>= 29;
  }
}

function addLane(o: usize, a: usize, b: usize): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    carry += <i64>load<u32>(a + i * 4) + <i64>load<u32>(b + i * 4);
    store<u32>(o + i * 4, <u32>(i < LIMBS - 1 ? carry & MASK : carry));
    carry >>= 29;
  }
}

/** Brings a value below 2^260 below 2^256 by taking out a multiple of the modulus. */
function foldLane(o: usize): void {
  const top = <i64>load<u32>(o, 32);
  let quotient = (top >> FOLD_SHIFT) - FOLD_KEEP;
  if (quotient <= 0) return;
  let carry: i64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    carry += <i64>load<u32>(o + i * 4) - quotient * load<i64>(MODULUS + i * 8);
    store<u32>(o + i * 4, <u32>(i < LIMBS - 1 ? carry & MASK : carry));
    carry >>= 29;
  }
}

export function mul(o: usize, a: usize, b: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) mulLimbs(o + lane, a + lane, b + lane);
    o += oStep;
    a += aStep;
    b += bStep;
    blocks--;
  }
}

/** o = (a - b) * c */
export function mulSub(
  o: usize, a: usize, b: usize, c: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32, cStep: i32,
): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      subLane(SCRATCH, a + lane, b + lane);
      mulLimbs(o + lane, SCRATCH, c + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    c += cStep;
    blocks--;
  }
}

/** o = (a + b) * c */
export function mulAdd(
  o: usize, a: usize, b: usize, c: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32, cStep: i32,
): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      addLane(SCRATCH, a + lane, b + lane);
      mulLimbs(o + lane, SCRATCH, c + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    c += cStep;
    blocks--;
  }
}

/** o = 3ab */
export function mulTriple(o: usize, a: usize, b: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      addLane(SCRATCH, a + lane, a + lane);
      addLane(SCRATCH, SCRATCH, a + lane);
      mulLimbs(o + lane, SCRATCH, b + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    blocks--;
  }
}

export function sqr(o: usize, a: usize, blocks: i32, oStep: i32, aStep: i32): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) sqrLimbs(o + lane, a + lane);
    o += oStep;
    a += aStep;
    blocks--;
  }
}

/** o = a^2 + c */
export function sqrPlus(o: usize, a: usize, c: usize, blocks: i32, oStep: i32, aStep: i32, cStep: i32): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      sqrLimbs(SCRATCH, a + lane);
      addLane(o + lane, SCRATCH, c + lane);
      foldLane(o + lane);
    }
    o += oStep;
    a += aStep;
    c += cStep;
    blocks--;
  }
}

/** o = ab + c */
export function mulPlus(
  o: usize, a: usize, b: usize, c: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32, cStep: i32,
): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      mulLimbs(SCRATCH, a + lane, b + lane);
      addLane(o + lane, SCRATCH, c + lane);
      foldLane(o + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    c += cStep;
    blocks--;
  }
}

/** o = a^2 - b - c */
export function chordX(
  o: usize, a: usize, b: usize, c: usize, blocks: i32, oStep: i32, aStep: i32, bStep: i32, cStep: i32,
): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      sqrLimbs(SCRATCH, a + lane);
      subLane(SCRATCH, SCRATCH, b + lane);
      subLane(o + lane, SCRATCH, c + lane);
      foldLane(o + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    c += cStep;
    blocks--;
  }
}

/** o = a * (b - c) - d */
export function chordY(
  o: usize, a: usize, b: usize, c: usize, d: usize, blocks: i32,
  oStep: i32, aStep: i32, bStep: i32, cStep: i32, dStep: i32,
): void {
  while (blocks > 0) {
    for (let lane: usize = 0; lane < 4 * LANE; lane += LANE) {
      subLane(SCRATCH, b + lane, c + lane);
      mulLimbs(SCRATCH, SCRATCH, a + lane);
      subLane(o + lane, SCRATCH, d + lane);
      foldLane(o + lane);
    }
    o += oStep;
    a += aStep;
    b += bStep;
    c += cStep;
    d += dStep;
    blocks--;
  }
}

export function add(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, a += LANE, b += LANE) {
    addLane(o, a, b);
    foldLane(o);
  }
}

export function sub(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, a += LANE, b += LANE) {
    subLane(o, a, b);
    foldLane(o);
  }
}


export function negatedSum(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, a += LANE, b += LANE) {
    addLane(SCRATCH, a, b);
    foldLane(SCRATCH);
    subLane(o, ZERO, SCRATCH);
    foldLane(o);
  }
}

export function fromBytes(o: usize, bytes: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, bytes += 32) {
    readLane(o, bytes);
  }
}

export function toBytes(bytes: usize, a: usize, blocks: i32): void {
  for (let end = a + <usize>blocks * 160; a < end; a += LANE, bytes += 32) {
    writeLane(bytes, a);
  }
}
