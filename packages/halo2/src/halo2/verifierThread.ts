// The thread of a `ThreadedVerifier`.

import { parentPort, workerData } from 'node:worker_threads';
import { loadWrongProofs } from './load.ts';
import type { VerifierJob, VerifierResult, VerifierStart } from './threadedVerifier.ts';

const loading = loadWrongProofs((workerData as VerifierStart).circuit);
const resultOf = async ({ effects, proofs }: VerifierJob): Promise<VerifierResult> => {
  try {
    return (await loading)(effects, (pool) => proofs[pool]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};
parentPort!.on('message', async (job: VerifierJob) => parentPort!.postMessage(await resultOf(job)));
