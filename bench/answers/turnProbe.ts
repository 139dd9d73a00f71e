// Loaded before everything else into every thread of a companion whose turns are measured (`--import`): writes down how
// much processor time passes between two turns of a thread's event loop, where it is more than a few milliseconds.
// By the thread's own clock, which a busy machine does not stretch; Node 22 and older do not tell it.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { nameOfThread } from '../sync/threadProbe.ts';

/** How often it looks: what it finds is too long by that at most. */
const LOOK_MS = 1;
const WORTH_TELLING_MS = 5;

const { BENCH_TURNS: file } = process.env;
const { threadCpuUsage } = process as {
  threadCpuUsage?: () => { readonly user: number; readonly system: number };
};

function watchTurns(into: string, usage: () => { readonly user: number; readonly system: number }): void {
  const now = (): number => {
    const { user, system } = usage();
    return (user + system) / 1000;
  };
  const name = nameOfThread();
  let last = now();
  setInterval(() => {
    const taken = now() - last;
    if (taken > WORTH_TELLING_MS)
      appendFileSync(into, `${process.hrtime.bigint()} ${taken.toFixed(1)} ${name}\n`);
    last = now();
  }, LOOK_MS).unref();
}

// Workers of the pool wait without turning their loop, and answer nobody.
const answers = isMainThread || !nameOfThread().startsWith('scan');
if (file !== undefined && threadCpuUsage !== undefined && answers)
  watchTurns(file, () => threadCpuUsage.call(process));
