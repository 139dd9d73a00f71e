// Puts a database aside that an earlier wallet left behind, with the files that belong to it: under the first free name.

import fs from 'node:fs';
import path from 'node:path';
import { storageFailed } from '../files/failures.ts';
import { keptCopiesOf } from '../files/migrations.ts';
import { sideFilesOf } from './databaseFile.ts';

/** `nameOf`: the names to try, from 1 on. Does nothing where there is no such file. */
export function putAside(file: string, nameOf: (number: number) => string): void {
  try {
    if (fs.lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
    const aside = freeName(path.dirname(file), nameOf);
    const beside = [...sideFilesOf(file), ...keptCopiesOf(file)];
    fs.renameSync(file, aside);
    for (const other of beside) fs.renameSync(other, aside + other.slice(file.length));
  } catch (error) {
    throw storageFailed('written', file, error);
  }
}

function freeName(folder: string, nameOf: (number: number) => string): string {
  for (let number = 1; ; number++) {
    const candidate = path.join(folder, nameOf(number));
    if (fs.lstatSync(candidate, { throwIfNoEntry: false }) === undefined) return candidate;
  }
}
