// Listens on a socket in a folder that is closed to others, or to others but one group.

import { chmodSync, chownSync, lstatSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import path from 'node:path';
import { CompanionError } from '../protocol/errors.ts';
import { checkPrivateDirectory } from './socketPath.ts';

/**
 * Mode 0600, or 0660 for `group` (its number), whose folder others than that group are kept out of by its owner. The caller must
 * hold the lock of what the socket serves: an existing socket is then a leftover of a dead process. Throws `STORAGE_FAILED` when the
 * folder is open to others or the socket cannot be created.
 */
export async function listenOnSocket(server: Server, file: string, group?: number): Promise<void> {
  if (group === undefined) checkPrivateDirectory(path.dirname(file));
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there !== undefined && !there.isSocket()) throw cannotListen();
  if (there !== undefined) unlinkSync(file);
  await bind(server, file);
  try {
    if (group !== undefined) chownSync(file, process.getuid!(), group);
    chmodSync(file, group === undefined ? 0o600 : 0o660);
  } catch (cause) {
    server.close();
    throw cannotListen(cause);
  }
}

export function bind(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(cause)));
    server.listen(file, () => resolve());
  });
}

const cannotListen = (cause?: unknown): CompanionError =>
  new CompanionError(
    'STORAGE_FAILED',
    'The private socket cannot be made in its folder.',
    cause === undefined ? {} : { cause },
  );
