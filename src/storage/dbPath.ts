// Where a client may put a compact store (docs: db_path). Decides by names and metadata alone and touches nothing: the
// file is not opened here.

import fs from 'node:fs';
import path from 'node:path';
import { CompanionError } from '../protocol/errors.ts';
import type { Network } from '../protocol/network.ts';
import { sweepTemporaries } from './atomicFile.ts';
import { sideFilesOf } from './databaseFile.ts';
import { defaultCompactStoreFile, isOwnFileName } from './dataFiles.ts';
import { errnoOf, storageFailed } from './failures.ts';

export interface DbPathRules {
  readonly dataDir: string;
  /** Confines every store to the data directory. */
  readonly restrictDbPath: boolean;
  readonly network: Network;
}

const MAX_PATH_LENGTH = 4096;
/** File systems take 255 bytes; SQLite and our temporaries append to the name. */
const MAX_NAME_BYTES = 200;
/** The name itself is at fault, not the disk. */
const BAD_NAMES: readonly (string | undefined)[] = ['ENAMETOOLONG', 'ENOTDIR', 'ELOOP', 'EINVAL', 'EILSEQ'];

export const invalidDbPath = (why: string): CompanionError =>
  new CompanionError('INVALID_DB_PATH', `The db_path ${why}.`, {
    errors: [{ path: 'db_path', message: why }],
  });

/**
 * The absolute, link-free path that `dbPath` names; undefined names the default store. Relative means inside the data
 * directory; absolute needs an existing folder that is the user's own. Never a link on the way, never `..`, never one of
 * our other files.
 */
export function resolveDbPath(dbPath: string | undefined, rules: DbPathRules): string {
  try {
    return resolve(dbPath ?? defaultCompactStoreFile(rules.network), rules);
  } catch (error) {
    if (BAD_NAMES.includes(errnoOf(error))) throw invalidDbPath('cannot be used on this file system');
    throw storageFailed('read', 'The compact store', error);
  }
}

function resolve(dbPath: string, { dataDir, restrictDbPath }: DbPathRules): string {
  if (dbPath === '' || dbPath.length > MAX_PATH_LENGTH || dbPath.includes('\0')) {
    throw invalidDbPath('must be a file path');
  }
  if (dbPath.split(/[/\\]/).includes('..')) throw invalidDbPath('must not contain ".."');
  if (/[/\\]$/.test(dbPath)) throw invalidDbPath('must name a file, not a folder');
  if (Buffer.byteLength(path.basename(dbPath)) > MAX_NAME_BYTES)
    throw invalidDbPath('names a file with too long a name');
  const home = fs.realpathSync(dataDir);
  const file = path.isAbsolute(dbPath) ? path.normalize(dbPath) : path.join(home, dbPath);
  if (isOwnFileName(path.basename(file)))
    throw invalidDbPath("is the name of one of the companion's other files");
  const folder = path.dirname(file);
  const inside = folder === home || folder.startsWith(home + path.sep);
  if (restrictDbPath && !inside) throw invalidDbPath('must lie in the data directory (restrict_db_path)');
  requireOwnFolder(folder);
  requirePlainFile(file);
  return file;
}

function requireOwnFolder(folder: string): void {
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) throw invalidDbPath('must lie in a folder that exists');
  if (fs.realpathSync(folder) !== folder) throw invalidDbPath('must not lead through a link');
  requireOwn(stats, 'must lie in a folder of your own');
  // Whoever may write there could put a link in the file's place at any time.
  if (process.platform !== 'win32' && (stats.mode & 0o002) !== 0) {
    throw invalidDbPath('must not lie in a folder that everybody may write to');
  }
}

function requirePlainFile(file: string): void {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    // SQLite would replay what it finds there into the new file.
    if (sideFilesOf(file).length > 0) {
      throw invalidDbPath(
        'has a -wal, -shm or -journal file of another database beside it; delete that first',
      );
    }
    return;
  }
  if (stats.isSymbolicLink()) throw invalidDbPath('must not be a link');
  if (stats.isDirectory()) throw invalidDbPath('must name a file, not a folder');
  if (!stats.isFile()) throw invalidDbPath('must name a regular file');
  if (hasOtherNames(file, stats)) throw invalidDbPath('must not be a link');
  requireOwn(stats, 'must name a file of your own');
  for (const sideFile of sideFilesOf(file)) {
    if (!fs.lstatSync(sideFile).isFile()) throw invalidDbPath('must not have links beside it');
  }
}

/** Hard links. One that a crash left while the store was made (see databaseFile.ts) does not count. */
function hasOtherNames(file: string, stats: fs.Stats): boolean {
  if (stats.nlink === 1) return false;
  sweepTemporaries(path.dirname(file), path.basename(file));
  return fs.lstatSync(file).nlink > 1;
}

function requireOwn(stats: fs.Stats, rule: string): void {
  // Windows has no such number; there the folder's access list decides when the file is written.
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw invalidDbPath(rule);
}
