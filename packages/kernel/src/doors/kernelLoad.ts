// Compiles the WebAssembly kernel for this machine and tests it. Needs Node.

export {
  type KernelOptions,
  loadEquihash,
  loadKernel,
  loadVesta,
  wideIdentity,
} from '../kernel/loadKernel.ts';
export { findNoteFault } from '../kernel/noteSelfTest.ts';
export { findWideFault, NOT_WORTH_IT } from '../kernel/wideTest.ts';
