// The thread of a `ThreadedHelper`: has the key for one pass, and answers its jobs one after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { wipe } from '@wallet-companion/base/bytes';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import { prepare } from '../verifier/verifier.ts';
import { commit } from './polynomials.ts';
import { createProvingKey } from './provingKey.ts';
import { quotientParts } from './quotient.ts';
import type { Job, ThreadStart } from './threadedHelper.ts';

const { module, circuit, points, tables, pass } = workerData as ThreadStart;
const key = createProvingKey(prepare(instantiateVesta(module), circuit, points), tables, [pass]);

parentPort!.on('message', (job: Job) => {
  parentPort!.postMessage(resultOf(job));
  key.domain.columns.wipe();
});

function resultOf(job: Job): Uint8Array[] {
  if (job.kind === 'commit') return job.factors.map((factors) => commit(key.prepared, factors));
  const { memory } = key.domain.kernel;
  const mark = memory.mark();
  const parts = quotientParts(key, job.pass, job.actions, job.parameters);
  memory.bytes.fill(0, mark);
  for (const action of job.actions) wipe(...action.values());
  return parts;
}
