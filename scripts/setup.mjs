// Makes a fresh clone usable: installs the locked dependencies when they are missing or out of date, and compiles with
// `--build`. Needs only Node.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`wallet-companion needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

const installed = 'node_modules/.package-lock.json';
// An installation without the compiler (NODE_ENV=production, --omit=optional) cannot build.
const stale =
  !existsSync(installed) ||
  !existsSync(`node_modules/@typescript/typescript-${process.platform}-${process.arch}`) ||
  statSync('package-lock.json').mtimeMs > statSync(installed).mtimeMs;
if (stale)
  run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']);

if (process.argv.includes('--build')) run(process.execPath, ['scripts/build.mjs']);
