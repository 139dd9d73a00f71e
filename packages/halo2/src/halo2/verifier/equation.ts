// A proof as one equation: multiples of the points that are fixed and of its own, which must sum to the identity.

import type { VestaSums } from '@wallet-companion/kernel/vesta';
import { encodeInteger32, PALLAS_BASE } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import { power } from '../circuit/powers.ts';
import { ProofReader, RefusedProof } from '../transcript/proofReader.ts';
import { type Challenges, type Constraints, combinedConstraints } from './constraintValue.ts';
import { EvaluationPoint } from './evaluationPoint.ts';
import { readEvaluations } from './evaluations.ts';
import type { FixedPlaces } from './fixedPoints.ts';
import type { Committed, Opened, OpeningPlan } from './openings.ts';

const { order, reduce, invertAll } = PALLAS_BASE;

/** The public inputs of each action. */
export type Statement = readonly (readonly bigint[])[];

export interface Equation {
  /** Factors of the fixed points before those of coefficients, and of the first of these. */
  readonly fixed: readonly bigint[];
  /** The proof's points, and their factors. */
  readonly points: Uint8Array;
  readonly factors: readonly bigint[];
  /** Challenges of the inner product's rounds, and what all of its factors of coefficients have in common. */
  readonly rounds: readonly bigint[];
  readonly common: bigint;
}

/** What a verifier prepares once for a circuit. */
export interface Prepared {
  readonly circuit: Circuit;
  readonly plan: OpeningPlan;
  readonly constraints: Constraints;
  readonly places: FixedPlaces;
  readonly sums: VestaSums;
}

/** A proof of consensus has no byte more than what is read below. */
export function proofLength({ circuit, plan }: Prepared, actions: number): number {
  const { queries, copySets, lookups, adviceColumns, quotientPieces, k } = circuit;
  const columns = queries.instance.length + adviceColumns + queries.advice.length;
  const ofAction = columns + 8 * lookups.length + 4 * copySets.length - 1;
  const random = 2;
  const innerProduct = 2 * k + 3;
  const opening = 1 + plan.sets.length;
  const shared =
    quotientPieces + queries.fixed.length + copySets.flat().length + random + opening + innerProduct;
  return 32 * (shared + actions * ofAction);
}

/** @throws RefusedProof */
export function proofEquation(prepared: Prepared, statement: Statement, proof: Uint8Array): Equation {
  const { circuit, plan, sums, constraints } = prepared;
  const isScalar = (value: bigint): boolean => value >= 0n && value < order;
  if (!statement.every((inputs) => inputs.length === circuit.instanceRows && inputs.every(isScalar)))
    throw new RefusedProof('INPUTS');
  if (statement.length === 0 || proof.length !== proofLength(prepared, statement.length))
    throw new RefusedProof('LENGTH');
  const reader = new ProofReader(sums.kernel, proof);
  reader.absorbScalar(circuit.key.representation);
  for (const inputs of statement) reader.absorbPoint(instanceCommitment(sums, inputs));

  const committed = readCommitments(reader, circuit, statement.length);
  const { challenges } = committed;
  const values = readEvaluations(reader, circuit, statement.length);
  const x = new EvaluationPoint(circuit, plan, challenges.x);
  const sum = combinedConstraints(constraints, values, x.selectors, challenges);
  const shared = { ...values, quotient: (sum * x.inverseVanishing) % order };

  const [x1, x2] = [reader.challenge(), reader.challenge()];
  const opening = reader.readPoint();
  const x3 = reader.challenge();
  const claimed = reader.readScalars(plan.sets.length);
  const x4 = reader.challenge();

  // Each set's polynomials are combined with powers of x1, the sets with powers of x4: the last ones have the lowest.
  const terms = new Terms(prepared, statement);
  const setFactors = plan.sets.map((_, set) => power(x4, BigInt(plan.sets.length - 1 - set)));
  terms.addPoint(opening, power(x4, BigInt(plan.sets.length)));
  const powers = plan.sets.map(() => 1n);
  const combined = plan.sets.map((points) => points.map(() => 0n));
  const add = <Values>(opened: Opened<Values>, of: Values, put: (factor: bigint) => void): void => {
    const { set } = opened;
    put((powers[set]! * setFactors[set]!) % order);
    opened.values.forEach((value, i) => {
      combined[set]![i] = (combined[set]![i]! + powers[set]! * value(of)) % order;
    });
    powers[set] = (powers[set]! * x1) % order;
  };
  for (const opened of plan.shared.toReversed())
    add(opened, shared, (factor) => terms.addShared(opened.committed, factor, committed, x.vanishingPower));
  for (let i = statement.length - 1; i >= 0; i--)
    for (const opened of plan.ofAction.toReversed())
      add(opened, values.actions[i]!, (factor) =>
        terms.addOfAction(opened.committed, factor, committed.actions[i]!, i),
      );
  const openedValue = x.openedValue(x3, x2, combined, claimed);
  const value = claimed.reduce((rest, u) => (rest * x4 + u) % order, openedValue);
  return innerProduct(reader, circuit, terms, value, x3);
}

/** @throws RefusedProof for the identity, which no transcript takes. */
export function instanceCommitment(sums: VestaSums, inputs: readonly bigint[]): Uint8Array {
  // Blinds of what is public are 1.
  const point = sums.commit([...inputs, 1n].map(encodeInteger32));
  if (point === undefined) throw new RefusedProof('POINT');
  return point;
}

/** Numbers of points. */
interface ActionCommitments {
  readonly advice: readonly number[];
  readonly product: readonly number[];
  readonly lookupProduct: readonly number[];
  readonly lookupInput: readonly number[];
  readonly lookupTable: readonly number[];
}

interface Commitments {
  readonly actions: readonly ActionCommitments[];
  readonly random: number;
  readonly quotient: readonly number[];
  readonly challenges: Challenges;
}

function readCommitments(reader: ProofReader, circuit: Circuit, actions: number): Commitments {
  const { adviceColumns, copySets, lookups, quotientPieces } = circuit;
  const each = <T>(read: () => T): T[] => Array.from({ length: actions }, read);
  const advice = each(() => reader.readPoints(adviceColumns));
  const theta = reader.challenge();
  const permuted = each(() => lookups.map(() => [reader.readPoint(), reader.readPoint()] as const));
  const [beta, gamma] = [reader.challenge(), reader.challenge()];
  const product = each(() => reader.readPoints(copySets.length));
  const lookupProduct = each(() => reader.readPoints(lookups.length));
  const random = reader.readPoint();
  const y = reader.challenge();
  const quotient = reader.readPoints(quotientPieces);
  return {
    actions: advice.map((columns, i) => ({
      advice: columns,
      product: product[i]!,
      lookupProduct: lookupProduct[i]!,
      lookupInput: permuted[i]!.map(([input]) => input),
      lookupTable: permuted[i]!.map(([, table]) => table),
    })),
    random,
    quotient,
    challenges: { theta, beta, gamma, y, x: reader.challenge() },
  };
}

/** The factors of all points. */
class Terms {
  readonly fixed: bigint[];
  readonly factors: bigint[] = [];
  readonly #prepared: Prepared;
  readonly #statement: Statement;

  constructor(prepared: Prepared, statement: Statement) {
    this.#prepared = prepared;
    this.#statement = statement;
    this.fixed = new Array<bigint>(prepared.places.coefficients + 1).fill(0n);
  }

  get places(): FixedPlaces {
    return this.#prepared.places;
  }

  addPoint(point: number, factor: bigint): void {
    this.factors[point] = ((this.factors[point] ?? 0n) + factor) % order;
  }

  addFixed(place: number, factor: bigint): void {
    this.fixed[place] = (this.fixed[place]! + factor) % order;
  }

  addShared(committed: Committed, factor: bigint, { random, quotient }: Commitments, step: bigint): void {
    if (committed.kind === 'random') this.addPoint(random, factor);
    else if (committed.kind === 'quotient')
      for (const [i, piece] of quotient.entries())
        this.addPoint(piece, (factor * power(step, BigInt(i))) % order);
    else if (committed.kind === 'fixed' || committed.kind === 'permutation')
      this.addFixed(this.places[committed.kind] + committed.index, factor);
  }

  addOfAction(committed: Committed, factor: bigint, points: ActionCommitments, action: number): void {
    if (committed.kind === 'instance') {
      for (const [row, input] of this.#statement[action]!.entries()) this.addFixed(row, factor * input);
      this.addFixed(this.places.blind, factor);
    } else if (committed.kind in points) {
      const { kind, index } = committed as { kind: keyof ActionCommitments; index: number };
      this.addPoint(points[kind][index]!, factor);
    }
  }
}

/** The end of the proof: the polynomial that everything was combined to has this value at x3. */
function innerProduct(
  reader: ProofReader,
  { k }: Circuit,
  terms: Terms,
  value: bigint,
  x3: bigint,
): Equation {
  const { coefficients, product, blind } = terms.places;
  terms.addFixed(coefficients, -value);
  const blinding = reader.readPoint();
  terms.addPoint(blinding, reader.challenge());
  const z = reader.challenge();
  const rounds: bigint[] = [];
  const sides: (readonly [number, number])[] = [];
  for (let round = 0; round < k; round++) {
    sides.push([reader.readPoint(), reader.readPoint()]);
    rounds.push(reader.challenge());
  }
  const inverses = [...rounds];
  invertAll(inverses);
  sides.forEach(([left, right], round) => {
    terms.addPoint(left, inverses[round]!);
    terms.addPoint(right, rounds[round]!);
  });
  const [last, blindOfAll] = [reader.readScalar(), reader.readScalar()];
  let folded = 1n;
  for (let round = k - 1, point = x3; round >= 0; round--, point = (point * point) % order)
    folded = (folded * (1n + rounds[round]! * point)) % order;
  terms.addFixed(product, -((((last * folded) % order) * z) % order));
  terms.addFixed(blind, -blindOfAll);
  return {
    fixed: terms.fixed.map(reduce),
    points: reader.points,
    factors: terms.factors.map(reduce),
    rounds,
    common: reduce(-last),
  };
}
