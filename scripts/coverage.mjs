// `npm run coverage`: the tests (all, or those named as for `npm test`) with V8's own counters, worker threads and
// child processes included. The table at the end lists the sources; coverage/index.html shows the lines.
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { compiled, testFiles } from './testFiles.mjs';

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exitCode = status ?? 1;
  return status === 0;
}

// Otherwise black-box tests would run the bundled program, which does not map to sources.
process.env.WALLET_COMPANION_PROGRAM ??= path.resolve('dist/src/main.js');
const files = testFiles(process.argv.slice(2), compiled);
if (run('scripts/build.mjs')) {
  // The C library starts the program itself.
  chmodSync(process.env.WALLET_COMPANION_PROGRAM, 0o755);
  // It merges the counters of some thousand threads, which takes more than Node's usual limit.
  run(
    '--max-old-space-size=8192',
    'node_modules/c8/bin/c8.js',
    process.execPath,
    'node_modules/ava/entrypoints/cli.mjs',
    ...files,
  );
}
