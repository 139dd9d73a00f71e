// A disk of its own for one process: full, or read-only. Made in a mount namespace that ends with the process, which
// needs no rights beyond those that most Linux systems give everybody; elsewhere such tests are skipped.

import { spawnSync } from 'node:child_process';

const UNSHARE = ['unshare', '--map-root-user', '--mount'] as const;

export const canMount = (): boolean =>
  process.platform === 'linux' &&
  spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

export type Disk = 'full' | 'read-only';

/** A command line that runs `command` where the folder, with what it holds now, is such a disk. */
export function onDisk(disk: Disk, folder: string, command: readonly string[]): string[] {
  const script = [
    'set -e',
    'copy=$(mktemp -d)',
    'cp -a "$0/." "$copy"',
    'mount -t tmpfs -o size=4m none "$0"',
    'cp -a "$copy/." "$0"',
    'rm -rf "$copy"',
    disk === 'full' ? 'cat /dev/zero > "$0/filler" 2>/dev/null || true' : 'mount -o remount,ro "$0"',
    'exec "$@"',
  ].join('\n');
  return [...UNSHARE, 'sh', '-c', script, folder, ...command];
}
