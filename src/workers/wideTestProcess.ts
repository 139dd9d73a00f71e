// Entry of the process that tests the wide kernel, and then ends: it writes why the kernel is not to be used, or null.

import { Worker } from 'node:worker_threads';
import { findWideFault } from '@wallet-companion/kernel/kernelLoad';

// A compiler that hangs would otherwise take a core after the companion has ended.
endWithParent();
process.stdout.write(JSON.stringify((await findWideFault()) ?? null));

// For a process that is started with a pipe as its standard input: it is killed when the parent's end of the pipe closes,
// as it does with the thread that started the process, and with the parent, however that ends.
function endWithParent(): void {
  new Worker(new URL('./parentWatchThread.js', import.meta.url), { name: 'parent watch' }).unref();
}
