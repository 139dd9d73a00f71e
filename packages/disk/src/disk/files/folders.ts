// Folders: made so that they stay, on which machine they lie, and how much room they have.

import fs, { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { errnoOf } from './failures.ts';

// Folders that stay: a new folder, or a new name of one, is certain after a loss of power only once the folder above it was
// synced, whatever was synced below.
const OWNER_ONLY = 0o700;

/** Makes the folder, closed to others, and those above it that are missing. Throws errors of the file system. */
export function makeFolder(folder: string): void {
  const first = makeWithThoseAbove(folder);
  if (first === undefined) return;
  for (
    let made = folder;
    made.length >= first.length && made !== path.dirname(made);
    made = path.dirname(made)
  )
    trySyncFolder(path.dirname(made));
}

/** The outermost one that was made. */
function makeWithThoseAbove(folder: string): string | undefined {
  try {
    return fs.mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    // Whatever the system said of the outermost one, Node may say that it is not there.
    if (errnoOf(error) === 'ENOENT') fs.mkdirSync(outermostMissing(folder), { mode: OWNER_ONLY });
    throw error;
  }
}

function outermostMissing(folder: string): string {
  const above = path.dirname(folder);
  return fs.existsSync(above) ? folder : outermostMissing(above);
}

/** Gives a folder another name in the same place. Throws errors of the file system. */
export function renameFolder(from: string, to: string): void {
  fs.renameSync(from, to);
  trySyncFolder(path.dirname(to));
}

/**
 * A folder of somebody else may not be opened, and some systems have no such call; Node's permission model refuses it. The
 * folder is there all the same, for every process and after a crash of this one.
 */
function trySyncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  try {
    syncNow(folder, 'r');
  } catch {
    // If the disk refuses even this, the next write fails.
  }
}

// What is written to a file, or the names in a folder, made durable before the next step.

/** Throws errors of the file system. */
export function syncNow(file: string, flags: 'r' | 'r+'): void {
  const descriptor = fs.openSync(file, flags);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

// What the file system under a folder is: on which machine it lies, and how much room it has.

// Whether a folder lies on another machine. There, locks may hold for one machine alone, and the log of SQLite needs memory that
// all processes share (https://sqlite.org/wal.html §2): two machines could write one file.

/** By the number that Linux gives them (statfs(2)). What a FUSE program does cannot be seen. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
]);

/** Its name; undefined for a disk of this machine, and where it is not known. */
export function networkFileSystem(
  folder: string,
  typeOf: (folder: string) => number = (name) => statfsSync(name).type,
): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return NETWORK.get(typeOf(folder) >>> 0);
  } catch {
    return undefined;
  }
}

// How much room a folder's disk has for this user: a full disk fails every commit, so an operator wants to know before.

/** Undefined where the system does not say. */
export async function freeDiskBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
