// `npm run check`: what takes seconds, lint and types. Nothing is written but the compiler's own cache, what is made from
// the operation table where that has changed, and the packages' declarations, by which the rest is checked.
import { spawnSync } from 'node:child_process';

const steps = [
  ['scripts/generate.mjs', '--if-changed'],
  ['node_modules/@biomejs/biome/bin/biome', 'check', '.'],
  ['node_modules/typescript/bin/tsc', '-b', 'packages/shielded', 'packages/devnet'],
  ['node_modules/typescript/bin/tsc', '--noEmit', '--tsBuildInfoFile', '.cache/check.tsbuildinfo'],
  [
    'node_modules/typescript/bin/tsc',
    '--noEmit',
    '-p',
    'src/dashboard/page',
    '--tsBuildInfoFile',
    '.cache/check-dashboard.tsbuildinfo',
  ],
];
for (const args of steps) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) console.error(error.message);
  if (status !== 0) process.exitCode = status ?? 1;
}
