// Chooses the kernel in a separate thread: compiling and testing take part of a second in one piece, and a call to the
// wallet thread just after a start would have to wait for it.

import { Worker } from 'node:worker_threads';
import type { KernelRequest, ScanKernel } from './scanKernel.ts';
import { THREAD_MEMORY } from './thread.ts';

const ENTRY = new URL('./kernelThread.js', import.meta.url);

/** The answer where the choice was stopped. */
const NOT_CHOSEN: ScanKernel = {
  module: undefined,
  report: { variant: 'reference', reason: 'the companion is stopping' },
};

interface Choosing {
  /** Ends the thread: the process would wait for it, and for its test of the wide kernel. */
  readonly stopping?: AbortSignal;
  /** Another entry file, for tests. */
  readonly entry?: URL;
}

export async function chooseKernelApart(
  request: KernelRequest,
  { stopping, entry = ENTRY }: Choosing = {},
): Promise<ScanKernel> {
  const isStopping = (): boolean => stopping?.aborted === true;
  if (isStopping()) return NOT_CHOSEN;
  const thread = new Worker(entry, {
    workerData: request,
    name: 'kernel',
    resourceLimits: THREAD_MEMORY,
  });
  const end = (): void => void thread.terminate();
  stopping?.addEventListener('abort', end);
  const chosen = await new Promise<ScanKernel | undefined>((resolve) => {
    thread.once('message', resolve);
    // E.g. out of memory.
    thread.once('error', () => resolve(undefined));
    thread.once('exit', () => resolve(undefined));
  });
  await thread.terminate();
  stopping?.removeEventListener('abort', end);
  if (isStopping()) return NOT_CHOSEN;
  return chosen ?? (await import('./scanKernel.ts')).chooseScanKernel(request);
}
