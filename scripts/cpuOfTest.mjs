// Loaded by ava before each test file for `npm run test:cpu`: adds a line to the file that WALLET_COMPANION_TEST_CPU names,
// with the CPU seconds of the test's process, those of the processes that it started (Linux alone tells), how many threads and
// processes it started, and its name.
import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const TICKS_PER_SECOND = 100;

let started = 0;
for (const channel of ['worker_threads', 'child_process'])
  subscribe(channel, () => {
    started += 1;
  });
// Node has no channel for those that a test waits for.
for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
  const start = childProcess[name];
  childProcess[name] = (...args) => {
    started += 1;
    return start(...args);
  };
}
syncBuiltinESMExports();

/** Seconds of child processes that ended and were waited for, and of their children. */
function secondsOfChildren() {
  if (process.platform !== 'linux') return 0;
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  const [user, system] = afterName.slice(13, 15).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}

process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  const seconds = [(user + system) / 1e6, secondsOfChildren()].map((of) => of.toFixed(2));
  const file = path.relative('.', fileURLToPath(test.meta.file));
  appendFileSync(process.env.WALLET_COMPANION_TEST_CPU, `${[...seconds, started, file].join('\t')}\n`);
});
