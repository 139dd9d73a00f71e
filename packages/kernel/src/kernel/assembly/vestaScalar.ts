// Vesta points for commitments: from and to bytes, and sums of multiples where a batch of lanes does not do them.

import { isZero, setOne, writeElement } from './fieldElement';
import { addComplete, double, normalise, POINT, readAffine, Y, Z } from './pastaPoint';

export { invertFour } from './fieldInverse';
export { decodeCoordinates } from './pastaPoint';
export { gatherSigned, pairUp, signedDigits, sortDigits, spreadBuckets } from './buckets';
export { storePoints } from './treeLanes';

/** First byte after this module's static data. */
export function dataEnd(): usize {
  return __heap_base;
}

const TERM: usize = memory.data(120, 16);
const RUNNING: usize = memory.data(120, 16);
const WEIGHTED: usize = memory.data(120, 16);

/** Bytes of an affine point: x and y. */
const COORDINATES: usize = 64;

/** p (Jacobian) += the point number `i` of `points`. */
function addNumber(p: usize, points: usize, i: usize): void {
  readAffine(TERM, points + i * COORDINATES);
  setOne(TERM + Z);
  addComplete(p, TERM);
}

export function setIdentity(o: usize): void {
  memory.fill(o, 0, POINT);
}

export function isIdentity(p: usize): bool {
  return isZero(p + Z);
}

export function addPoints(p: usize, q: usize): void {
  addComplete(p, q);
}

/** p += the points' multiples by scalars of 32 bytes, one by one and in every case: slow. */
export function addMultiples(p: usize, points: usize, scalars: usize, count: usize): void {
  for (let i: usize = 0; i < count; i++) {
    setIdentity(RUNNING);
    for (let bit: isize = 254; bit >= 0; bit--) {
      double(RUNNING);
      if ((load<u8>(scalars + i * 32 + (<usize>bit >> 3)) >> <u8>(bit & 7)) & 1) addNumber(RUNNING, points, i);
    }
    addComplete(p, RUNNING);
  }
}

// @ts-ignore: decorator
@inline
function endOf(ends: usize, group: usize): u32 {
  return load<u32>(ends + (group << 2));
}

/** p += the sum of a group, which has one point or none. */
function addGroup(p: usize, points: usize, ends: usize, group: usize): void {
  const end = endOf(ends, group);
  if (end > (group == 0 ? 0 : endOf(ends, group - 1))) addNumber(p, points, <usize>end - 1);
}

/**
 * o = the sum over all sets, each with 2^`width` times the weight of the one before, of the groups that `spreadBuckets`
 * made: bucket number row * 2^`columnBits` + column has that weight and one.
 */
export function sumGroups(
  o: usize, points: usize, ends: usize, sets: usize, rows: usize, columnBits: usize, width: i32,
): void {
  const columns: usize = 1 << columnBits;
  setIdentity(o);
  for (let set = sets; set-- > 0; ) {
    for (let i = 0; i < width; i++) double(o);
    const first = set * (rows - 1 + columns);
    setIdentity(RUNNING);
    setIdentity(WEIGHTED);
    for (let row = rows - 1; row-- > 0; ) {
      addGroup(RUNNING, points, ends, first + row);
      addComplete(WEIGHTED, RUNNING);
    }
    for (let i: usize = 0; i < columnBits; i++) double(WEIGHTED);
    setIdentity(RUNNING);
    for (let column = columns; column-- > 0; ) {
      addGroup(RUNNING, points, ends, first + rows - 1 + column);
      addComplete(WEIGHTED, RUNNING);
    }
    addComplete(o, WEIGHTED);
  }
}

const SINGLE: usize = memory.data(80, 16);

/** Writes the coordinates of a Jacobian point; false for the identity. */
export function affineCoordinates(o: usize, p: usize): bool {
  if (!normalise(SINGLE, p, 1)) return false;
  writeElement(o, SINGLE);
  writeElement(o + 32, SINGLE + Y);
  return true;
}
