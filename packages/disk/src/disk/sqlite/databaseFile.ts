// Creates our SQLite files, and recognises them without SQLite opening them: it would roll back journals, make side
// files or adopt an empty file, and a file that is not ours must stay as it is.
//
// Each file is stamped in the two fields that the SQLite file header reserves for applications
// (https://sqlite.org/fileformat2.html §1.3), and is created under a temporary name, so that it appears whole or not at
// all.

import fs from 'node:fs';
import path from 'node:path';
import { equalBytes } from '@wallet-companion/base/bytes';
import { temporaryName } from '../files/atomicFile.ts';
import { errnoOf, storageFailed } from '../files/failures.ts';
import { syncNow } from '../files/folders.ts';
import { keptCopiesOf } from '../files/migrations.ts';
import { SQLITE_SIDE_FILES } from '../files/names.ts';
import { type Database, openDatabase, transaction } from './sqlite.ts';

export interface DatabaseStamp {
  /** Which of our formats: 32 bits, read as big-endian ASCII. */
  readonly applicationId: number;
  /** Defined by that format: version, network. */
  readonly userVersion: number;
}

export type DatabaseFile =
  | { readonly kind: 'absent' }
  /** Something is there, but not a SQLite database, or not a regular file. */
  | { readonly kind: 'other' }
  | ({ readonly kind: 'database' } & DatabaseStamp);

const HEADER_SIZE = 100;
const HEADER_MAGIC = new TextEncoder().encode('SQLite format 3\0');
const WRITE_VERSION_OFFSET = 18;
/** That of a write-ahead log; SQLite would only read a file with a later one. */
const LAST_WRITE_VERSION = 2;
const USER_VERSION_OFFSET = 60;
const APPLICATION_ID_OFFSET = 68;

/**
 * What kind of file `file` is, judged by its header alone; touches nothing. Must not be used on a file that this
 * process has open: closing a second descriptor would drop SQLite's locks on it.
 */
export function inspectDatabase(file: string): DatabaseFile {
  const stats = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return { kind: 'absent' };
  if (!stats.isFile()) return { kind: 'other' };
  const header = new Uint8Array(HEADER_SIZE);
  const descriptor = fs.openSync(file, 'r');
  try {
    if (fs.readSync(descriptor, header, 0, HEADER_SIZE, 0) < HEADER_SIZE) return { kind: 'other' };
  } finally {
    fs.closeSync(descriptor);
  }
  if (!equalBytes(header.subarray(0, HEADER_MAGIC.length), HEADER_MAGIC)) return { kind: 'other' };
  if (header[WRITE_VERSION_OFFSET]! > LAST_WRITE_VERSION) return { kind: 'other' };
  const view = new DataView(header.buffer);
  return {
    kind: 'database',
    applicationId: view.getUint32(APPLICATION_ID_OFFSET),
    userVersion: view.getUint32(USER_VERSION_OFFSET),
  };
}

/** Large pages, because blobs of about 2 KB would leave half of each 4 KB page empty. */
const PAGE_SIZE = 16_384;

const stampScript = ({ applicationId, userVersion }: DatabaseStamp): string =>
  `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${userVersion}`;

/** An empty file beside it, mode 0600, that will get this name once it is whole. */
function makeTemporary(file: string): string {
  const temporary = temporaryName(file);
  fs.closeSync(fs.openSync(temporary, 'wx', 0o600));
  return temporary;
}

function removeTemporary(temporary: string): void {
  for (const ending of ['', ...SQLITE_SIDE_FILES]) fs.rmSync(temporary + ending, { force: true });
}

/**
 * Creates one of our databases at `file`, mode 0600, and runs the script in it. False when something else has been
 * created there meanwhile, which is left alone. `givesBackRoom`: deletions can make the file smaller; SQLite must know
 * that before the first table, and it costs one page in a thousand or so.
 */
export function createDatabase(
  file: string,
  stamp: DatabaseStamp,
  script: string,
  { givesBackRoom = false }: { readonly givesBackRoom?: boolean } = {},
): boolean {
  const temporary = makeTemporary(file);
  try {
    const database = openDatabase(temporary);
    try {
      database.exec(`PRAGMA page_size = ${PAGE_SIZE}`);
      if (givesBackRoom) database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      transaction(database, () => {
        database.exec(stampScript(stamp));
        database.exec(script);
      });
    } finally {
      database.close();
    }
    return takeName(temporary, file);
  } finally {
    removeTemporary(temporary);
  }
}

function takeName(temporary: string, file: string): boolean {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // No hard links on this file system; see atomicFile.ts.
    if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false;
    fs.renameSync(temporary, file);
  }
  syncFolderOf(file);
  return true;
}

/**
 * Makes a link or rename durable. Windows has no such call and does not need one. Node's permission model refuses it:
 * then SQLite does it, with the first commit into the new database, before the log of that commit counts.
 */
function syncFolderOf(file: string): void {
  if (process.platform === 'win32') return;
  try {
    syncNow(path.dirname(file), 'r');
  } catch (error) {
    if (errnoOf(error) !== 'ERR_ACCESS_DENIED') throw error;
  }
}

export interface DatabaseContents {
  /** Runs in a transaction, which it must not end. */
  fill(database: Database): Iterable<void>;
  /** Reads the file back, before it gets its name. Leaves it closed. */
  check(file: string): Iterable<void>;
}

/**
 * Makes one of our databases at `file`, mode 0600, in place of any that is there, in as many steps as it takes to fill
 * it. It gets its name when it is whole and on disk; if it ends before, no file is left.
 */
export function* writeDatabase(
  file: string,
  stamp: DatabaseStamp,
  { fill, check }: DatabaseContents,
): IterableIterator<void> {
  // An earlier one goes first: there may not be room for two.
  fs.rmSync(file, { force: true });
  const temporary = makeTemporary(file);
  try {
    const database = openDatabase(temporary);
    try {
      database.exec(`PRAGMA page_size = ${PAGE_SIZE}; BEGIN IMMEDIATE`);
      database.exec(stampScript(stamp));
      yield* fill(database);
      database.exec('COMMIT');
    } finally {
      database.close();
    }
    yield* check(temporary);
    if (sideFilesOf(temporary).length > 0) throw new Error('the new database is still in use');
    syncNow(temporary, 'r+');
    fs.renameSync(temporary, file);
    syncFolderOf(file);
  } finally {
    removeTemporary(temporary);
  }
}

/** Puts a whole database in the place of another one; neither is open. After a kill at any moment it is under one of the names. */
export function replaceDatabase(from: string, to: string): void {
  // An earlier rename that this call follows must be durable first, or a power failure could undo it alone.
  syncFolderOf(to);
  for (const sideFile of sideFilesOf(to)) fs.rmSync(sideFile);
  fs.renameSync(from, to);
  syncFolderOf(to);
}

/**
 * Copies an open database into a single file, mode 0600, replacing any file at `copy`. SQLite makes the copy, because
 * only it sees the contents of the write-ahead log, and because reading the file ourselves would drop its locks.
 */
export function copyDatabase(database: Database, copy: string): void {
  // An earlier copy goes first: there may not be room for two.
  fs.rmSync(copy, { force: true });
  const temporary = makeTemporary(copy);
  try {
    database.prepare('VACUUM INTO ?').run(temporary);
    syncNow(temporary, 'r+');
    fs.renameSync(temporary, copy);
    syncFolderOf(copy);
  } finally {
    removeTemporary(temporary);
  }
}

/** A journal that outlived its database would be replayed into the next one made under that name. */
export function sideFilesOf(file: string): string[] {
  return SQLITE_SIDE_FILES.map((ending) => file + ending).filter(
    (sideFile) => fs.lstatSync(sideFile, { throwIfNoEntry: false }) !== undefined,
  );
}

// Puts a database aside that an earlier wallet left behind, with the files that belong to it: under the first free name.

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
