// The kernel is chosen in a thread of its own, and in this one where that fails.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import test from 'ava';
import { chooseKernelApart } from '../../src/workers/kernelChoice.ts';
import { chooseScanKernel } from '../../src/workers/scanKernel.ts';
import { ScanWorkers } from '../../src/workers/scanWorkers.ts';
import { createLog } from '../../src/workers/threadLog.ts';

test.serial('the thread chooses what would be chosen here, and its modules can be used here', async (t) => {
  const chosen = await chooseKernelApart({ configured: 'auto' });
  t.deepEqual(chosen.report, (await chooseScanKernel({ configured: 'auto' })).report);
  const { modules } = chosen.module ?? {};
  t.true(modules?.pallas instanceof WebAssembly.Module);
  t.true(modules?.symmetric instanceof WebAssembly.Module);
});

for (const [what, entry] of [
  ['fails', 'throw new Error("out of memory")'],
  ['ends without a word', 'process.exit()'],
] as const) {
  test.serial(`a thread that ${what} costs no more than time`, async (t) => {
    const chosen = await chooseKernelApart(
      { configured: 'auto' },
      { entry: new URL(`data:text/javascript,${encodeURIComponent(entry)}`) },
    );
    t.true(chosen.module?.modules.pallas instanceof WebAssembly.Module);
  });
}

test.serial('a stop ends the thread: the process does not wait for its test', async (t) => {
  const started = once(process, 'worker') as Promise<[Worker]>;
  const workers = new ScanWorkers(1, createLog('main'), () => ({ configured: 'auto' }));
  const choosing = workers.chooseKernel();
  const [thread] = await started;
  await workers.stop();
  t.is(thread.threadId, -1);
  t.is((await choosing).module, undefined);
});
