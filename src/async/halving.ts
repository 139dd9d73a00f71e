// Where two chains part, or anything else in a row of numbers changes once: found by halving, because each question is
// put to another machine.

/**
 * The lowest number in [low, high] that does not hold, or `high`, which is never asked about. Whatever lies below one
 * that holds must hold too.
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
