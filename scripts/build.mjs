// Compiles the sources and puts what is not TypeScript beside the output. WALLET_COMPANION_OUT names another output
// folder than dist.
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';

const out = process.env.WALLET_COMPANION_OUT ?? 'dist';

function run(...args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

run(
  'node_modules/typescript/bin/tsc',
  '-p',
  'tsconfig.json',
  '--outDir',
  out,
  '--tsBuildInfoFile',
  `${out}/.tsbuildinfo`,
);
// The desktop window's page is served as it is.
cpSync('src/ipc/desktop/page', `${out}/src/ipc/desktop/page`, { recursive: true });
// The kernel's binaries; nothing is done when their inputs are unchanged.
run(`${out}/src/kernel/generator/build.js`, 'src/kernel/assembly');
