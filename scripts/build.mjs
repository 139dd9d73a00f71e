// Compiles the sources and puts what is not TypeScript beside the output. WALLET_COMPANION_OUT names another output
// folder than dist; packages are compiled into a dist of their own, where their exports point.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

const out = process.env.WALLET_COMPANION_OUT ?? 'dist';
const SHIELDED = 'packages/shielded';
const PACKAGES = [SHIELDED, 'packages/devnet'];
const PAGE = path.join('src', 'dashboard', 'page');

function run(...args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** What was compiled from a file that has moved or gone would still be run as a test, and shipped. */
function removeLeftovers(folder, compiled) {
  if (!existsSync(compiled)) return;
  for (const file of readdirSync(compiled, { recursive: true, encoding: 'utf8' })) {
    const source = /^(.*)\.(?:js|js\.map|d\.ts)$/.exec(file)?.[1];
    if (source === undefined || existsSync(path.join(folder, `${source}.ts`))) continue;
    rmSync(path.join(compiled, file));
  }
}

run('scripts/generate.mjs', '--if-changed');
run('node_modules/typescript/bin/tsc', '-b', ...PACKAGES);
run(
  'node_modules/typescript/bin/tsc',
  '-p',
  'tsconfig.json',
  '--outDir',
  out,
  '--tsBuildInfoFile',
  `${out}/.tsbuildinfo`,
);
// The dashboard is for browsers: with their types, and without Node's.
run(
  'node_modules/typescript/bin/tsc',
  '-p',
  PAGE,
  '--outDir',
  out,
  '--tsBuildInfoFile',
  `${out}/.tsbuildinfo-dashboard`,
);
for (const folder of ['src', 'test', 'bench']) removeLeftovers(folder, path.join(out, folder));
for (const root of PACKAGES)
  for (const folder of ['src', 'test'])
    removeLeftovers(path.join(root, folder), path.join(root, 'dist', folder));
// Served as they are.
const isServed = (file) => statSync(file).isDirectory() || /\.(?:html|css|svg)$/.test(file);
cpSync(PAGE, path.join(out, PAGE), { recursive: true, filter: isServed });
// The kernel's binaries; nothing is done when their inputs are unchanged.
run(`${SHIELDED}/dist/src/kernel/generator/build.js`, `${SHIELDED}/src/kernel/assembly`);
// From what is compiled by now.
run('scripts/bundle.mjs');
