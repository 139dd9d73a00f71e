// The balance over time, computed backwards: it begins with the wallet's total, and undoes one transaction after
// another. So the last point always agrees with the balance, even if old transactions were not loaded.

import type { Output } from '../../client/operationTypes.ts';

export type Transaction = Output<'transactions.list'>['transactions'][number];

export interface Point {
  readonly atMs: number;
  readonly zatoshi: number;
}

export const changeOf = ({ received_zatoshi, spent_zatoshi }: Transaction): number =>
  received_zatoshi - spent_zatoshi;

/** `newestFirst` is in the companion's order. The result has one step for each transaction, oldest first. */
export function balanceHistory(totalZatoshi: number, newestFirst: readonly Transaction[]): readonly Point[] {
  const points: Point[] = [];
  const newest = newestFirst.find(({ time }) => time !== null)?.time ?? null;
  if (newest === null) return points;
  let zatoshi = totalZatoshi;
  for (const transaction of newestFirst) {
    // Block times may decrease by up to two hours, the line must not; an unknown time is replaced by its neighbour's.
    const atMs = Math.min(
      Date.parse(transaction.time ?? newest),
      points.at(-1)?.atMs ?? Number.POSITIVE_INFINITY,
    );
    points.push({ atMs, zatoshi });
    zatoshi -= changeOf(transaction);
  }
  if (points.length > 0) points.push({ atMs: points.at(-1)!.atMs, zatoshi });
  return points.reverse();
}

/** One, two or five times a power of ten, so that four or five steps cover 0 to `highest`. */
export function niceStep(highest: number): number {
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? 10 * power;
}

/** At most as many points as a screen can show: the last point of each column. */
export function thinned(points: readonly Point[], columns: number): readonly Point[] {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length <= columns) return points;
  const span = Math.max(1, last.atMs - first.atMs);
  const kept = new Map<number, Point>();
  for (const point of points) kept.set(Math.floor(((point.atMs - first.atMs) / span) * columns), point);
  return [first, ...kept.values()];
}
