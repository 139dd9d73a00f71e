// Entry of a process in which WebAssembly has run before the wide build is loaded, and runs in a new instance after it.
import { createDecryptor } from '../../../src/kernel/kernelDecryptor.ts';
import { loadKernel } from '../../../src/kernel/loadKernel.ts';
import { findNoteFault } from '../../../src/kernel/noteSelfTest.ts';
import { prepareWideKernel } from '../../../src/kernel/wideFlags.ts';

if (process.argv[2] === 'prepared') prepareWideKernel();
const before = await loadKernel({ choice: 'portable' });
const faults = [findNoteFault(before)];
const after = await loadKernel({ choice: 'watched wide' });
for (const module of [before, after, ...(after.watch?.others ?? [])]) {
  createDecryptor(module);
  faults.push(findNoteFault(module));
}
process.stdout.write(JSON.stringify({ variant: after.variant, reason: after.reason, faults }));
