// Addition of any two points in the circuit, where the identity is (0, 0), with the inverses that distinguish its cases.
import { PALLAS_BASE, type PallasPoint } from '@wallet-companion/zcash/curves';
import type { Region } from './layout.ts';

const P = PALLAS_BASE.order;
const { reduce } = PALLAS_BASE;

export const IDENTITY: PallasPoint = { x: 0n, y: 0n };

export interface CompleteAddition {
  readonly sum: PallasPoint;
  /** The cells of the row: 1/(x_Q - x_P), 1/x_P, 1/x_Q, 1/(y_Q + y_P) where x is equal, and the slope; 1/0 is 0. */
  readonly alpha: bigint;
  readonly beta: bigint;
  readonly gamma: bigint;
  readonly delta: bigint;
  readonly lambda: bigint;
}

export function addCompletely(p: PallasPoint, q: PallasPoint): CompleteAddition {
  const run = reduce(q.x - p.x);
  const hasEqualX = run === 0n;
  const inverses = [run, p.x, q.x, hasEqualX ? reduce(q.y + p.y) : 0n, hasEqualX ? reduce(p.y << 1n) : 0n];
  const areOpposite = hasEqualX && inverses[3] === 0n;
  PALLAS_BASE.invertAll(inverses);
  const [alpha, beta, gamma, delta, tangent] = inverses as [bigint, bigint, bigint, bigint, bigint];
  const lambda = hasEqualX ? (((3n * p.x * p.x) % P) * tangent) % P : ((q.y - p.y) * alpha) % P;
  const sum = (): PallasPoint => {
    if (p.x === 0n) return q;
    if (q.x === 0n) return p;
    if (areOpposite) return IDENTITY;
    const x = reduce(lambda * lambda - p.x - q.x);
    return { x, y: reduce(lambda * (p.x - x) - p.y) };
  };
  return { sum: sum(), alpha, beta, gamma, delta, lambda };
}

/** P and Q are copies, or set by the caller. */
export function assignAddition(region: Region, row: number, addition: CompleteAddition): void {
  region.set(4, row, addition.lambda);
  region.set(5, row, addition.alpha);
  region.set(6, row, addition.beta);
  region.set(7, row, addition.gamma);
  region.set(8, row, addition.delta);
  region.set(2, row + 1, addition.sum.x);
  region.set(3, row + 1, addition.sum.y);
}
