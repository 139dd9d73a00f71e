// The project's own prover of Orchard's and Ironwood's actions.

import { type PcztProver, type ProverOptions, proverOn } from './calls.ts';
import { ProverThreads } from './proverThreads.ts';

/** One thread, or two, which share a proof. Sapling proofs that a PCZT lacks stay missing. */
export const createOwnProver = ({ threads, whenIdle }: ProverOptions): PcztProver =>
  proverOn(
    async () =>
      new ProverThreads({
        file: new URL('./ownProverThread.js', import.meta.url),
        dataOf: () => ({ threads }),
        threads,
      }),
    whenIdle,
  );
