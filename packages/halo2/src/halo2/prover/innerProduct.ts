// The end of a proof: that the polynomial which everything was combined to has its value, by halving it in rounds. The points
// are not halved: a round's are sums of the first ones with weights, which are products of the challenges so far.

import { encodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { ProofWriter } from '../transcript/proofWriter.ts';
import { type Column, type Columns, ELEMENT, valuesOf } from './columns.ts';
import type { Draws } from './draws.ts';
import type { Polynomial } from './polynomials.ts';
import type { CommitAll } from './proofWork.ts';
import { powersOf } from './provingKey.ts';

const { order, invert } = PALLAS_BASE;

/** The polynomial's value at x3 is 0, and already part of it. */
export async function proveInnerProduct(
  writer: ProofWriter,
  draws: Draws,
  columns: Columns,
  commitAll: CommitAll,
  { coefficients, blind }: Polynomial,
  x3: bigint,
  z: bigint,
): Promise<void> {
  const { rows } = columns;
  const [left, right] = [columns.take(), columns.take()];
  let values = valuesOf(coefficients);
  let points = powersOf(x3, rows);
  let weights = [1n];
  let blindOfAll = blind;
  for (let round = 0; round < Math.log2(rows); round++) {
    const half = values.length / 2;
    const [low, high] = [values.slice(0, half), values.slice(half)];
    const [pointsLow, pointsHigh] = [points.slice(0, half), points.slice(half)];
    const [leftBlind, rightBlind] = draws.scalars(2) as [bigint, bigint];
    const side = (
      coefficients: Column,
      of: readonly bigint[],
      by: readonly bigint[],
      offset: number,
      sideBlind: bigint,
    ): Polynomial => {
      coefficients.fill(0);
      weights.forEach((weight, i) => {
        of.forEach((value, j) => {
          const at = i * 2 * half + offset + j;
          coefficients.set(encodeInteger32((value * weight) % order), at * ELEMENT);
        });
      });
      return { coefficients, blind: sideBlind, product: (dot(of, by) * z) % order };
    };
    const sides = [side(left, high, pointsLow, 0, leftBlind), side(right, low, pointsHigh, half, rightBlind)];
    for (const point of await commitAll(sides)) writer.writePoint(point);
    const challenge = writer.challenge();
    const inverse = invert(challenge);
    values = low.map((value, i) => (value + high[i]! * inverse) % order);
    points = pointsLow.map((value, i) => (value + pointsHigh[i]! * challenge) % order);
    weights = weights.flatMap((weight) => [weight, (weight * challenge) % order]);
    blindOfAll = (blindOfAll + leftBlind * inverse + rightBlind * challenge) % order;
  }
  writer.writeScalar(values[0]!);
  writer.writeScalar(blindOfAll);
}

const dot = (a: readonly bigint[], b: readonly bigint[]): bigint =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0n) % order;
