// The thread of a `ThreadedHelper`: has the key for one pass, and does its jobs one after the other.

import { parentPort, workerData } from 'node:worker_threads';
import { instantiateVesta } from '@wallet-companion/kernel/vesta';
import { prepare } from '../verifier/verifier.ts';
import { Domain } from './domain.ts';
import { commit } from './polynomials.ts';
import { createQuotientKey, type QuotientKey } from './provingKey.ts';
import { quotientParts } from './quotient.ts';
import type { Job, ThreadStart } from './threadedHelper.ts';

const { module, circuit, points, pass } = workerData as ThreadStart;
const prepared = prepare(instantiateVesta(module), circuit, points);
const domain = new Domain(prepared.sums.kernel, circuit, { areShared: false });
const { memory } = domain.kernel;
let key: QuotientKey | undefined;

parentPort!.on('message', (job: Job) => {
  if (job.kind === 'key') {
    key = createQuotientKey(prepared, domain, job.coefficients, [pass]);
  } else if (job.kind === 'wipe') {
    domain.columns.wipe();
    memory.bytes.fill(0, memory.mark());
  } else {
    parentPort!.postMessage(resultOf(job));
  }
});

function resultOf(job: Exclude<Job, { kind: 'key' | 'wipe' }>): Uint8Array[] {
  if (job.kind === 'commit') return job.polynomials.map((polynomial) => commit(prepared, polynomial));
  return quotientParts(key!, pass, job.actions, job.parameters);
}
