// Folders that stay: a new folder, or a new name of one, is certain after a loss of power only once the folder above it was
// synced, whatever was synced below.

import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './failures.ts';

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
