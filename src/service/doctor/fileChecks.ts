// The files and the disk: whether the user owns them, whether others can read them, and whether there is room.

import fs from 'node:fs';
import path from 'node:path';
import { type SystemReason, systemReason } from '@wallet-companion/client/contract';
import { freeDiskBytes, isPrivateFile } from '@wallet-companion/disk/files';
import type { Check } from '../../protocol/operations/system.ts';
import { isOwnUnit, programsOf } from '../systemdUnit.ts';
import { fail, ok, warn } from './check.ts';

const MB = 1024 * 1024;
/** A commit needs a few megabytes, and a change of password a second note store. */
const NO_ROOM = 100 * MB;
const LITTLE_ROOM = 1024 * MB;

const reader = { platform: process.platform, uid: process.getuid?.() };

/** `files`: those of ours that others must not read, by the name to show. Missing ones are fine. */
export function filesCheck(files: ReadonlyMap<string, string>): Check {
  const bad = [...files].flatMap(([name, file]) => {
    const problem = problemOf(file);
    return problem === undefined ? [] : [{ what: `${name} ${problem.what}`, todo: problem.todo }];
  });
  return bad.length === 0
    ? ok('files', 'Files and folders are there, and closed to other users.')
    : fail(
        'files',
        `${bad.map(({ what }) => what).join('; ')}.`,
        [...new Set(bad.map(({ todo }) => todo))].join(' '),
      );
}

const CLOSE_THEM = 'Make them yours, and close them: chmod 700 for folders, 600 for files.';

function problemOf(file: string): Pick<SystemReason, 'what' | 'todo'> | undefined {
  try {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
    return isPrivateFile(stats, reader)
      ? undefined
      : { what: 'can be read by others, or belongs to another user', todo: CLOSE_THEM };
  } catch (error) {
    const reason = systemReason(error);
    const why = reason === undefined ? '' : `: ${reason.what}`;
    return { what: `cannot be read and written${why}`, todo: reason?.todo ?? CLOSE_THEM };
  }
}

/** config.json may be read by others: it has no secret. A user who can write it decides which programs get the cookie. */
export function configCheck(file: string, warnings: readonly string[]): Check {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined && process.platform !== 'win32' && (stats.mode & 0o022) !== 0)
    return fail('config', 'Others can write config.json.', 'Close it: chmod 600.');
  return warnings.length === 0
    ? ok('config', 'Every key of config.json is a setting.')
    : warn('config', warnings.join(' '), 'Correct the key, or remove it; then start the companion again.');
}

export function cookieCheck(file: string | null): Check {
  if (file === null)
    return ok('node_cookie', 'No cookie file is set; a node without authentication needs none.');
  const todo =
    'The node writes it when it starts: start the node, let this user read the file, and check node_cookie_file.';
  try {
    fs.accessSync(file, fs.constants.R_OK);
    const stats = fs.statSync(file);
    if (!stats.isFile() || stats.size === 0)
      return fail('node_cookie', 'The cookie file is empty, or no file.', todo);
    return (stats.mode & 0o007) === 0 || process.platform === 'win32'
      ? ok('node_cookie', 'The cookie file can be read.')
      : warn(
          'node_cookie',
          'Every user can read the cookie file, and control the node with it.',
          'chmod o-rwx on it.',
        );
  } catch {
    return fail('node_cookie', 'The cookie file is missing, or cannot be read.', todo);
  }
}

export async function diskCheck(folder: string): Promise<Check> {
  // The folder may not have been made yet.
  return roomCheck(await freeDiskBytes(existingAbove(folder)));
}

export function roomCheck(free: number | undefined): Check {
  if (free === undefined) return ok('disk', 'The system does not say how much room there is.');
  const what = `The disk of the data directory has ${sizeText(free)} free.`;
  if (free < NO_ROOM) return fail('disk', what, 'Make room: nothing more can be scanned or kept.');
  return free < LITTLE_ROOM
    ? warn('disk', what, 'Make room: the note store and the compact store grow.')
    : ok('disk', what);
}

const existingAbove = (folder: string): string =>
  fs.existsSync(folder) ? folder : existingAbove(path.dirname(folder));

/** In steps, so that two answers in a row are alike. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * MB ? `${Math.floor(bytes / (1024 * MB))} GB` : `${Math.floor(bytes / (100 * MB)) * 100} MB`;

export function serviceCheck(unit: string): Check {
  if (!fs.existsSync(unit)) return ok('service', 'No service is installed.');
  const text = fs.readFileSync(unit, 'utf8');
  if (!isOwnUnit(text))
    return ok('service', 'The unit is edited, or not ours; it was not looked at further.');
  return programsOf(text).every((file) => fs.existsSync(file))
    ? ok('service', 'The unit starts programs that are there.')
    : fail(
        'service',
        'The unit starts a Node.js or a program that is not there any more.',
        '"wallet-companion service install" with the same flags as before.',
      );
}
