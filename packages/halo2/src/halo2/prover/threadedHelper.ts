// A second thread for proofs, of Node. It keeps no process running while it waits.

import { Worker } from 'node:worker_threads';
import { wipe } from '@wallet-companion/base/bytes';
import type { VestaModule } from '@wallet-companion/kernel/vesta';
import type { Circuit } from '../circuit/circuit.ts';
import type { CommitmentPoints } from '../circuit/circuitData.ts';
import type { RowChallenges } from '../circuit/constraints.ts';
import { PASSES, type Pass } from './domain.ts';
import type { ProofHelper } from './proofWork.ts';
import type { CircuitTables } from './provingKey.ts';
import type { ActionCoefficients } from './quotient.ts';

export interface HelperParts {
  readonly module: VestaModule;
  readonly circuit: Circuit;
  readonly points: CommitmentPoints;
  readonly tables: CircuitTables;
}

export interface ThreadStart extends HelperParts {
  readonly pass: Pass;
}

export type Job =
  | { readonly kind: 'commit'; readonly factors: readonly Uint8Array[] }
  | {
      readonly kind: 'quotient';
      readonly pass: Pass;
      readonly actions: readonly ActionCoefficients[];
      readonly parameters: RowChallenges;
    };

interface Waiting {
  readonly resolve: (result: Uint8Array[]) => void;
  readonly reject: (error: Error) => void;
}

export class ThreadedHelper implements ProofHelper {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #ended: Error | undefined;

  constructor(parts: HelperParts) {
    const workerData: ThreadStart = { ...parts, pass: PASSES[1] };
    this.#worker = new Worker(new URL('./proofThread.js', import.meta.url), { workerData });
    this.#worker.unref();
    this.#worker.on('message', (result: Uint8Array[]) => {
      this.#waiting.shift()?.resolve(result);
      if (this.#waiting.length === 0) this.#worker.unref();
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('the thread has ended')));
  }

  async commitAll(factors: readonly Uint8Array[]): Promise<Uint8Array[]> {
    if (factors.length === 0) return [];
    const points = await this.#call({ kind: 'commit', factors });
    wipe(...factors);
    return points;
  }

  quotientParts(
    pass: Pass,
    actions: readonly ActionCoefficients[],
    parameters: RowChallenges,
  ): Promise<Uint8Array[]> {
    return this.#call({ kind: 'quotient', pass, actions, parameters });
  }

  /** What it works on ends at once. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #call(job: Job): Promise<Uint8Array[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      this.#waiting.push({ resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage(job);
    });
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }
}
