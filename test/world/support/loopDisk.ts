// A file system of its own in an image, mounted through a loop device or through FUSE. Power is lost by copying the image
// while the program stands still: what the kernel had not written to the device yet is not in the copy.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import type { Teardown } from '../../helpers/childProcess.ts';

export const FILE_SYSTEMS = ['ext4', 'xfs', 'btrfs', 'tmpfs', 'fuse'] as const;
export type FileSystem = (typeof FILE_SYSTEMS)[number];

/** The least that each makes. */
const MIB: Readonly<Record<FileSystem, number>> = { ext4: 64, xfs: 320, btrfs: 160, tmpfs: 64, fuse: 64 };

const MAKES: Readonly<Partial<Record<FileSystem, readonly string[]>>> = {
  ext4: ['mkfs.ext4', '-q', '-F'],
  xfs: ['mkfs.xfs', '-q'],
  btrfs: ['mkfs.btrfs', '-q'],
  fuse: ['mkfs.ext4', '-q', '-F'],
};

const MOUNTS: Readonly<Record<Exclude<FileSystem, 'tmpfs'>, readonly string[]>> = {
  // As many systems mount it: after a fault of the disk nothing more is written.
  ext4: ['mount', '-o', 'loop,errors=remount-ro'],
  // The copy has the number of the original.
  xfs: ['mount', '-o', 'loop,nouuid'],
  btrfs: ['mount', '-o', 'loop'],
  fuse: ['fuse2fs', '-o', 'fakeroot'],
};

function run(command: readonly string[]): string {
  const [program = '', ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 60_000 });
  if (status === 0) return stdout;
  throw new Error(`${command.join(' ')}: ${error?.message ?? stderr.trim()}`);
}

/** Why there can be none; undefined where there can. */
export function cannotMount(type: FileSystem): string | undefined {
  const ends: (() => unknown)[] = [];
  try {
    void new LoopDisk({ teardown: (end) => ends.push(end) }, type);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const end of ends.reverse()) end();
  }
}

export class LoopDisk {
  /** Where it is mounted. */
  readonly folder: string;
  readonly type: FileSystem;
  readonly #image: string;
  #isMounted = false;

  /** Gone with the test. */
  constructor(t: Teardown, type: FileSystem) {
    const room = temporaryFolder(t);
    this.type = type;
    this.folder = path.join(room, 'disk');
    this.#image = path.join(room, 'image');
    fs.mkdirSync(this.folder);
    const make = MAKES[type];
    if (make !== undefined) {
      fs.writeFileSync(this.#image, '');
      fs.truncateSync(this.#image, MIB[type] * 2 ** 20);
      run([...make, this.#image]);
    }
    this.mount();
    t.teardown(() => this.unmount());
  }

  mount(): void {
    const { type, folder } = this;
    if (type === 'tmpfs') run(['mount', '-t', 'tmpfs', '-o', `size=${MIB[type]}m`, 'none', folder]);
    else run([...MOUNTS[type], this.#image, folder]);
    this.#isMounted = true;
  }

  unmount(): void {
    if (!this.#isMounted) return;
    run(['umount', this.folder]);
    this.#isMounted = false;
  }

  /** What the device holds at this moment. No program writes to it meanwhile. */
  copyDevice(): string {
    const copy = `${this.#image}.lost`;
    // The kernel may write on its own meanwhile: a copy is one moment where a second one is equal.
    for (let tries = 0; ; tries++) {
      run(['cp', '--sparse=always', this.#image, copy]);
      if (spawnSync('cmp', ['-s', this.#image, copy]).status === 0) return copy;
      if (tries === 20) throw new Error('the device does not come to rest');
    }
  }

  /** The power is back, on the device as it was copied. Nothing uses the folder. */
  replaceDevice(copy: string): void {
    this.unmount();
    fs.renameSync(copy, this.#image);
    this.mount();
  }

  /** Takes all room that is left; returns what gives it back. */
  fill(): () => void {
    const filler = path.join(this.folder, 'filler');
    spawnSync('sh', ['-c', 'cat /dev/zero > "$0"; sync "$0"', filler]);
    return () => fs.rmSync(filler);
  }

  /** The disk is gone for the kernel, with what it had not been given (ext4, xfs). */
  shutDown(): void {
    run(['xfs_io', '-x', '-c', 'shutdown', this.folder]);
  }

  /** A fault of the disk, after which the kernel mounts it read-only (ext4). */
  turnReadOnly(): void {
    const device = path.basename(run(['findmnt', '-n', '-o', 'SOURCE', this.folder]).trim());
    fs.writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'a test');
  }

  /** After a fault. */
  repair(): void {
    this.unmount();
    // 1: faults were mended.
    const { status } = spawnSync('e2fsck', ['-p', this.#image]);
    if (status !== 0 && status !== 1) throw new Error(`e2fsck ended with ${status}`);
    this.mount();
  }
}
