// Compiles the WebAssembly kernel from binaries that the caller reads, and tests it. Needs nothing of Node.

export { fetchKernel, fetchVesta } from '../kernel/fetchKernel.ts';
export { findNoteFault } from '../kernel/noteSelfTest.ts';
