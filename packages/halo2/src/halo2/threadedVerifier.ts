// Verifies proofs on a thread of its own, for programs that have other calls to answer: a proof of hundreds of actions, which
// anyone can send, takes seconds.

import type { CircuitName } from '@wallet-companion/zcash/network';
import { type ActionPool, perActionPool } from '@wallet-companion/zcash/pools';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import { JobThread } from './threads/jobThread.ts';

export interface VerifierStart {
  readonly circuit: CircuitName;
}

export interface VerifierJob {
  readonly effects: TransactionEffects;
  readonly proofs: Readonly<Record<ActionPool, Uint8Array | undefined>>;
}

/** The pools whose proof is wrong, or what kept the thread from finding out. */
export type VerifierResult = readonly ActionPool[] | Error;

export class ThreadedVerifier {
  readonly #thread: JobThread<VerifierJob, VerifierResult>;

  /** It finds nothing wrong with proofs of another circuit. */
  constructor(circuit: CircuitName) {
    const start: VerifierStart = { circuit };
    this.#thread = new JobThread(new URL('./verifierThread.js', import.meta.url), start);
  }

  /** The pools whose proof, where there is one, is not of these effects. Calls are answered one after the other; who calls bounds how many wait. */
  readonly findWrongProofs = async (
    effects: TransactionEffects,
    proofOf: (pool: ActionPool) => Uint8Array | undefined,
  ): Promise<readonly ActionPool[]> => {
    const result = await this.#thread.call({ effects, proofs: perActionPool(proofOf) });
    if (result instanceof Error) throw result;
    return result;
  };

  /** What it works on ends at once. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
