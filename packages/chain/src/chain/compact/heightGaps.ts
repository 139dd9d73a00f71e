// The heights of a range that a set of ranges leaves open.

import type { StoredRange } from '../ports/compactStore.ts';

/** `ranges`: ascending. */
export function gapsBetween(ranges: readonly StoredRange[], range: StoredRange): StoredRange[] {
  const gaps: StoredRange[] = [];
  let next = range.start;
  for (const { start, end } of ranges) {
    if (end < next) continue;
    if (start > range.end) break;
    if (start > next) gaps.push({ start: next, end: start - 1 });
    next = end + 1;
  }
  if (next <= range.end) gaps.push({ start: next, end: range.end });
  return gaps;
}
