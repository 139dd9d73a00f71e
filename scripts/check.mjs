// `npm run check`: lint, types, and what tests may start, side by side, which take seconds. It writes only the compiler's own
// cache, the files generated from the operation table where that has changed, and the packages' declarations, which the rest is
// checked against.
import { spawn } from 'node:child_process';
import { PACKAGES, PAGE } from './packages.mjs';

const TSC = 'node_modules/typescript/bin/tsc';

/** Resolves whatever it finds: the others have findings, too. */
const run = (...args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => console.error(error.message));
    child.on('close', (status) => {
      if (status !== 0) process.exitCode = status ?? 1;
      resolve();
    });
  });

const types = (cache, ...args) =>
  run(TSC, '--noEmit', ...args, '--tsBuildInfoFile', `.cache/${cache}.tsbuildinfo`);

async function allTypes() {
  await run('scripts/generate.mjs', '--if-changed');
  await run(TSC, '-b', ...PACKAGES);
  await types('check');
  await types('check-dashboard', '-p', PAGE);
}

await Promise.all([
  run('node_modules/@biomejs/biome/bin/biome', 'check', '.'),
  run('scripts/quickTests.mjs'),
  allTypes(),
]);
