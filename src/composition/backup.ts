// One sealed file with everything, and the way back: on the files themselves, beside a companion that may be running. No operation
// does it: an answer is whole in memory, and a backup may have gigabytes.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import type { LocalOptions, RestoredBackup } from '../cli/cliEnvironment.ts';
import { CompanionError } from '../protocol/errors.ts';
import { backupContent } from '../storage/backup/backupContent.ts';
import { openBackup, sealBackup } from '../storage/backup/backupFile.ts';
import { lastBackup } from '../storage/backup/lastBackup.ts';
import { requireEmpty, restoreContent } from '../storage/backup/restoring.ts';
import { createDataDirectory } from '../storage/files/directories.ts';
import { directoriesFor, VERSION } from './directories.ts';

/** The bytes of the file. `password`: UTF-8; the caller wipes it afterwards. */
export function backupOf(options: LocalOptions, password: Uint8Array): AsyncIterable<Uint8Array> {
  const content = backupContent(directoriesFor(options), { version: VERSION, now: new Date() });
  return sealBackup(content, password, { randomBytes });
}

/** Remembers that a backup is complete. */
export const markBackup = (options: LocalOptions): Promise<void> =>
  lastBackup(directoriesFor(options).dataDir).write(new Date());

/** Reads the whole file before anything is written. Errors: those of `restoreContent`, and `BUSY`. */
export async function restoreBackup(
  options: LocalOptions,
  file: string,
  password: Uint8Array,
): Promise<RestoredBackup> {
  const directories = directoriesFor(options);
  requireEmpty(directories.dataDir);
  const content = () => openBackup(fs.createReadStream(file, { highWaterMark: 1 << 20 }), password);
  for await (const _piece of content());
  createDataDirectory(directories.dataDir);
  const lock = await acquireDirectoryLock(directories.dataDir);
  if (lock.state === 'held')
    throw new CompanionError(
      'BUSY',
      'A companion uses this data directory. Stop it first, or choose another.',
    );
  try {
    const { wallets, made_at } = await restoreContent(content(), directories);
    return { wallets, made_at };
  } finally {
    lock.release();
  }
}
