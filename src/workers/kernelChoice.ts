// The choice of the kernel, made in a thread of its own: compiling and testing take part of a second in one piece, and
// whoever asks the wallet thread just after a start would wait for it.

import { Worker } from 'node:worker_threads';
import type { Config } from '../actors/wallet/ports/storage.ts';
import type { ScanKernel } from './scanKernel.ts';
import { THREAD_MEMORY } from './threadMemory.ts';

const ENTRY = new URL('./kernelThread.js', import.meta.url);

/** `entry`: another one, for tests. */
export async function chooseKernelApart(
  configured: Config['scan_kernel'],
  entry: URL = ENTRY,
): Promise<ScanKernel> {
  const thread = new Worker(entry, {
    workerData: configured,
    name: 'kernel',
    resourceLimits: THREAD_MEMORY,
  });
  const chosen = await new Promise<ScanKernel | undefined>((resolve) => {
    thread.once('message', resolve);
    // Short of memory, for one.
    thread.once('error', () => resolve(undefined));
    thread.once('exit', () => resolve(undefined));
  });
  await thread.terminate();
  return chosen ?? (await import('./scanKernel.ts')).chooseScanKernel(configured);
}
