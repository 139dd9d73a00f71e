// The kernel's block operations without fused multiply-add: the same functions, block size and meaning as the FMA
// build, on nine 29-bit limbs per element and 64-bit integers. A block is four elements of 40 bytes.
//
// Stored values are below 2^256.

import { readLane, writeLane } from './limbLanes';
import { addLimbs, mulLimbs, sqrLimbs, subLimbs } from './limbs';

const LANE: usize = 40;
const SCRATCH: usize = memory.data(40, 16);
const ZERO: usize = memory.data(40, 16);

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
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
      subLimbs(SCRATCH, a + lane, b + lane);
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
      addLimbs(SCRATCH, a + lane, b + lane);
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
      addLimbs(SCRATCH, a + lane, a + lane);
      addLimbs(SCRATCH, SCRATCH, a + lane);
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
      addLimbs(o + lane, SCRATCH, c + lane);
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
      addLimbs(o + lane, SCRATCH, c + lane);
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
      subLimbs(SCRATCH, SCRATCH, b + lane);
      subLimbs(o + lane, SCRATCH, c + lane);
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
      subLimbs(SCRATCH, b + lane, c + lane);
      mulLimbs(SCRATCH, SCRATCH, a + lane);
      subLimbs(o + lane, SCRATCH, d + lane);
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
    addLimbs(o, a, b);
  }
}

export function sub(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, a += LANE, b += LANE) {
    subLimbs(o, a, b);
  }
}

export function negatedSum(o: usize, a: usize, b: usize, blocks: i32): void {
  for (let end = o + <usize>blocks * 160; o < end; o += LANE, a += LANE, b += LANE) {
    addLimbs(SCRATCH, a, b);
    subLimbs(o, ZERO, SCRATCH);
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
