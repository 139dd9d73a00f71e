// `log`: reads the companion's log from the files in the data directory. The companion may write to the files, rotate
// them and create new ones meanwhile.

import fs from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { CompanionError } from '../protocol/errors.ts';
import { LineWriter, onReaderGone } from '../terminal/lineWriter.ts';
import { logFields, logText } from '../terminal/logText.ts';
import type { CliEnvironment, LocalOptions } from './cliEnvironment.ts';
import { jsonText } from './jsonText.ts';

const EXIT_OK = 0;
const EXIT_CANCELLED = 130;
const POLL_MS = 500;
const CHUNK_BYTES = 64 * 1024;
/** A longer line is not the companion's. */
const LONGEST_LINE = 1024 * 1024;

export interface LogOptions {
  readonly lines: number;
  readonly follow: boolean;
  readonly json: boolean;
  readonly local: LocalOptions;
}

export async function showLog(options: LogOptions, environment: CliEnvironment): Promise<number> {
  const { lines: wanted, follow, json, local } = options;
  const { stdout } = environment;
  const files = environment.logFiles(local);
  const current = files.at(-1) ?? '';
  const output = follow ? new LineWriter(stdout, json ? leftOutAsJson : undefined) : stdout;
  const print = (line: string): void => void output.write(json ? jsonLine(line) : `${logText(line)}\n`);
  const reader = new FollowedFile(current);
  try {
    const now = reader.newLines();
    const earlier = files.slice(0, -1).flatMap((file) => (now.length < wanted ? linesOf(file) : []));
    if (!reader.isThere && earlier.length === 0 && !follow) throw noLog();
    for (const line of wanted === 0 ? [] : [...earlier, ...now].slice(-wanted)) print(line);
    if (!follow) return EXIT_OK;
    return await new Promise((resolve) => {
      const stops = [
        environment.onInterrupt(() => end(EXIT_CANCELLED)),
        environment.every(POLL_MS, () => {
          for (const line of reader.newLines()) print(line);
        }),
        onReaderGone(stdout, () => end(EXIT_OK)),
      ];
      const end = (code: number): void => {
        for (const stop of stops) stop();
        resolve(code);
      };
    });
  } finally {
    reader.close();
  }
}

const leftOutAsJson = (lines: number): string => jsonText({ lines, msg: `${lines} lines left out` });

const noLog = (): CompanionError =>
  new CompanionError(
    'NOT_FOUND',
    'Nothing was written to a log in this data directory yet. "wallet-companion serve" does so, unless it has --no-log-file.',
  );

function linesOf(file: string): string[] {
  const reader = new FollowedFile(file);
  try {
    return reader.newLines();
  } finally {
    reader.close();
  }
}

/** A log file that grows, and that a new file of the same name replaces. */
class FollowedFile {
  readonly #file: string;
  #descriptor: number | undefined;
  #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(file: string) {
    this.#file = file;
  }

  get isThere(): boolean {
    return this.#descriptor !== undefined;
  }

  /** Whole lines since the last call; after a rotation, lines of the old file come first. */
  newLines(): string[] {
    const lines: string[] = [];
    this.#readInto(lines);
    if (this.#wasExchanged()) {
      // Reads the lines that were written between the read and the check.
      this.#readInto(lines);
      this.close();
      this.#descriptor = openRegular(this.#file);
      this.#readInto(lines);
    }
    return lines;
  }

  close(): void {
    if (this.#descriptor !== undefined) fs.closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#decoder = new StringDecoder('utf8');
    this.#rest = '';
  }

  #wasExchanged(): boolean {
    const there = fs.statSync(this.#file, { throwIfNoEntry: false });
    if (there === undefined) return false;
    return this.#descriptor === undefined || fs.fstatSync(this.#descriptor).ino !== there.ino;
  }

  #readInto(lines: string[]): void {
    if (this.#descriptor === undefined) return;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (;;) {
      const length = fs.readSync(this.#descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return;
      const parts = (this.#rest + this.#decoder.write(chunk.subarray(0, length))).split('\n');
      this.#rest = (parts.pop() ?? '').slice(-LONGEST_LINE);
      for (const part of parts) lines.push(part);
    }
  }
}

function openRegular(file: string): number | undefined {
  try {
    const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    if (fs.fstatSync(descriptor).isFile()) return descriptor;
    fs.closeSync(descriptor);
    return undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CompanionError('STORAGE_FAILED', 'The log cannot be read; is it yours?', { cause });
  }
}

/** A line for programs; an incomplete one (a full disk) is left out. */
function jsonLine(line: string): string {
  const fields = logFields(line);
  return fields === undefined ? '' : jsonText(fields);
}
