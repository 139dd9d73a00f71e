// A second thread for proofs, of Node.

import type { VestaModule } from '@wallet-companion/kernel/vesta';
import type { Circuit } from '../circuit/circuit.ts';
import type { CommitmentPoints } from '../circuit/circuitData.ts';
import type { RowChallenges } from '../circuit/constraints.ts';
import { JobThread } from '../threads/jobThread.ts';
import { PASSES, type Pass } from './domain.ts';
import type { Polynomial } from './polynomials.ts';
import type { ProofHelper } from './proofWork.ts';
import type { ColumnsByName } from './provingKey.ts';

export interface HelperParts {
  readonly module: VestaModule;
  readonly circuit: Circuit;
  readonly points: CommitmentPoints;
}

export interface ThreadStart extends HelperParts {
  readonly pass: Pass;
}

/** The first one is `key`. Columns are in memory that threads share. */
export type Job =
  | { readonly kind: 'key'; readonly coefficients: ColumnsByName }
  | { readonly kind: 'commit'; readonly polynomials: readonly Polynomial[] }
  | {
      readonly kind: 'quotient';
      readonly actions: readonly ColumnsByName[];
      readonly parameters: RowChallenges;
    }
  | { readonly kind: 'wipe' };

export class ThreadedHelper implements ProofHelper {
  readonly #thread: JobThread<Job, Uint8Array[]>;

  constructor({ module, circuit, points }: HelperParts) {
    const start: ThreadStart = { module, circuit, points, pass: PASSES[1] };
    this.#thread = new JobThread(new URL('./proofThread.js', import.meta.url), start);
  }

  useKey(coefficients: ColumnsByName): void {
    this.#thread.post({ kind: 'key', coefficients });
  }

  async commitAll(polynomials: readonly Polynomial[]): Promise<Uint8Array[]> {
    return polynomials.length === 0 ? [] : this.#thread.call({ kind: 'commit', polynomials });
  }

  quotientParts(actions: readonly ColumnsByName[], parameters: RowChallenges): Promise<Uint8Array[]> {
    return this.#thread.call({ kind: 'quotient', actions, parameters });
  }

  wipe(): void {
    this.#thread.post({ kind: 'wipe' });
  }

  /** What it works on ends at once. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
