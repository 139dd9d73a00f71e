// The two sides of faultyFiles.c: who starts a process with it, and that process itself, which tells it what to do.

import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** In the order of faultyFiles.c. */
export const CALLS = [
  'open',
  'create',
  'read',
  'write',
  'truncate',
  'sync',
  'rename',
  'unlink',
  'link',
  'mkdir',
  'rmdir',
] as const;
export type Call = (typeof CALLS)[number];

/** What a kill between two of them can tell apart. */
export const CHANGES: readonly Call[] = CALLS.filter((call) => !['open', 'read', 'sync'].includes(call));

export interface TracedCall {
  readonly call: Call;
  /** Below the watched folder. */
  readonly name: string;
}

/** Which of the counted calls fail, from 1, both ends included. */
export interface Failing {
  readonly calls: readonly Call[];
  readonly from: number;
  readonly to: number;
  readonly errno: number;
  /** The call before them is a write that takes half of its bytes. */
  readonly half?: boolean;
}

const MODES = { off: 0, count: 1, fail: 2, photograph: 3, record: 4, kill: 5 } as const;
const MOST_TRACED = 8192;
const INTEGERS = 10;
const PATH_SIZE = 1024;
const NAME_SIZE = 64;
const FOLDER_AT = 4 * INTEGERS;
const ALBUM_AT = FOLDER_AT + PATH_SIZE;
const TRACE_AT = ALBUM_AT + PATH_SIZE;
const TRACED_SIZE = 4 + NAME_SIZE;
const CONTROL_SIZE = TRACE_AT + MOST_TRACED * TRACED_SIZE;
const COUNTED_AT = 32;

const CONTROL = 'FAULTY_FILES_CONTROL';

/** Compiles it into the folder; resolves with what a child's environment needs. */
export async function faultyEnvironment(folder: string): Promise<Record<string, string>> {
  const library = path.join(folder, 'faultyFiles.so');
  await promisify(execFile)('cc', [
    ...['-std=gnu11', '-O1', '-Wall', '-Wextra', '-Werror', '-pthread', '-fPIC', '-shared', '-o', library],
    path.resolve('test/crashes/support/faultyFiles.c'),
    '-ldl',
  ]);
  const control = path.join(folder, 'control');
  fs.writeFileSync(control, new Uint8Array(CONTROL_SIZE));
  return { LD_PRELOAD: library, [CONTROL]: control };
}

const maskOf = (calls: readonly Call[]): number =>
  calls.reduce((mask, call) => mask + 2 ** CALLS.indexOf(call), 0);

/** In a process that was started in such an environment, or beside one. Everything written here holds from the next call on. */
export class FaultyFiles {
  readonly #control: number;

  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#control = fs.openSync(environment[CONTROL] ?? '', 'r+');
  }

  /** Calls below this folder alone are seen; files that are open already stay unseen. */
  watch(folder: string): void {
    this.off();
    const bytes = Buffer.alloc(PATH_SIZE);
    bytes.write(folder);
    fs.writeSync(this.#control, bytes, 0, PATH_SIZE, FOLDER_AT);
  }

  count(calls: readonly Call[] = CALLS): void {
    this.#set(MODES.count, calls);
  }

  fail({ calls, from, to, errno, half = false }: Failing): void {
    this.#set(MODES.fail, calls, { from, to, errno, half });
  }

  /** Kills the process before the `number`th change, from 1. */
  kill(number: number): void {
    this.#set(MODES.kill, CHANGES, { from: number });
  }

  /** Copies the folder into the album before every `stride`-th change, numbered from 1, beginning with `offset`. */
  photograph(album: string, stride: number, offset: number): void {
    this.#into(album);
    this.#set(MODES.photograph, CHANGES, { stride, offset: offset % stride });
  }

  /** Every change and every sync goes to this file, for `readRecord`. No sync reaches the disk. */
  record(file: string): void {
    this.#into(file);
    this.#set(MODES.record, []);
  }

  /** How many calls were recorded so far. */
  recorded(): number {
    const bytes = Buffer.alloc(4);
    fs.readSync(this.#control, bytes, 0, bytes.length, COUNTED_AT);
    return bytes.readInt32LE(0);
  }

  /** From now on everything works; what was seen since the last order. */
  off(): TracedCall[] {
    const bytes = Buffer.alloc(CONTROL_SIZE);
    fs.readSync(this.#control, bytes, 0, CONTROL_SIZE, 0);
    this.#write([MODES.off]);
    const counted = Math.min(bytes.readInt32LE(COUNTED_AT), MOST_TRACED);
    return Array.from({ length: counted }, (_, i) => {
      const at = TRACE_AT + i * TRACED_SIZE;
      const name = bytes.subarray(at + 4, at + TRACED_SIZE);
      return {
        call: CALLS[bytes.readInt32LE(at)]!,
        name: name.subarray(0, name.indexOf(0)).toString('utf8'),
      };
    });
  }

  #into(album: string): void {
    const bytes = Buffer.alloc(PATH_SIZE);
    bytes.write(album);
    fs.writeSync(this.#control, bytes, 0, PATH_SIZE, ALBUM_AT);
  }

  #set(
    mode: number,
    calls: readonly Call[],
    order: {
      from?: number;
      to?: number;
      errno?: number;
      half?: boolean;
      stride?: number;
      offset?: number;
    } = {},
  ): void {
    const { from = 0, to = 0, errno = 0, half = false, stride = 1, offset = 0 } = order;
    this.#write([mode, maskOf(calls), from, to, errno, Number(half), stride, offset, 0, 0]);
  }

  #write(integers: readonly number[]): void {
    const bytes = Buffer.alloc(4 * integers.length);
    integers.forEach((value, i) => void bytes.writeInt32LE(value, 4 * i));
    fs.writeSync(this.#control, bytes, 0, bytes.length, 0);
  }
}
