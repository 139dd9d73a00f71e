// One process per data directory. The lock is SQLite's exclusive lock on a small database that stays open: the kernel
// drops it when the process ends, however it ends, so there is no stale lock to judge. Rejected: a file with a pid,
// because a pid is reused (after a reboot at the latest) and taking over a dead process's file is a race between two
// that both find it dead. A second file says who holds the lock; it is for the message only and decides nothing.
//
// The lock is held through POSIX record locks, which a process loses when it closes any descriptor of the file: nothing
// else in the product may open it.

import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { replaceFile } from '../files/atomicFile.ts';
import { LOCK_FILE, LOCK_HOLDER_FILE } from '../files/dataFiles.ts';
import { errnoOf, storageFailed } from '../files/failures.ts';
import { type Database, openDatabase, sqliteFault } from './sqlite.ts';

const holderSchema = z.object({
  pid: z.int().positive(),
  url: z.string().optional(),
});

export interface LockHolder {
  readonly pid: number;
  /** Where it can be reached, once it listens. */
  readonly url?: string | undefined;
}

export interface DirectoryLock {
  readonly state: 'acquired';
  /** Tells others where this process listens, where the disk takes it. */
  announce(url: string): Promise<void>;
  release(): void;
}

export type LockAttempt =
  | DirectoryLock
  /** `holder` is undefined for the instant between taking the lock and saying so. */
  | { readonly state: 'held'; readonly holder: LockHolder | undefined };

/** Keeps the connections reachable: a collected one would drop its lock. */
const held = new Set<Database>();

/** Takes the lock of an existing data directory, or says who has it. Never waits. */
export async function acquireDirectoryLock(dataDir: string): Promise<LockAttempt> {
  const file = path.join(dataDir, LOCK_FILE);
  const holderFile = path.join(dataDir, LOCK_HOLDER_FILE);
  // What nobody can write to needs no lock, and shows what is there.
  if (isReadOnly(dataDir)) return { state: 'acquired', announce: async () => {}, release: () => {} };
  const database = tryLock(file);
  if (database === undefined) return { state: 'held', holder: readHolder(holderFile) };
  held.add(database);
  /** For a message only: a full disk is no reason not to start. */
  const writeHolder = (holder: LockHolder): Promise<void> =>
    replaceFile(holderFile, new TextEncoder().encode(`${JSON.stringify(holder)}\n`)).catch(() => undefined);
  const release = (): void => {
    if (!held.delete(database)) return;
    try {
      fs.rmSync(holderFile, { force: true });
    } finally {
      database.close();
    }
  };
  await writeHolder({ pid: process.pid });
  return { state: 'acquired', announce: (url) => writeHolder({ pid: process.pid, url }), release };
}

/** On a disk that is mounted so, or put so after an error. */
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
    // A transaction on an empty file writes its first page, which a full disk would not take.
    if (fs.statSync(file).size === 0) database.exec('PRAGMA user_version = 1');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (sqliteFault(error) === 'busy') return undefined;
    throw storageFailed('written', file, error);
  }
}

function createOwnerOnly(file: string): void {
  // Only a file that is new may be opened here, see above.
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
