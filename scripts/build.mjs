// Compiles the sources and puts what is not TypeScript beside the output.
import { spawnSync } from 'node:child_process';

const { status, error } = spawnSync(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
if (error) console.error(error.message);
process.exit(status ?? 1);
