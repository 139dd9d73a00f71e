// For a process that is started with a pipe as its standard input: it is killed when the parent's end of the pipe closes,
// as it does with the thread that started the process, and with the parent, however that ends.

import { Worker } from 'node:worker_threads';

export function endWithParent(): void {
  new Worker(new URL('./parentWatchThread.js', import.meta.url), { name: 'parent watch' }).unref();
}
