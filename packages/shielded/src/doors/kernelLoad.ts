// Compiles the WebAssembly kernel for this machine and tests it. Needs Node.

export { loadKernel } from '../kernel/loadKernel.ts';
export { findNoteFault } from '../kernel/noteSelfTest.ts';
