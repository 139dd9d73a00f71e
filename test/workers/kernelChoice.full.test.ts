// The kernel is chosen in a thread of its own, and in this one where that fails.
import test from 'ava';
import { chooseKernelApart } from '../../src/workers/kernelChoice.ts';
import { chooseScanKernel } from '../../src/workers/scanKernel.ts';

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
      new URL(`data:text/javascript,${encodeURIComponent(entry)}`),
    );
    t.true(chosen.module?.modules.pallas instanceof WebAssembly.Module);
  });
}
