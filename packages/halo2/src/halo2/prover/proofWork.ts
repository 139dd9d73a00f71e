// The heavy parts of a proof, which another thread can take a half of: sums of multiples, and the quotient's values in cosets.

import type { RowChallenges } from '../circuit/constraints.ts';
import type { Column } from './columns.ts';
import { PASSES, type Pass } from './domain.ts';
import { commit } from './polynomials.ts';
import type { ProvingKey } from './provingKey.ts';
import { type ActionCoefficients, quotientParts } from './quotient.ts';

/** Commitments by their factors, which are wiped. */
export type CommitAll = (factors: readonly Uint8Array[]) => Promise<Uint8Array[]>;

/** Another thread. */
export interface ProofHelper {
  readonly commitAll: CommitAll;
  readonly quotientParts: (
    pass: Pass,
    actions: readonly ActionCoefficients[],
    parameters: RowChallenges,
  ) => Promise<Column[]>;
}

export class ProofWork {
  readonly #key: ProvingKey;
  readonly #helper: ProofHelper | undefined;

  constructor(key: ProvingKey, helper?: ProofHelper) {
    this.#key = key;
    this.#helper = helper;
  }

  async commitAll(factors: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const own = this.#helper === undefined ? factors.length : Math.ceil(factors.length / 2);
    const all = await Promise.all([
      this.#helper?.commitAll(factors.slice(own)) ?? [],
      this.#later(() => factors.slice(0, own).map((one) => commit(this.#key.prepared, one))),
    ]);
    return [...all[1], ...all[0]];
  }

  async quotientParts(actions: readonly ActionCoefficients[], parameters: RowChallenges): Promise<Column[]> {
    const [first, second] = PASSES;
    const own = (pass: Pass) => this.#later(() => quotientParts(this.#key, pass, actions, parameters));
    const all = await Promise.all([
      this.#helper?.quotientParts(second, actions, parameters) ?? own(second),
      own(first),
    ]);
    return [...all[1], ...all[0]];
  }

  /** After what was posted to the other thread. */
  async #later<T>(work: () => T): Promise<T> {
    return work();
  }
}
