// Whole files, written so that a crash at any moment leaves the old file, the new one, or none: temporary file beside
// the target, fsync, rename (or link, which refuses to replace), fsync of the folder. Errors are those of the file
// system; callers translate them.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from './failures.ts';

const OWNER_ONLY = 0o600;

/**
 * A name beside `file` that no other process uses. It names the process that made it, so that leftovers can be
 * recognised.
 */
export function temporaryName(file: string): string {
  const unique = `${process.pid}.${randomBytes(6).toString('hex')}`;
  return path.join(path.dirname(file), `.${path.basename(file)}.${unique}.tmp`);
}

const TEMPORARY_NAME = /^\.(.+)\.(\d+)\.[0-9a-f]{12}\.tmp(?:-journal|-wal|-shm)?$/;

/**
 * Removes temporary files (of one file, or of all in the folder) that processes which have ended left, and those of this
 * process, of which none may be in use. A failing disk may keep them at first, and in a container the killed process may
 * have had this process's number.
 */
export function sweepTemporaries(folder: string, ofFile?: string): void {
  for (const name of fs.readdirSync(folder)) {
    const [, file, maker] = TEMPORARY_NAME.exec(name) ?? [];
    if (maker === undefined || (ofFile !== undefined && file !== ofFile) || isOtherAlive(Number(maker)))
      continue;
    fs.rmSync(path.join(folder, name), { force: true });
  }
}

/** Whether it is another process that is running. */
function isOtherAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** Replaces `file`, or creates it. */
export async function replaceFile(file: string, bytes: Uint8Array): Promise<void> {
  await replaceFileIf(file, bytes, () => true);
}

/** `mayReplace` is called last. Returns false, with nothing changed, where that does. */
export async function replaceFileIf(
  file: string,
  bytes: Uint8Array,
  mayReplace: () => boolean,
): Promise<boolean> {
  const temporary = await writeTemporary(file, bytes);
  try {
    if (!mayReplace()) {
      await fs.promises.rm(temporary, { force: true });
      return false;
    }
    // At once: nothing else of this process comes between.
    fs.renameSync(temporary, file);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Creates `file`; false, with nothing changed, when the name is taken, even by a dangling link. */
export async function createFile(file: string, bytes: Uint8Array): Promise<boolean> {
  const temporary = await writeTemporary(file, bytes);
  try {
    if (!(await linkOrMove(temporary, file))) return false;
  } finally {
    await fs.promises.rm(temporary, { force: true });
  }
  await syncFolder(path.dirname(file));
  return true;
}

/** Moves a file within its folder; false, with nothing changed, when the name is taken. */
export async function moveFile(from: string, to: string): Promise<boolean> {
  if (!(await linkOrMove(from, to))) return false;
  // Without it a loss of power could leave neither name.
  await syncFolder(path.dirname(to));
  await fs.promises.rm(from, { force: true });
  await syncFolder(path.dirname(to));
  return true;
}

/** What file systems without hard links (FAT, some network shares) answer. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

async function linkOrMove(from: string, to: string): Promise<boolean> {
  try {
    await fs.promises.link(from, to);
    return true;
  } catch (error) {
    const reason = errnoOf(error) ?? '';
    if (reason === 'EEXIST') return false;
    if (!NO_HARD_LINKS.includes(reason)) throw error;
  }
  // Another program could create the file between this check and the rename; another companion cannot, because it would
  // need the directory lock.
  if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  await fs.promises.rename(from, to);
  return true;
}

async function writeTemporary(file: string, bytes: Uint8Array): Promise<string> {
  const temporary = temporaryName(file);
  const handle = await fs.promises.open(temporary, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await fs.promises.rm(temporary, { force: true });
    throw error;
  }
  await handle.close();
  return temporary;
}

/**
 * Makes a rename or link in the folder durable. Windows has no such call and does not need one. When it fails, the file
 * is the new one all the same, for every reader and after a crash of this process: reporting that it was not written
 * would be wrong unless the power fails.
 */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle: fs.promises.FileHandle | undefined;
  try {
    handle = await fs.promises.open(folder, 'r');
    await handle.sync();
  } catch {
    // If the disk refuses even this, the next write fails, which can be undone.
  } finally {
    await handle?.close();
  }
}
