// How much room a folder's disk has for this user: a full disk fails every commit, so an operator wants to know before.

import fs from 'node:fs/promises';

/** Undefined where the system does not say. */
export async function freeDiskBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
