// `npm run test:watch`: compiles changes and runs the tests that they affect; with names (as for `npm test`) only those.

import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { CLIENT, DASHBOARD, PACKAGES, PAGE } from './packages.mjs';
import { compiled, testFiles } from './testFiles.mjs';

const files = testFiles(process.argv.slice(2), compiled);
// A tree with a type error is watched as well: someone is working on it.
spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
// The compilers and ava notice what it writes.
const generate = () =>
  spawnSync(process.execPath, ['scripts/generate.mjs', '--if-changed'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
const tables = ['src/protocol', `${CLIENT}/src/contract`].map((folder) =>
  watch(folder, { recursive: true }, generate),
);
const start = (stdin, ...args) => spawn(process.execPath, args, { stdio: [stdin, 'inherit', 'inherit'] });
// ava reads the keyboard: `r` and Enter runs everything again.
const watchers = [
  start('ignore', 'node_modules/typescript/bin/tsc', '-b', ...PACKAGES, '--watch', '--preserveWatchOutput'),
  start('ignore', 'node_modules/typescript/bin/tsc', '--watch', '--preserveWatchOutput'),
  start('ignore', 'node_modules/typescript/bin/tsc', '--watch', '--preserveWatchOutput', '-p', PAGE),
  start('ignore', `${DASHBOARD}/scripts/bundle.mjs`, '--watch'),
  start('inherit', 'node_modules/ava/entrypoints/cli.mjs', '--watch', ...files),
];
for (const watcher of watchers) {
  watcher.on('exit', (status) => {
    for (const other of watchers) other.kill();
    for (const table of tables) table.close();
    process.exitCode = status ?? 0;
  });
}
