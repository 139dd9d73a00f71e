// Whether only the user and the system control the file behind a path: each directory and link on the way must belong to
// one of the two, and no other user may replace it. A path that passes can only be changed by those two.

import fs from 'node:fs';
import path from 'node:path';

const GROUP_OR_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const MAX_LINKS = 40;

/** The reason for the refusal, or the file's real path. */
export type Trust = { readonly file: string } | { readonly problem: string };

/** Throws errors of the file system. Windows has no user ids: there the folders' access lists decide. */
export function trustedFile(given: string): Trust {
  if (process.getuid === undefined) return { file: fs.realpathSync(given) };
  // In a user namespace the system's files belong to the owner of the root directory.
  const trusted = new Set([process.getuid(), 0, fs.lstatSync('/').uid]);
  const refusal = (name: string, stats: fs.Stats): string | undefined => {
    if (!trusted.has(stats.uid)) return `${name} belongs to another user`;
    if (stats.isSymbolicLink()) return undefined;
    const open = (stats.mode & GROUP_OR_OTHERS_WRITE) !== 0;
    // In a sticky folder others can create names, but not replace those of the user.
    const isShared = stats.isDirectory() && (stats.mode & STICKY) !== 0;
    return open && !isShared ? `others may write to ${name}` : undefined;
  };
  const ahead = given.split('/').filter((name) => name !== '' && name !== '.');
  let at = '/';
  let links = 0;
  for (;;) {
    const stats = fs.lstatSync(at);
    const problem = refusal(at, stats);
    if (problem !== undefined) return { problem };
    if (stats.isSymbolicLink()) {
      links += 1;
      if (links > MAX_LINKS) return { problem: 'too many links' };
      const target = fs.readlinkSync(at);
      ahead.unshift(...target.split('/').filter((name) => name !== '' && name !== '.'));
      at = target.startsWith('/') ? '/' : path.posix.dirname(at);
      continue;
    }
    const next = ahead.shift();
    if (next === undefined) return stats.isFile() ? { file: at } : { problem: `${at} is no file` };
    at = next === '..' ? path.posix.dirname(at) : path.posix.join(at, next);
  }
}
