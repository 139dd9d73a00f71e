// The values of the polynomials at the challenge, as a proof has them.

import type { Circuit } from '../circuit/circuit.ts';
import type { ProofReader } from '../transcript/proofReader.ts';

/** A product of copies at x and in the next row, and in the last one where the next product goes on from it. */
export interface CopyProduct {
  readonly here: bigint;
  readonly next: bigint;
  readonly last: bigint | undefined;
}

export interface LookupValues {
  readonly product: bigint;
  readonly productNext: bigint;
  readonly input: bigint;
  readonly inputBefore: bigint;
  readonly table: bigint;
}

export interface ActionValues {
  readonly instance: readonly bigint[];
  readonly advice: readonly bigint[];
  readonly copies: readonly CopyProduct[];
  readonly lookups: readonly LookupValues[];
}

export interface Evaluations {
  readonly actions: readonly ActionValues[];
  readonly fixed: readonly bigint[];
  readonly random: bigint;
  /** Values of the columns of copies. */
  readonly permutation: readonly bigint[];
}

export function readEvaluations(reader: ProofReader, circuit: Circuit, actions: number): Evaluations {
  const { queries, copySets, lookups } = circuit;
  const each = <T>(read: () => T): T[] => Array.from({ length: actions }, read);
  const instance = each(() => reader.readScalars(queries.instance.length));
  const advice = each(() => reader.readScalars(queries.advice.length));
  const fixed = reader.readScalars(queries.fixed.length);
  const random = reader.readScalar();
  const permutation = reader.readScalars(copySets.flat().length);
  const copies = each(() =>
    copySets.map((_, set) => ({
      here: reader.readScalar(),
      next: reader.readScalar(),
      last: set < copySets.length - 1 ? reader.readScalar() : undefined,
    })),
  );
  const looked = each(() =>
    lookups.map(() => ({
      product: reader.readScalar(),
      productNext: reader.readScalar(),
      input: reader.readScalar(),
      inputBefore: reader.readScalar(),
      table: reader.readScalar(),
    })),
  );
  return {
    actions: instance.map((values, i) => ({
      instance: values,
      advice: advice[i]!,
      copies: copies[i]!,
      lookups: looked[i]!,
    })),
    fixed,
    random,
    permutation,
  };
}
