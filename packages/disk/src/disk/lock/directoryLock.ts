// One process per data directory. The lock is SQLite's exclusive lock on a small database that stays open: the
// operating system drops it when the process ends, however it ends, so there are no stale locks.
//
// Rejected: a file with a pid, because pids are reused (after a reboot at the latest), and two processes that both find
// the owner dead would race to take over. A second file names the holder of the lock, for messages, and for the
// command that changes a setting of it.
//
// The lock is made of POSIX record locks, which a process loses when it closes any descriptor of the file, so nothing
// else in the companion may open it.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { replaceFile } from '../files/atomicFile.ts';
import { errnoOf, storageFailed } from '../files/failures.ts';
import { LOCK_FILE, LOCK_HOLDER_FILE } from '../files/names.ts';
import { type Database, openDatabase, sqliteFault } from '../sqlite/sqlite.ts';
import { requireWritable } from '../sqlite/writable.ts';

const holderSchema = z.object({
  pid: z.int().positive(),
  url: z.string().optional(),
  config_dir: z.string().optional(),
});

export interface LockHolder {
  readonly pid: number;
  /** Its address, once it listens. */
  readonly url?: string | undefined;
  /** Where its config.json lies: a command that changes that file for it checks that it is the same one. */
  readonly config_dir?: string | undefined;
}

export interface DirectoryLock {
  readonly state: 'acquired';
  /** Writes down where this process listens, if the disk allows it. */
  announce(url: string): Promise<void>;
  release(): void;
}

export type LockResult =
  | DirectoryLock
  /** `holder` is undefined for the instant between taking the lock and writing the file about it. */
  | { readonly state: 'held'; readonly holder: LockHolder | undefined };

/** Keeps the connections referenced: one that is garbage-collected would drop its lock. */
const held = new Set<Database>();

/** Takes the lock of an existing data directory, or names its holder. Never waits. */
export async function acquireDirectoryLock(dataDir: string, configDir?: string): Promise<LockResult> {
  const file = path.join(dataDir, LOCK_FILE);
  const holderFile = path.join(dataDir, LOCK_HOLDER_FILE);
  // A directory that no process can write to needs no lock, and can still be read.
  if (isReadOnly(dataDir)) return { state: 'acquired', announce: async () => {}, release: () => {} };
  const database = tryLock(file);
  if (database === undefined) return { state: 'held', holder: readHolder(holderFile) };
  held.add(database);
  /** Only for error messages, so a full disk must not prevent the start. */
  const writeHolder = (holder: LockHolder): Promise<void> =>
    replaceFile(holderFile, new TextEncoder().encode(`${JSON.stringify(holder)}\n`)).catch(() => undefined);
  const release = (): void => {
    if (!held.delete(database)) return;
    try {
      fs.rmSync(holderFile, { force: true });
    } catch {
      // No process reads it unless the lock is held.
    }
    database.close();
  };
  const own: LockHolder = {
    pid: process.pid,
    ...(configDir === undefined ? {} : { config_dir: path.resolve(configDir) }),
  };
  await writeHolder(own);
  return { state: 'acquired', announce: (url) => writeHolder({ ...own, url }), release };
}

/** The file system may have been mounted read-only, or made so after an error. */
function isReadOnly(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return false;
  } catch (error) {
    return errnoOf(error) === 'EROFS';
  }
}

/** The open connection that holds the lock, or undefined when another process has it. */
function tryLock(file: string): Database | undefined {
  let database: Database | undefined;
  try {
    createOwnerOnly(file);
    database = openDatabase(file);
    database.exec('PRAGMA busy_timeout = 0');
    // A transaction on an empty file would write its first page, which fails on a full disk.
    if (fs.statSync(file).size === 0) database.exec('PRAGMA user_version = 1');
    database.exec('BEGIN EXCLUSIVE');
    requireWritable(database);
    return database;
  } catch (error) {
    database?.close();
    if (sqliteFault(error) === 'busy') return undefined;
    throw storageFailed('written', file, error);
  }
}

function createOwnerOnly(file: string): void {
  // Only a new file may be opened here; see the header.
  if (fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
  try {
    fs.closeSync(fs.openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function readHolder(file: string): LockHolder | undefined {
  try {
    return holderSchema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
