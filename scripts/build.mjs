// Compiles the sources and copies other files beside the output. WALLET_COMPANION_OUT names an output folder other than
// dist; each package is compiled into its own dist, where its exports point.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DASHBOARD, KERNEL, PACKAGES, PAGE } from './packages.mjs';

const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

function run(...args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

/** Output of a source that has moved or was deleted would still run as a test, and be shipped. */
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
run('node_modules/typescript/bin/tsc', '-p', PAGE);
for (const folder of ['src', 'test', 'bench', 'scripts']) removeLeftovers(folder, path.join(out, folder));
for (const root of PACKAGES)
  for (const folder of ['src', 'test', 'bench'])
    removeLeftovers(path.join(root, folder), path.join(root, 'dist', folder));
run(`${DASHBOARD}/scripts/bundle.mjs`);
const openApi = JSON.parse(readFileSync(path.join('docs', 'openapi.json'), 'utf8'));
writeFileSync(path.join(out, 'src', 'http', 'openapi.json'), JSON.stringify(openApi));
// The kernel's binaries; skipped when their inputs are unchanged.
run(`${KERNEL}/dist/src/kernel/generator/build.js`, `${KERNEL}/src/kernel/assembly`);
// Bundles the compiled files.
run('scripts/bundle.mjs');
run('scripts/bundleDoors.mjs');
