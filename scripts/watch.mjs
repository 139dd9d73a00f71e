// `npm run test:watch`: compiles what changes and runs the tests it touches; with names (as for `npm test`) those alone.
import { spawn, spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { testFiles } from './testFiles.mjs';

const files = testFiles(process.argv.slice(2));
// A tree with a type error is watched all the same: it is what is being worked on.
spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
// The compilers and ava see what it writes.
const generate = () =>
  spawnSync(process.execPath, ['scripts/generate.mjs', '--if-changed'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
const table = watch('src/protocol', { recursive: true }, generate);
const start = (stdin, ...args) => spawn(process.execPath, args, { stdio: [stdin, 'inherit', 'inherit'] });
// The keyboard is ava's: `r` and Enter runs everything again.
const watchers = [
  start(
    'ignore',
    'node_modules/typescript/bin/tsc',
    '-b',
    'packages/shielded',
    'packages/devnet',
    '--watch',
    '--preserveWatchOutput',
  ),
  start('ignore', 'node_modules/typescript/bin/tsc', '--watch', '--preserveWatchOutput'),
  start(
    'ignore',
    'node_modules/typescript/bin/tsc',
    '--watch',
    '--preserveWatchOutput',
    '-p',
    'src/dashboard/page',
  ),
  start('inherit', 'node_modules/ava/entrypoints/cli.mjs', '--watch', ...files),
];
for (const watcher of watchers) {
  watcher.on('exit', (status) => {
    for (const other of watchers) other.kill();
    table.close();
    process.exitCode = status ?? 0;
  });
}
