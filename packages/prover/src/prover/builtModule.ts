// The compiled module, which `npm run build:prover` makes where cargo is and every release has.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ProverError } from './failures.ts';

const BUILT = new URL('../../prover.wasm', import.meta.url);

export const proverIsBuilt = (module: URL = BUILT): boolean => existsSync(module);

export async function compiledModule(module: URL = BUILT): Promise<WebAssembly.Module> {
  const bytes = await readFile(module).catch(() => {
    throw new ProverError('NOT_BUILT', 'The prover was not built: run "npm run build:prover".');
  });
  return WebAssembly.compile(new Uint8Array(bytes)).catch(() => {
    throw new ProverError('NOT_BUILT', 'The file of the prover is damaged: run "npm run build:prover".');
  });
}
