// The WebAssembly kernel in a thread that receives it compiled: trial decryption and hashes. Needs nothing of Node.

export { instantiateKernel } from '../kernel/batch/kernelInstance.ts';
export { createDecryptor } from '../kernel/kernelDecryptor.ts';
export { type KernelModule, KernelUnavailableError } from '../kernel/load/kernelModule.ts';
export { createKernelLevelHashes } from '../kernel/trees/kernelLevelHash.ts';
export { createBlake2b256 } from '../kernel/verify/transactionHash.ts';
