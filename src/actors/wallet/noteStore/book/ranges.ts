// Sets of block heights as sorted, disjoint, non-touching inclusive ranges. A set instead of one watermark, so that a
// gap stays visible until it is scanned.

import type { Height } from '@wallet-companion/base/values';
import type { HeightRange } from '../../ports/noteDatabase.ts';

export type HeightSet = readonly HeightRange[];

export function addRange(set: HeightSet, added: HeightRange): HeightRange[] {
  const out: HeightRange[] = [];
  let { start, end } = added;
  for (const range of set) {
    if (range.end + 1 < start) out.push(range);
    else if (range.start > end + 1) {
      if (start <= end) out.push({ start, end });
      [start, end] = [range.start, range.end];
    } else {
      start = Math.min(start, range.start);
      end = Math.max(end, range.end);
    }
  }
  if (start <= end) out.push({ start, end });
  return out;
}

export function removeRange(set: HeightSet, removed: HeightRange): HeightRange[] {
  const out: HeightRange[] = [];
  for (const range of set) {
    const before = { start: range.start, end: Math.min(range.end, removed.start - 1) };
    const after = { start: Math.max(range.start, removed.end + 1), end: range.end };
    if (before.start <= before.end) out.push(before);
    if (after.start <= after.end) out.push(after);
  }
  return out;
}

/** The parts of `within` that the set lacks. */
export function missingRanges(set: HeightSet, within: HeightRange): HeightRange[] {
  return set.reduce<HeightRange[]>(
    (missing, range) => removeRange(missing, range),
    within.start <= within.end ? [within] : [],
  );
}

/** The last height up to which everything from `floor` on is in the set; `floor - 1` when nothing is. */
export function contiguousEnd(set: HeightSet, floor: number): number {
  const range = set.find((r) => r.start <= floor && floor <= r.end);
  return range === undefined ? floor - 1 : range.end;
}

export const isWithin = ({ start, end }: HeightRange, height: Height): boolean =>
  start <= height && height <= end;

export const includes = (set: HeightSet, height: Height): boolean =>
  set.some((range) => isWithin(range, height));

export const includesAll = (set: HeightSet, range: HeightRange): boolean =>
  set.some(({ start, end }) => start <= range.start && range.end <= end);
