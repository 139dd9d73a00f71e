// Loaded before everything else into every thread: once the pipe named by HELD_BY exists, holds the worker threads in a
// call to the system that never returns, as a disk does that hangs. Beside the pipe each leaves a sign that it is held.
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const pipe = process.env['HELD_BY'] ?? '';

if (!isMainThread) {
  const timer = setInterval(() => {
    if (!existsSync(pipe)) return;
    clearInterval(timer);
    writeFileSync(`${pipe}.held`, '');
    // Nobody ever writes to it.
    openSync(pipe, 'r');
  }, 20);
  timer.unref();
}
