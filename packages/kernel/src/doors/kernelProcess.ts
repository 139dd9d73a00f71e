// Prepares a process for the kernel, before any WebAssembly of it. Needs Node.

export { prepareWideKernel } from '../kernel/wideFlags.ts';
