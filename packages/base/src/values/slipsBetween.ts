// How far a word is from another word that the user may have meant.

/** Words with more slips than this are different words. */
export const MOST_SLIPS = 2;

/**
 * Counts letters left out, added, mistaken, or swapped with their neighbour (optimal string alignment); not counted
 * where the lengths differ by more than `MOST_SLIPS`.
 */
export function slipsBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return Number.POSITIVE_INFINITY;
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let slips = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, last[j - 2]! + 1);
      }
      next.push(slips);
    }
    last = row;
    row = next;
  }
  return row[b.length]!;
}
