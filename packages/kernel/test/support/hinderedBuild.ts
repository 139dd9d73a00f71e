// Entry of a process that has loaded no build: the first one cannot be compiled, and then it can.
import { loadKernel } from '../../src/kernel/loadKernel.ts';

const { compile } = WebAssembly;
Object.assign(WebAssembly, { compile: () => Promise.reject(new Error('EMFILE: too many open files')) });
const fault = await loadKernel({ choice: 'portable' }).then(
  () => 'none',
  (error: Error) => error.name,
);
Object.assign(WebAssembly, { compile });
const { variant } = await loadKernel({ choice: 'portable' });
process.stdout.write(JSON.stringify({ fault, variant }));
