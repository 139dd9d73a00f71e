// What the file system under a folder is: on which machine it lies, and how much room it has.

import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

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
