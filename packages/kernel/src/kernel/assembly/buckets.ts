// Sums of multiples of many points by buckets (Pippenger): digits of the scalars, the points sorted by digit, and pairs of
// each bucket for the batched affine additions, a round of which halves every bucket.
//
// A list has the numbers of records of points (treeLanes.ts), bit 31 set where the point is to be negated; `ends` says
// where in it each bucket ends.

import { subLimbs } from './limbs';

const ELEMENT: usize = 40;
const RECORD: usize = 80;
const NEGATIVE: u32 = 0x8000_0000;
const ZERO: usize = memory.data(40, 16);

// @ts-ignore: decorator
@inline
function bitsAt(scalar: usize, bit: i32, width: i32): i32 {
  const from = bit < 192 ? bit >> 3 : 24;
  return <i32>((load<u64>(scalar + <usize>from) >> <u64>(bit - (from << 3))) & ((<u64>1 << <u64>width) - 1));
}

/** Digit w of scalar i, from -2^(width - 1) to 2^(width - 1), is number w * count + i. Scalars are 32 bytes below 2^255. */
export function signedDigits(digits: usize, scalars: usize, count: i32, width: i32, windows: i32): void {
  const half = 1 << (width - 1);
  for (let i = 0; i < count; i++) {
    let carry = 0;
    for (let w = 0; w < windows; w++) {
      const digit = bitsAt(scalars + <usize>i * 32, w * width, width) + carry;
      carry = digit > half ? 1 : 0;
      store<i32>(digits + (<usize>(w * count + i) << 2), digit - (carry << width));
    }
  }
}

/**
 * Digit d of scalar i in window w puts the record number `first` + w * recordStep + i into the bucket number
 * w * bucketStep + |d| - 1. Returns how many there are.
 */
export function sortDigits(
  list: usize, ends: usize, digits: usize, count: i32, windows: i32, first: i32, recordStep: i32, bucketStep: i32,
  buckets: i32,
): i32 {
  memory.fill(ends, 0, <usize>buckets << 2);
  for (let w = 0, at = digits; w < windows; w++) {
    const start = ends + (<usize>(w * bucketStep) << 2) - 4;
    for (let i = 0; i < count; i++, at += 4) {
      const digit = load<i32>(at);
      if (digit == 0) continue;
      const end = start + (<usize>abs(digit) << 2);
      store<i32>(end, load<i32>(end) + 1);
    }
  }
  let total = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const end = ends + (<usize>bucket << 2);
    const size = load<i32>(end);
    store<i32>(end, total);
    total += size;
  }
  for (let w = 0, at = digits; w < windows; w++) {
    const start = ends + (<usize>(w * bucketStep) << 2) - 4;
    for (let i = 0; i < count; i++, at += 4) {
      const digit = load<i32>(at);
      if (digit == 0) continue;
      const end = start + (<usize>abs(digit) << 2);
      const place = load<i32>(end);
      store<i32>(end, place + 1);
      store<u32>(list + (<usize>place << 2), <u32>(first + w * recordStep + i) | (digit < 0 ? NEGATIVE : 0));
    }
  }
  return total;
}

/**
 * The pairs of each bucket; in `next` their sums, which will be the records from `base` on, with what is left over.
 * Pairs are filled up to full blocks with records 0 and 1. Returns the number of pairs, which is 0 when no bucket has two.
 */
export function pairUp(
  pairs: usize, next: usize, nextEnds: usize, list: usize, ends: usize, buckets: i32, base: i32,
): i32 {
  let count = 0;
  let place = 0;
  let at = 0;
  for (let bucket: usize = 0; bucket < <usize>buckets; bucket++) {
    const end = load<i32>(ends + (bucket << 2));
    for (; at + 1 < end; at += 2) {
      store<u64>(pairs + (<usize>count << 3), load<u64>(list + (<usize>at << 2)));
      store<i32>(next + (<usize>place << 2), base + count);
      count++;
      place++;
    }
    if (at < end) {
      store<u32>(next + (<usize>place << 2), load<u32>(list + (<usize>at << 2)));
      at++;
      place++;
    }
    store<i32>(nextEnds + (bucket << 2), place);
  }
  for (let i = count; (i & 3) != 0; i++) store<u64>(pairs + (<usize>i << 3), 0x1_0000_0000);
  return count;
}

// @ts-ignore: decorator
@inline
function appended(next: usize, place: i32, list: usize, ends: usize, bucket: usize): i32 {
  const end = load<i32>(ends + (bucket << 2));
  if (end == (bucket == 0 ? 0 : load<i32>(ends + (bucket << 2) - 4))) return place;
  store<u32>(next + (<usize>place << 2), load<u32>(list + (<usize>(end - 1) << 2)));
  return place + 1;
}

/** From sets of rows * columns buckets with one point or none, the groups of each row but the first and of each column. */
export function spreadBuckets(
  next: usize, nextEnds: usize, list: usize, ends: usize, sets: i32, rows: i32, columns: i32,
): void {
  let place = 0;
  for (let set = 0; set < sets; set++) {
    const first = set * rows * columns;
    for (let row = 1; row < rows; row++) {
      for (let column = 0; column < columns; column++)
        place = appended(next, place, list, ends, <usize>(first + row * columns + column));
      store<i32>(nextEnds, place);
      nextEnds += 4;
    }
    for (let column = 0; column < columns; column++) {
      for (let row = 0; row < rows; row++)
        place = appended(next, place, list, ends, <usize>(first + row * columns + column));
      store<i32>(nextEnds, place);
      nextEnds += 4;
    }
  }
}

// @ts-ignore: decorator
@inline
function copyWords(o: usize, a: usize, oStep: usize, mask: u64): void {
  for (let word: usize = 0; word < 5; word++) store<u64>(o + word * oStep, load<u64>(a + word * 8) ^ mask);
}

/** Lanes become the records of a list, of which every `step` bytes have one, negated where bit 31 is set. */
export function gatherSigned(
  x: usize, y: usize, records: usize, list: usize, step: usize, blocks: i32, wordStep: usize, laneStep: usize,
): void {
  const areDoubles = laneStep == 8;
  for (; blocks > 0; blocks--) {
    for (let lane: usize = 0; lane < 4; lane++) {
      const entry = load<u32>(list);
      const record = records + <usize>(entry & ~NEGATIVE) * RECORD;
      const sign = <u64>(entry >> 31);
      copyWords(x + lane * laneStep, record, wordStep, 0);
      copyWords(y + lane * laneStep, record + ELEMENT, wordStep, areDoubles ? sign << 63 : 0);
      if (!areDoubles && sign != 0) subLimbs(y + lane * laneStep, ZERO, y + lane * laneStep);
      list += step;
    }
    x += 160;
    y += 160;
  }
}
