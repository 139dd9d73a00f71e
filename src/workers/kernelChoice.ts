// Chooses the kernel in a separate thread: compiling and testing take part of a second in one piece, and a call to the
// wallet thread just after a start would have to wait for it.

import { Worker } from 'node:worker_threads';
import type { KernelRequest, ScanKernel } from './scanKernel.ts';
import { THREAD_MEMORY } from './threadMemory.ts';

const ENTRY = new URL('./kernelThread.js', import.meta.url);

/** `entry`: another entry file, for tests. */
export async function chooseKernelApart(request: KernelRequest, entry: URL = ENTRY): Promise<ScanKernel> {
  const thread = new Worker(entry, {
    workerData: request,
    name: 'kernel',
    resourceLimits: THREAD_MEMORY,
  });
  const chosen = await new Promise<ScanKernel | undefined>((resolve) => {
    thread.once('message', resolve);
    // E.g. out of memory.
    thread.once('error', () => resolve(undefined));
    thread.once('exit', () => resolve(undefined));
  });
  await thread.terminate();
  return chosen ?? (await import('./scanKernel.ts')).chooseScanKernel(request);
}
