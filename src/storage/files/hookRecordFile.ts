// The file with the progress of the hooks, which define its text. Nothing in it is secret, and all of it can be lost.

import fs from 'node:fs';
import path from 'node:path';
import { replaceFile } from '@wallet-companion/disk/files';
import { HOOKS_FILE } from './dataFiles.ts';

/** Several times what the most hooks have for the most wallets. */
const MAX_SIZE = 4 * 1024 * 1024;

export function hookRecordFile(dataDir: string) {
  const file = path.join(dataDir, HOOKS_FILE);
  return {
    /** Undefined where there is none. Throws errors of the file system. */
    read(): string | undefined {
      const stats = fs.lstatSync(file, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      if (!stats.isFile() || stats.size > MAX_SIZE) throw new Error('not a file of ours');
      return fs.readFileSync(file, 'utf8');
    },
    write: (text: string) => replaceFile(file, new TextEncoder().encode(text)),
  };
}
