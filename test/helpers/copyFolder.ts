// A folder as it is, with who may read it: in Node 22 and 24 `cpSync` gives the copies of folders the usual mode, and a data
// directory that is open to others is refused or closed.

import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  for (const name of ['', ...readdirSync(from, { recursive: true, encoding: 'utf8' })]) {
    const { mode } = statSync(path.join(from, name));
    chmodSync(path.join(to, name), mode);
  }
}
