// Where the private socket of a data directory is, and who can reach it. Node offers no peer credentials on sockets, so
// the file system keeps others out: the directory is 0700 and the socket 0600, and connecting needs both.
//
// Callers in turn check that the socket belongs to their own user before they send a password; the C library asks the
// kernel for the user on the other side. On Windows it is a named pipe, whose default access list lets other accounts read
// but not write, and therefore not connect.

import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { CompanionError } from '../protocol/errors.ts';

const SOCKET_FILE = 'companion.sock';
const PIPE_PREFIX = '\\\\.\\pipe\\wallet-companion-';

/**
 * `sun_path` has 104 bytes on macOS including its terminator, 108 on Linux; one limit, so that a directory works
 * everywhere.
 */
const MAX_SOCKET_PATH_BYTES = 103;
const MAX_PIPE_NAME_LENGTH = 256;

/** `dataDir` is absolute. Throws `INVALID_REQUEST` when its path is too long for a socket. */
export function socketPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  const isPipe = platform === 'win32';
  const found = isPipe
    ? PIPE_PREFIX + dataDir.replaceAll(/[\\/:]/g, '-').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    : path.posix.join(dataDir, SOCKET_FILE);
  const fits = isPipe
    ? found.length <= MAX_PIPE_NAME_LENGTH
    : Buffer.byteLength(found) <= MAX_SOCKET_PATH_BYTES;
  if (fits) return found;
  throw new CompanionError(
    'INVALID_REQUEST',
    'The path of the data directory is too long for a local socket; choose a shorter one with --data-dir.',
  );
}

const isOwn = (stats: Stats): boolean => process.getuid === undefined || stats.uid === process.getuid();

/** Throws `STORAGE_FAILED` unless only the current user has access to the directory. */
export function checkPrivateDirectory(directory: string): void {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true && isOwn(stats) && (stats.mode & 0o077) === 0) return;
  throw new CompanionError(
    'STORAGE_FAILED',
    'The data directory must be a folder of your own that is closed to others (mode 0700).',
  );
}

/** Whether there is a socket that belongs to the current user. */
export function isOwnSocket(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isSocket() === true && isOwn(stats);
}
