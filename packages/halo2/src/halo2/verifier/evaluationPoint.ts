// What a verifier computes of the challenge x: the polynomials that are known in closed form there, and the values in rows
// beside it that openings need.

import { PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { power, rowPoint } from '../circuit/powers.ts';
import type { RowSelectors } from './constraintValue.ts';
import type { OpeningPlan } from './openings.ts';

const { order, reduce, invertAll } = PALLAS_BASE;

/** A challenge that is a row's own point, or an opening's, has a probability of 2^-244: what it divides by stays 0 then, and
 * the proof is refused. */
export class EvaluationPoint {
  readonly selectors: RowSelectors;
  /** x to the number of rows. */
  readonly vanishingPower: bigint;
  /** 1 / (x^rows - 1) */
  readonly inverseVanishing: bigint;
  readonly #plan: OpeningPlan;
  /** The points of openings, by their rotation. */
  readonly #points: ReadonlyMap<number, bigint>;

  constructor(circuit: Circuit, plan: OpeningPlan, x: bigint) {
    const { rows, blindingRows } = circuit;
    const inRow = (rotation: number): bigint => rowPoint(circuit, rotation);
    this.#plan = plan;
    this.#points = new Map(
      [...new Set(plan.sets.flat())].map((rotation) => [rotation, (x * inRow(rotation)) % order]),
    );
    this.vanishingPower = power(x, BigInt(rows));
    const vanishing = reduce(this.vanishingPower - 1n);
    // The first row, then the last but one and those that blind.
    const ends = [0, ...Array.from({ length: blindingRows + 1 }, (_, i) => i - blindingRows - 1)].map(inRow);
    const inverses = [vanishing, BigInt(rows), ...ends.map((row) => reduce(x - row))];
    invertAll(inverses);
    const [inverseVanishing, perRow, ...distances] = inverses as [bigint, bigint, ...bigint[]];
    this.inverseVanishing = inverseVanishing;
    const scale = (vanishing * perRow) % order;
    const [first, last, ...blind] = ends.map((row, i) => (((scale * row) % order) * distances[i]!) % order);
    this.selectors = {
      first: first!,
      last: last!,
      active: reduce(1n - last! - blind.reduce((sum, one) => sum + one, 0n)),
    };
  }

  /**
   * The value at x3 of the quotients of all sets, combined with powers of x2: of `claimed` (there) less the polynomial
   * through the `combined` values (at the set's points), over the set's points.
   */
  openedValue(
    x3: bigint,
    x2: bigint,
    combined: readonly (readonly bigint[])[],
    claimed: readonly bigint[],
  ): bigint {
    const sets = this.#plan.sets.map((rotations) => rotations.map((rotation) => this.#points.get(rotation)!));
    // For each point its distance to x3 times those to the others; for each set its points' distances to x3.
    const product = (factors: readonly bigint[]): bigint =>
      reduce(factors.reduce((all, factor) => (all * factor) % order, 1n));
    const divisors = sets.flatMap((points) => [
      product(points.map((point) => x3 - point)),
      ...points.map((point, i) =>
        product([x3 - point, ...points.filter((_, j) => j !== i).map((other) => point - other)]),
      ),
    ]);
    invertAll(divisors);
    let at = 0;
    return sets.reduce((sum, points, set) => {
      const whole = claimed[set]! * divisors[at++]!;
      const parts = points.reduce((rest, _, i) => rest + combined[set]![i]! * divisors[at++]!, 0n);
      return (sum * x2 + whole - parts) % order;
    }, 0n);
  }
}
