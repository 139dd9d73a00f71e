// The stores that the companion keeps for servers other than the first configured one. Any caller may name servers, so the
// number of stores is bounded. A crash leaves whole stores, and side files that can be recognised as leftovers.

import fs from 'node:fs';
import path from 'node:path';
import { removeKeptCopies, SQLITE_SIDE_FILES, temporaryName } from '@wallet-companion/disk/files';
import type { Network } from '../../protocol/network.ts';
import { isServerStoreFile } from '../files/dataFiles.ts';

/** Enough to compare a few servers; each store may grow to gigabytes. */
const MAX_SERVER_STORES = 4;

/**
 * Removes the stores that have not been written to for longest, until at most four are left besides `spared`, the
 * configured server's. Those for which `isKept` holds stay. `close` closes a file before it is removed.
 */
export function removeOldStores(
  spared: string,
  network: Network,
  isKept: (file: string) => boolean,
  close: (file: string) => void,
): void {
  const home = path.dirname(spared);
  const files = fs
    .readdirSync(home)
    .filter((name) => isServerStoreFile(name, network))
    .map((name) => path.join(home, name))
    .filter((file) => file !== spared);
  const aged = files
    .filter((file) => !isKept(file))
    .map((file) => ({ file, writtenAt: lastWritten(file) }))
    .sort((a, b) => a.writtenAt - b.writtenAt || (a.file < b.file ? -1 : 1));
  for (const { file } of aged.slice(0, Math.max(0, files.length - MAX_SERVER_STORES))) {
    close(file);
    remove(file);
  }
}

/** Side files without their database are leftovers of a removal; SQLite would replay them into the new file. */
export function clearSideFiles(file: string, network: Network): void {
  if (!isServerStoreFile(path.basename(file), network)) return;
  for (const ending of SQLITE_SIDE_FILES) fs.rmSync(file + ending, { force: true });
}

/**
 * Renamed first, to a name that the next start sweeps: removing database and log one by one could leave a damaged
 * store.
 */
function remove(file: string): void {
  const doomed = temporaryName(file);
  fs.renameSync(file, doomed);
  for (const ending of SQLITE_SIDE_FILES) fs.rmSync(file + ending, { force: true });
  fs.rmSync(doomed);
  removeKeptCopies(file);
}

function lastWritten(file: string): number {
  return Math.max(
    ...['', '-wal'].map((ending) => fs.statSync(file + ending, { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}
