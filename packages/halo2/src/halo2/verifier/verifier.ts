// Verifies proofs, one or several in one sum: the fixed points' multiples, which take most of the time, are then shared.

import { concatBytes } from '@wallet-companion/base/bytes';
import { BLOCK_BYTES, LANES_PER_BLOCK, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { encodeInteger32, PALLAS_BASE, toPallasBase } from '@wallet-companion/zcash/curves';
import type { Circuit } from '../circuit/circuit.ts';
import type { CommitmentPoints } from '../circuit/circuitData.ts';
import { type Refusal, RefusedProof } from '../transcript/proofReader.ts';
import { constraintsOf } from './constraintValue.ts';
import { type Equation, type Prepared, proofEquation, type Statement } from './equation.ts';
import { fixedPlaces, fixedSums } from './fixedPoints.ts';
import { openingPlan } from './openings.ts';

const { order } = PALLAS_BASE;

export type Verdict = { readonly kind: 'valid' } | { readonly kind: 'refused'; readonly reason: Refusal };

/** What is to be proven, in the public inputs of each action, and the proof. */
export interface ProvenStatement {
  readonly statement: Statement;
  readonly proof: Uint8Array;
}

export interface Verifier {
  verify(proven: ProvenStatement): Verdict;
  /** One verdict for each, and less time than one by one. */
  verifyAll(proven: readonly ProvenStatement[]): Verdict[];
}

export interface VerifierParts {
  readonly kernel: VestaKernel;
  readonly circuit: Circuit;
  readonly points: CommitmentPoints;
  /** 64 random bytes that who made the proofs cannot know. */
  readonly random: () => Uint8Array;
}

const VALID: Verdict = { kind: 'valid' };

/** Takes some 0.2 s for the multiples of fixed points, which it keeps. */
export const prepare = (kernel: VestaKernel, circuit: Circuit, points: CommitmentPoints): Prepared => ({
  circuit,
  plan: openingPlan(circuit),
  constraints: constraintsOf(circuit),
  places: fixedPlaces(circuit),
  sums: fixedSums(kernel, circuit, points),
});

export const createVerifier = ({ kernel, circuit, points, random }: VerifierParts): Verifier =>
  preparedVerifier(prepare(kernel, circuit, points), random);

export function preparedVerifier(prepared: Prepared, random: VerifierParts['random']): Verifier {
  const read = ({ statement, proof }: ProvenStatement): Equation | Refusal => {
    try {
      return proofEquation(prepared, statement, proof);
    } catch (error) {
      if (error instanceof RefusedProof) return error.reason;
      throw error;
    }
  };
  const verdictOf = (equation: Equation | Refusal): Verdict => {
    if (typeof equation === 'string') return { kind: 'refused', reason: equation };
    return holds(prepared, [{ equation, weight: 1n }]) ? VALID : { kind: 'refused', reason: 'EQUATION' };
  };
  return {
    verify: (proven) => verdictOf(read(proven)),
    verifyAll(all) {
      const equations = all.map(read);
      const weighted = equations
        .filter((equation) => typeof equation !== 'string')
        .map((equation) => ({ equation, weight: toPallasBase(random()) }));
      const areAllValid = weighted.length > 1 && holds(prepared, weighted);
      return equations.map((equation) =>
        areAllValid && typeof equation !== 'string' ? VALID : verdictOf(equation),
      );
    },
  };
}

interface Weighted {
  readonly equation: Equation;
  readonly weight: bigint;
}

/** Whether the sum of the equations, each with its weight, is the identity. */
function holds({ circuit, places, sums }: Prepared, all: readonly Weighted[]): boolean {
  const fixed = Array.from({ length: places.coefficients + 1 }, (_, place) =>
    all.reduce((sum, { equation, weight }) => (sum + equation.fixed[place]! * weight) % order, 0n),
  );
  const first = fixed.pop()!;
  const factors = all.flatMap(({ equation, weight }) =>
    equation.factors.map((factor) => (factor * weight) % order),
  );
  return sums.isZero(
    concatBytes(...fixed.map(encodeInteger32), coefficientFactors(sums.kernel, circuit, all, first)),
    {
      points: concatBytes(...all.map(({ equation }) => equation.points)),
      scalars: concatBytes(...factors.map(encodeInteger32)),
    },
  );
}

/**
 * The factors of the points of coefficients, encoded: of coefficient i the product of the rounds' challenges at the bits of
 * i, the last round being the lowest bit. `first` is added to the first one.
 */
function coefficientFactors(
  { scalars: field, memory }: VestaKernel,
  { rows }: Circuit,
  all: readonly Weighted[],
  first: bigint,
): Uint8Array {
  const blocks = rows / LANES_PER_BLOCK;
  return memory.borrow(() => {
    const sum = field.array(blocks);
    const own = field.array(blocks);
    const one = field.constant(1n);
    memory.bytes.fill(0, sum, sum + blocks * BLOCK_BYTES);
    const bytes = memory.allocate(rows * 32);
    for (const { equation, weight } of all) {
      const [low, high, ...rest] = equation.rounds.toReversed() as [bigint, bigint, ...bigint[]];
      const start = (equation.common * weight) % order;
      const block = [start, start * low, start * high, ((start * low) % order) * high];
      memory.bytes.set(concatBytes(...block.map((value) => encodeInteger32(value % order))), bytes);
      field.read(own, bytes, 1);
      memory.borrow(() => {
        rest.forEach((round, i) => {
          const known = 2 ** i;
          field.scale(own + known * BLOCK_BYTES, own, field.constant(round), known);
        });
        field.scalePlus(sum, own, one, sum, blocks);
        field.flush();
      });
    }
    field.leaveMontgomery(sum, sum, blocks);
    field.write(bytes, sum, blocks);
    const added = (field.stored(sum, 0) + first) % order;
    memory.bytes.set(encodeInteger32(added), bytes);
    return memory.bytes.slice(bytes, bytes + rows * 32);
  });
}
