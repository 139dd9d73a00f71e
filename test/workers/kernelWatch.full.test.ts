// A missed canary in any thread is told and kept.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { KernelModule } from '@wallet-companion/kernel/kernel';
import test from 'ava';
import { kernelReport, watchKernel } from '../../src/workers/kernelWatch.ts';
import type { ScanKernel } from '../../src/workers/scanKernel.ts';
import type { Log } from '../../src/workers/threadLog.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const module = (variant: KernelModule['variant']) => ({ variant, reason: 'works' }) as KernelModule;
const kernel = (): ScanKernel & { readonly refused: Int32Array } => {
  const refused = new Int32Array(new SharedArrayBuffer(4));
  const watch = { others: [module('fma'), module('portable')], refused };
  return {
    module: { ...module('wide'), watch },
    report: { variant: 'wide', reason: 'works' },
    tested: 'this',
    refused,
  };
};

test('the kernel in use is reported, also after builds were refused', (t) => {
  const watched = kernel();
  t.deepEqual(kernelReport(watched), { variant: 'wide', reason: 'works' });
  for (const [bits, variant] of [
    [1, 'fma'],
    [3, 'portable'],
  ] as const) {
    watched.refused[0] = bits;
    t.is(kernelReport(watched).variant, variant);
    t.regex(kernelReport(watched).reason ?? '', /is not used any more/);
  }
  const report = { variant: 'fma', reason: 'works' };
  t.is(kernelReport({ module: module('fma'), report }), report);
});

test('where nothing is kept a missed canary is logged, too', async (t) => {
  const { refused, ...watched } = kernel();
  const lines: unknown[][] = [];
  const log = { error: (...line: unknown[]) => lines.push(line) } as unknown as Log;
  const reported = watchKernel(watched, undefined, log);
  Atomics.or(refused, 0, 1);
  Atomics.notify(refused, 0);
  await reported;
  t.is(lines.length, 1);
});

test('a canary that another thread missed is logged once, and the machine remembers it', async (t) => {
  const folder = temporaryFolder(t);
  const { refused, ...watched } = kernel();
  const lines: unknown[][] = [];
  const log = { error: (...line: unknown[]) => lines.push(line) } as unknown as Log;
  const kept = watchKernel(watched, folder, log);
  const code = `const { workerData } = require('node:worker_threads');
    Atomics.or(workerData, 0, 1); Atomics.notify(workerData, 0);`;
  const worker = new Worker(code, { eval: true, workerData: refused });
  await Promise.all([kept, new Promise((resolve) => worker.once('exit', resolve))]);
  const record = path.join(folder, 'kernel.json');
  const { tested, fault } = JSON.parse(readFileSync(record, 'utf8')) as Record<string, string>;
  t.is(tested, 'this');
  t.regex(fault ?? '', /missed a canary/);
  t.is(lines.length, 1);
  t.regex(JSON.stringify(lines), /rescan with from_height/);
});
