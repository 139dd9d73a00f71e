// Sapling's proving parameters: two files that a ceremony made in 2018, and that nodes kept in ~/.zcash-params before zebrad. They
// have 51.6 MB, so no release has them inside.

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ProverError } from './failures.ts';

/** Bytes and BLAKE2b-512, as in zcash_proofs 0.31. */
const FILES = {
  spend: {
    name: 'sapling-spend.params',
    size: 47_958_396,
    digest:
      '8270785a1a0d0bc77196f000ee6d221c9c9894f55307bd9357c3f0105d31ca63991ab91324160d8f53e2bbd3c2633a6eb8bdf5205d822e7f3f73edac51b2b70c',
  },
  output: {
    name: 'sapling-output.params',
    size: 3_592_860,
    digest:
      '657e3d38dbb5cb5e7dd2970e8b03d69b4787dd907285b5a7f0790dcc8072f60bf593b32cc2d1c030e00ff5ae64bf84c5c3beb84ddc841d48264b4a171744d028',
  },
} as const;

export type SaplingParameters = Readonly<Record<keyof typeof FILES, Uint8Array<ArrayBuffer>>>;

/** Whether a folder has both files of Sapling's parameters, by their names and sizes. */
export function hasSaplingParameters(folder: string): boolean {
  try {
    return Object.values(FILES).every(({ name, size }) => statSync(path.join(folder, name)).size === size);
  } catch {
    return false;
  }
}

/** Throws `PARAMETERS` unless both files are there as the ceremony published them. */
export async function readSaplingParameters(folder: string): Promise<SaplingParameters> {
  const [spend, output] = await Promise.all([readFileOf(folder, 'spend'), readFileOf(folder, 'output')]);
  return { spend, output };
}

async function readFileOf(folder: string, which: keyof typeof FILES): Promise<Uint8Array<ArrayBuffer>> {
  const { name, digest } = FILES[which];
  const bytes = await readFile(path.join(folder, name)).catch(() => {
    throw new ProverError('PARAMETERS', `${name} cannot be read.`);
  });
  if (createHash('blake2b512').update(bytes).digest('hex') !== digest)
    throw new ProverError('PARAMETERS', `${name} is not the file that the ceremony published.`);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
