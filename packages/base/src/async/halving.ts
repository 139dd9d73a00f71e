// Finds where two chains part, or where any other condition along a range of numbers changes once. By halving, because
// every question goes to another machine.

/**
 * The lowest number in [low, high] that does not hold, or `high`, which is never checked. All numbers below one that
 * holds must hold too.
 */
export async function lowestNotHolding(
  low: number,
  high: number,
  holds: (n: number) => Promise<boolean>,
): Promise<number> {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
