// `npm run check`: lint and types, which take seconds. It writes only the compiler's own cache, the files generated from
// the operation table where that has changed, and the packages' declarations, which the rest is checked against.
import { spawnSync } from 'node:child_process';
import { PACKAGES, PAGE } from './packages.mjs';

const steps = [
  ['scripts/generate.mjs', '--if-changed'],
  ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ['node_modules/typescript/bin/tsc', '-b', ...PACKAGES],
  ['node_modules/typescript/bin/tsc', '--noEmit', '--tsBuildInfoFile', '.cache/check.tsbuildinfo'],
  [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '-p',
    PAGE,
    '--tsBuildInfoFile',
    '.cache/check-dashboard.tsbuildinfo',
  ],
];
for (const args of steps) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) console.error(error.message);
  if (status !== 0) process.exitCode = status ?? 1;
}
