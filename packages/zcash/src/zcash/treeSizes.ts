// Arithmetic on the sizes of note commitment trees, all pools at once. Loops without callbacks, because this runs for
// every block.
import { POOLS, type Pool, perPool, type TreeSizes } from './pools.ts';

export const EMPTY_TREES: TreeSizes = perPool(() => 0);

/** The sizes after so many more leaves in each tree. */
export function addLeaves(sizes: TreeSizes, counts: TreeSizes): TreeSizes {
  const sum: Record<Pool, number> = { ...sizes };
  for (const pool of POOLS) sum[pool] += counts[pool];
  return sum;
}

/** The differences may be negative. */
export function subtractLeaves(sizes: TreeSizes, counts: TreeSizes): TreeSizes {
  const difference: Record<Pool, number> = { ...sizes };
  for (const pool of POOLS) difference[pool] -= counts[pool];
  return difference;
}

/** The sum over all pools. */
export function leafCount(counts: TreeSizes): number {
  let sum = 0;
  for (const pool of POOLS) sum += counts[pool];
  return sum;
}

/** Whether all trees have the same number of leaves. */
export const equalSizes = (a: TreeSizes, b: TreeSizes): boolean => POOLS.every((pool) => a[pool] === b[pool]);
