// The log on disk, beside stderr: bounded, so that months of it fill no disk, and closed to others. Every thread of the
// companion appends to it through a writer of its own; they need to agree only when it is full.

import fs from 'node:fs';
import path from 'node:path';
import { errnoOf } from '@wallet-companion/disk/files';
import { GRANTS_LOG, LOG_FILE, logNames } from './dataFiles.ts';

/** Some ten thousand lines; there are two such files at most. */
export const MOST_LOG_BYTES = 4 * 1024 * 1024;

/** The log of grants: some ten thousand lines as well, which are shorter. */
export const MOST_GRANT_LOG_BYTES = 1024 * 1024;

const OWNER_ONLY = 0o600;
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_RDWR } = fs.constants;
const LINE_FEED = 0x0a;

/** The log files, oldest first. They need not exist. */
export function logFiles(folder: string, name = LOG_FILE): readonly string[] {
  const [file, earlier] = logNames(name).map((each) => path.join(folder, each));
  return [earlier!, file!];
}

/** The lines of both files, the oldest first; none of files that cannot be read. */
export function latestLines(folder: string, name: string): readonly string[] {
  return logFiles(folder, name).flatMap((file) => {
    try {
      return fs
        .readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    } catch {
      return [];
    }
  });
}

/** Removes what a killed process may have left. For the holder of the directory lock, before any thread writes. */
export function tidyLogFile(folder: string): void {
  for (const name of [LOG_FILE, GRANTS_LOG]) fs.rmSync(path.join(folder, logNames(name)[2]), { force: true });
}

/** A line that cannot be written is dropped: a full disk or another user's file stops no wallet. */
export class LogFile {
  readonly #file: string;
  readonly #earlier: string;
  readonly #turn: string;
  readonly #mostBytes: number;
  #descriptor: number | undefined;

  /** `folder` is the data directory, which is ours alone. */
  constructor(folder: string, mostBytes = MOST_LOG_BYTES, name = LOG_FILE) {
    const [file, earlier, turn] = logNames(name).map((each) => path.join(folder, each));
    this.#file = file!;
    this.#earlier = earlier!;
    this.#turn = turn!;
    this.#mostBytes = mostBytes;
  }

  write(line: string): void {
    const bytes = Buffer.from(line);
    if (bytes.length > this.#mostBytes) return;
    try {
      let descriptor = this.#open();
      if (fs.fstatSync(descriptor).size + bytes.length > this.#mostBytes) {
        if (!this.#turnOver(descriptor)) return;
        this.close();
        descriptor = this.#open();
      }
      fs.writeSync(descriptor, bytes);
    } catch {
      this.close();
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    const descriptor = fs.openSync(this.#file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, OWNER_ONLY);
    this.#descriptor = descriptor;
    const { uid, nlink, size } = fs.fstatSync(descriptor);
    const isOurs = fs.fstatSync(descriptor).isFile() && nlink === 1 && uid === (process.getuid?.() ?? uid);
    if (!isOurs) throw new Error('not a log file of ours');
    fs.fchmodSync(descriptor, OWNER_ONLY);
    // A line that was cut, where the machine lost power, must not take the next one with it.
    const last = Buffer.alloc(1, LINE_FEED);
    if (size > 0) fs.readSync(descriptor, last, 0, 1, size - 1);
    if (last[0] !== LINE_FEED) fs.writeSync(descriptor, '\n');
    return descriptor;
  }

  /** Makes room for a new file, unless another thread has. False if another thread is about to: the line is dropped. */
  #turnOver(descriptor: number): boolean {
    let turn: number;
    try {
      turn = fs.openSync(this.#turn, 'wx', OWNER_ONLY);
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      const current = fs.lstatSync(this.#file, { throwIfNoEntry: false });
      // Another inode: another thread has started a new file since we opened ours.
      if (current?.ino === fs.fstatSync(descriptor).ino) fs.renameSync(this.#file, this.#earlier);
      return true;
    } finally {
      fs.closeSync(turn);
      fs.rmSync(this.#turn, { force: true });
    }
  }
}
