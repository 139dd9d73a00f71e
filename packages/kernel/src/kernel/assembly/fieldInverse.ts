// Inversion of one block: the top of the batched inversion, where one field inversion serves all lanes.

import { mulLimbs } from './limbs';
import { readLane, writeLane } from './limbLanes';
import { invertBytes } from './modularInverse';

const LANES: usize = memory.data(160, 16);
const PRODUCT_1: usize = memory.data(40, 16);
const PRODUCT_2: usize = memory.data(40, 16);
const INVERSE: usize = memory.data(40, 16);
const BYTES: usize = memory.data(32, 16);

/**
 * Inverts the four canonical 32-byte integers at `bytes` in place, with one inversion. Returns false, leaving them
 * unchanged, when one of them is 0. Montgomery factors of the nine-limb products cancel: see the exponents of R.
 */
export function invertFour(bytes: usize): bool {
  for (let lane: usize = 0; lane < 4; lane++) readLane(LANES + lane * 40, bytes + lane * 32);
  mulLimbs(PRODUCT_1, LANES, LANES + 40); // a0 a1 R^-1
  mulLimbs(PRODUCT_2, PRODUCT_1, LANES + 80); // a0 a1 a2 R^-2
  mulLimbs(INVERSE, PRODUCT_2, LANES + 120); // a0 a1 a2 a3 R^-3
  writeLane(BYTES, INVERSE);
  if (!invertBytes(BYTES)) return false;
  readLane(INVERSE, BYTES); // (a0 a1 a2 a3)^-1 R^3
  mulLimbs(PRODUCT_2, INVERSE, PRODUCT_2); // a3^-1
  writeLane(bytes + 96, PRODUCT_2);
  mulLimbs(INVERSE, INVERSE, LANES + 120); // (a0 a1 a2)^-1 R^2
  mulLimbs(PRODUCT_1, INVERSE, PRODUCT_1); // a2^-1
  writeLane(bytes + 64, PRODUCT_1);
  mulLimbs(INVERSE, INVERSE, LANES + 80); // (a0 a1)^-1 R
  mulLimbs(PRODUCT_1, INVERSE, LANES); // a1^-1
  writeLane(bytes + 32, PRODUCT_1);
  mulLimbs(PRODUCT_1, INVERSE, LANES + 40); // a0^-1
  writeLane(bytes, PRODUCT_1);
  return true;
}
