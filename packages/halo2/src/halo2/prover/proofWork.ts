// The heavy parts of a proof, which another thread can take a half of: sums of multiples, and the quotient's values in cosets.

import { wipe } from '@wallet-companion/base/bytes';
import type { RowChallenges } from '../circuit/constraints.ts';
import type { Column } from './columns.ts';
import { PASSES, type Pass } from './domain.ts';
import { commit, type Polynomial } from './polynomials.ts';
import type { ColumnsByName, KeyUser, ProvingKey } from './provingKey.ts';
import { quotientParts } from './quotient.ts';

/** Coordinates of the commitments. */
export type CommitAll = (polynomials: readonly Polynomial[]) => Promise<Uint8Array[]>;

/** Another thread. */
export interface ProofHelper extends KeyUser {
  readonly commitAll: CommitAll;
  /** Of the second pass. */
  readonly quotientParts: (
    actions: readonly ColumnsByName[],
    parameters: RowChallenges,
  ) => Promise<Uint8Array[]>;
  /** Of a proof that has ended. */
  readonly wipe: () => void;
}

export class ProofWork {
  readonly #key: ProvingKey;
  readonly #helper: ProofHelper | undefined;

  constructor(key: ProvingKey, helper?: ProofHelper) {
    this.#key = key;
    this.#helper = helper;
  }

  async commitAll(polynomials: readonly Polynomial[]): Promise<Uint8Array[]> {
    const own = this.#helper === undefined ? polynomials.length : Math.ceil(polynomials.length / 2);
    const all = await Promise.all([
      this.#helper?.commitAll(polynomials.slice(own)) ?? [],
      this.#later(() => polynomials.slice(0, own).map((one) => commit(this.#key.prepared, one))),
    ]);
    return [...all[1], ...all[0]];
  }

  async quotientParts(actions: readonly ColumnsByName[], parameters: RowChallenges): Promise<Column[]> {
    const [first, second] = PASSES;
    const own = (pass: Pass) => this.#later(() => quotientParts(this.#key, pass, actions, parameters));
    const all = await Promise.all([
      this.#helper?.quotientParts(actions, parameters) ?? own(second),
      own(first),
    ]);
    return [...all[1], ...(this.#helper === undefined ? all[0] : all[0].map((part) => this.#ownCopy(part)))];
  }

  #ownCopy(part: Uint8Array): Column {
    const copy = this.#key.domain.columns.copyOf(part);
    wipe(part);
    return copy;
  }

  wipe(): void {
    this.#key.domain.columns.wipe();
    this.#helper?.wipe();
  }

  /** After what was posted to the other thread. */
  async #later<T>(work: () => T): Promise<T> {
    return work();
  }
}
