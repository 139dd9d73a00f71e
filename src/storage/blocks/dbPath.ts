// Where a client may put a compact store (`db_path` in docs/storage/compact.md). Decides by names and metadata alone:
// nothing is touched, and the file is not opened here.
//
// A caller without the password chooses a store's name and, by naming a server, bytes in it; the result must never be a
// file that another program takes for its own. So names have a narrow form, and the folder must be one that no other
// user can replace.

import fs from 'node:fs';
import path from 'node:path';
import { errnoOf, LOCK_FILE, storageFailed, sweepTemporaries } from '@wallet-companion/disk/files';
import { sideFilesOf } from '@wallet-companion/disk/sqlite';
import { badField, type CompanionError } from '../../protocol/errors.ts';
import { isOwnFileName, isOwnStoreName, WALLET_FILE } from '../files/dataFiles.ts';
import { absoluteParts, relativeParts } from './dbPathSyntax.ts';

export interface DbPathRules {
  readonly dataDir: string;
  readonly configDir: string;
  /** Confines every store to the data directory. */
  readonly restrictDbPath: boolean;
}

export interface StoreFile {
  /** Absolute and free of links. */
  readonly file: string;
  /** Folders on the way that are to be made with the store, the outermost first. */
  readonly missingFolders: readonly string[];
}

/** File systems take 255 bytes; SQLite and our temporaries append to the name. */
const MAX_NAME_BYTES = 200;
/** SQLite takes 512 for a whole path, with what it appends. */
const MAX_FILE_BYTES = 500;
/** Errors caused by the name, not by the disk. */
const BAD_NAMES: readonly (string | undefined)[] = ['ENAMETOOLONG', 'ENOTDIR', 'ELOOP', 'EINVAL', 'EILSEQ'];
const DENIED: readonly (string | undefined)[] = ['EACCES', 'EPERM'];

const GROUP_OR_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

export const invalidDbPath = (why: string): CompanionError =>
  badField('db_path', why, `The db_path ${why}.`, 'INVALID_DB_PATH');

/**
 * The file that `dbPath` names. A relative path lies inside the data directory, where missing folders may be made; an
 * absolute one needs a folder that belongs to the user. Links on the way, `..`, our other files and the configuration
 * directory are refused.
 */
export function resolveDbPath(dbPath: string, rules: DbPathRules): StoreFile {
  const home = dataDirectoryOf(rules);
  return judged(() => {
    const store = path.isAbsolute(dbPath)
      ? resolveAbsolute(dbPath, home, rules)
      : resolveBelow(home, dbPath, rules);
    if (Buffer.byteLength(store.file) > MAX_FILE_BYTES) throw invalidDbPath('is too long');
    return store;
  });
}

/** The folder of the stores that the companion names itself. */
export function dataDirectoryOf({ dataDir }: Pick<DbPathRules, 'dataDir'>): string {
  try {
    const home = fs.realpathSync.native(dataDir);
    requireOwnFolder(home, fs.statSync(home));
    return home;
  } catch (error) {
    throw storageFailed('read', 'The data directory', error);
  }
}

/** Anything that exists at the path must be able to be a store: a regular file of the user, with a single name. */
export function requirePlainFile(file: string): void {
  judged(() => {
    const stats = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink()) throw invalidDbPath('must not be a link');
    if (stats.isDirectory()) throw invalidDbPath('must name a file, not a folder');
    if (!stats.isFile()) throw invalidDbPath('must name a regular file');
    if (hasOtherNames(file, stats)) throw invalidDbPath('must not be a link');
    requireOwn(stats, 'must name a file of your own');
    requireNoOtherWriter(stats, 'must not name a file that others may write to');
    for (const sideFile of sideFilesOf(file)) {
      if (!fs.lstatSync(sideFile).isFile()) throw invalidDbPath('must not have links beside it');
    }
  });
}

/** SQLite would replay leftover side files into a new file. */
export function requireNoLeftovers(file: string): void {
  if (isThere(file) || sideFilesOf(file).length === 0) return;
  throw invalidDbPath('has a -wal, -shm or -journal file of another database beside it; delete that first');
}

function judged<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (BAD_NAMES.includes(errnoOf(error))) throw invalidDbPath('cannot be used on this file system');
    if (DENIED.includes(errnoOf(error))) throw invalidDbPath('must lie in a folder of your own');
    throw storageFailed('read', 'The compact store', error);
  }
}

function resolveAbsolute(dbPath: string, home: string, rules: DbPathRules): StoreFile {
  const { folders, name } = checked(absoluteParts(dbPath, path));
  const folder = path.join(path.parse(dbPath).root, ...folders);
  // An absolute path that the companion answered earlier counts as the relative one, wherever the data directory is.
  const file = path.join(folder, name);
  if (isBelow(file, home)) return resolveBelow(home, relativeForm(home, file), rules);
  // The folder's own name: file systems that fold or ignore letters have several names for one folder.
  const real = existingFolder(folder);
  if (real !== folder && fs.realpathSync(folder) !== folder)
    throw invalidDbPath('must not lead through a link');
  if ([...folders, ...real.split(path.sep)].some((part) => part.startsWith('.'))) {
    throw invalidDbPath('must not lie below a folder whose name begins with a dot');
  }
  const realFile = path.join(real, name);
  if (isBelow(realFile, home)) return resolveBelow(home, relativeForm(home, realFile), rules);
  if (rules.restrictDbPath) throw invalidDbPath('must lie in the data directory (restrict_db_path)');
  requireOwnFolder(real, fs.statSync(real));
  for (const above of foldersAbove(real)) requireGuarded(above);
  for (const at of [real, ...foldersAbove(real)]) requireNoCompanion(at);
  return storeFile(real, name, [], home, rules);
}

function resolveBelow(home: string, dbPath: string, rules: DbPathRules): StoreFile {
  const { folders, name } = checked(relativeParts(dbPath));
  const missing: string[] = [];
  let folder = home;
  for (const part of folders) {
    // A folder with the name of one of our files would prevent that file from ever being made.
    if (isOwnFileName(part) || isOwnStoreName(part)) {
      throw invalidDbPath("leads through the name of one of the companion's other files");
    }
    requireShort(part);
    folder = path.join(folder, part);
    const stats = missing.length > 0 ? undefined : fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) missing.push(folder);
    else if (stats.isSymbolicLink()) throw invalidDbPath('must not lead through a link');
    else requireOwnFolder(folder, stats);
  }
  return storeFile(folder, name, missing, home, rules);
}

function storeFile(
  folder: string,
  name: string,
  missingFolders: readonly string[],
  home: string,
  { configDir }: DbPathRules,
): StoreFile {
  requireShort(name);
  if (isOwnFileName(name)) throw invalidDbPath("is the name of one of the companion's other files");
  if (isConfiguration(folder, home, configDir)) {
    throw invalidDbPath('must not lie in the configuration directory');
  }
  const file = path.join(folder, name);
  if (missingFolders.length > 0) return { file, missingFolders };
  requirePlainFile(file);
  requireNoLeftovers(file);
  return { file, missingFolders };
}

function checked<T extends object>(parts: T | string): T {
  if (typeof parts === 'string') throw invalidDbPath(parts);
  return parts;
}

function requireShort(name: string): void {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw invalidDbPath('has too long a name in it');
}

function existingFolder(folder: string): string {
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) throw invalidDbPath('must lie in a folder that exists');
  return fs.realpathSync.native(folder);
}

function requireOwnFolder(folder: string, stats: fs.Stats): void {
  if (!stats.isDirectory()) throw invalidDbPath('must lie in a folder');
  requireOwn(stats, 'must lie in a folder of your own');
  // Anyone who may write there could replace the file by a link at any time.
  requireNoOtherWriter(stats, 'must not lie in a folder that others may write to');
  if (fs.realpathSync.native(folder) !== folder) throw invalidDbPath('must not lead through a link');
}

/**
 * Anyone who may rename a folder on the way could replace it by a link between this check and the opening of the file.
 * The owner of the root directory can do anything anyway; in a user namespace that is not user 0.
 */
function requireGuarded(folder: string): void {
  if (process.getuid === undefined) return;
  const stats = fs.statSync(folder);
  const trusted = [process.getuid(), 0, fs.statSync('/').uid].includes(stats.uid);
  const exchangeable = (stats.mode & GROUP_OR_OTHERS_WRITE) !== 0 && (stats.mode & STICKY) === 0;
  if (!trusted || exchangeable) {
    throw invalidDbPath('must not lie below a folder that others may change');
  }
}

/** Another companion's data directory belongs to that companion. */
function requireNoCompanion(folder: string): void {
  if ([LOCK_FILE, WALLET_FILE].some((name) => isThere(path.join(folder, name)))) {
    throw invalidDbPath('must not lie in the data directory of another companion');
  }
}

const isThere = (file: string): boolean => fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/**
 * Whether it has hard links. One that a crash left behind while the store was made (see databaseFile.ts) does not
 * count.
 */
function hasOtherNames(file: string, stats: fs.Stats): boolean {
  if (stats.nlink === 1) return false;
  sweepTemporaries(path.dirname(file), path.basename(file));
  return fs.lstatSync(file).nlink > 1;
}

function requireOwn(stats: fs.Stats, rule: string): void {
  // Windows has no user numbers; there the folder's access list decides when the file is written.
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw invalidDbPath(rule);
}

function requireNoOtherWriter(stats: fs.Stats, rule: string): void {
  if (process.platform !== 'win32' && (stats.mode & GROUP_OR_OTHERS_WRITE) !== 0) throw invalidDbPath(rule);
}

/**
 * Whether the folder is, or lies in, the configuration directory. The data directory may be the same folder or lie
 * inside it; it is allowed all the same.
 */
function isConfiguration(folder: string, home: string, configDir: string): boolean {
  const config = realPathOf(configDir);
  if (!isWithin(folder, config)) return false;
  return !(isWithin(home, config) && isWithin(folder, home));
}

/** The folder may not exist; the existing part of its path is resolved. */
function realPathOf(folder: string): string {
  if (isThere(folder)) return fs.realpathSync.native(folder);
  const above = path.dirname(folder);
  return above === folder ? folder : path.join(realPathOf(above), path.basename(folder));
}

/** Also compared as files, because some file systems have several names for one folder. */
function isWithin(folder: string, container: string): boolean {
  const wanted = identityOf(container);
  return [folder, ...foldersAbove(folder)].some(
    (at) =>
      at.toLowerCase() === container.toLowerCase() || (wanted !== undefined && identityOf(at) === wanted),
  );
}

function identityOf(folder: string): string | undefined {
  const stats = fs.statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.ino === 0n ? undefined : `${stats.dev}:${stats.ino}`;
}

function foldersAbove(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

const isBelow = (file: string, folder: string): boolean => foldersAbove(file).includes(folder);

const relativeForm = (folder: string, file: string): string =>
  path.relative(folder, file).split(path.sep).join('/');
