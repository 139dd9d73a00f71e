// One run of a program that answers: bytes on its standard input, its answer on its standard output. A run may take minutes
// and gigabytes, and is stopped above its limits.

import type { ChildProcess } from 'node:child_process';
import { joinApart, overwriteReadBuffer } from '@wallet-companion/base/memory';
import {
  type Environment,
  endGroup,
  endLeftOvers,
  passedEnvironment,
  runnable,
  startProgram,
} from './program.ts';

/** An answer is smaller. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
export const MEMORY_LOOK_MS = 1_000;
/** The time to read the output when a process that the program left behind keeps the pipe open. */
export const DRAIN_MS = 5_000;
const BYTES_PER_MB = 1024 * 1024;

export interface ProgramSetting {
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly string[];
  readonly timeout_seconds: number;
  /** The limit of all its processes together, where the system reports it (Linux). */
  readonly max_memory_mb: number;
}

/** Words of the companion's, never text of the program. */
export type ProgramFailure =
  | 'UNSAFE_COMMAND'
  | 'NOT_STARTED'
  | 'STOPPED'
  | 'TIMEOUT'
  | 'TOO_MUCH_MEMORY'
  | 'TOO_MUCH_OUTPUT'
  | 'NO_OUTPUT'
  | `EXIT_${number}`
  | `KILLED_${string}`;

export interface ProgramRun {
  /** The answer, in a buffer that nothing else shares. */
  readonly answer: Uint8Array<ArrayBuffer> | undefined;
  readonly failure: ProgramFailure | undefined;
  readonly lastWords: readonly string[];
}

export interface ProgramContext {
  readonly env: Environment;
  /** Calls `strike` after `ms` milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, strike: () => void) => () => void;
  /** In bytes; undefined where the system does not report it. */
  readonly memoryOf: (group: number) => number | undefined;
}

const failed = (failure: ProgramFailure): ProgramRun => ({ answer: undefined, failure, lastWords: [] });

/** Never rejects. */
export async function runProgram(
  { command, timeout_seconds, max_memory_mb }: ProgramSetting,
  input: Uint8Array,
  stop: AbortSignal,
  { env, after, memoryOf }: ProgramContext,
): Promise<ProgramRun> {
  const [program = '', ...args] = command;
  const file = runnable(program);
  if (file === undefined) return failed('UNSAFE_COMMAND');
  if (stop.aborted) return failed('STOPPED');
  let child: ChildProcess;
  try {
    child = startProgram(file, args, passedEnvironment(env), ['pipe', 'pipe', 'pipe']);
  } catch {
    return failed('NOT_STARTED');
  }
  const run = new Run(child);
  const cancels = [
    after(timeout_seconds * 1000, () => run.kill('TIMEOUT')),
    repeatedly(after, MEMORY_LOOK_MS, () => {
      if ((memoryOf(child.pid ?? 0) ?? 0) > max_memory_mb * BYTES_PER_MB) run.kill('TOO_MUCH_MEMORY');
    }),
  ];
  const stopped = (): void => run.kill('STOPPED');
  stop.addEventListener('abort', stopped);
  // For a companion that exits without waiting for the run.
  const exited = (): void => endGroup(child);
  process.once('exit', exited);
  run.give(input);
  try {
    return await run.ended(after);
  } finally {
    process.off('exit', exited);
    stop.removeEventListener('abort', stopped);
    for (const cancel of cancels) cancel();
  }
}

function repeatedly(after: ProgramContext['after'], ms: number, look: () => void): () => void {
  let cancel: () => void;
  const again = (): void => {
    cancel = after(ms, () => {
      again();
      look();
    });
  };
  again();
  return () => cancel();
}

class Run {
  readonly #child: ChildProcess;
  readonly #pieces: Buffer[] = [];
  readonly #words = new LastWords();
  #length = 0;
  #failure: ProgramFailure | undefined;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.on('data', (piece: Buffer) => this.#hear(piece));
    child.stderr?.on('data', (piece: Buffer) => this.#words.hear(piece));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  }

  give(input: Uint8Array): void {
    this.#child.stdin?.end(input);
  }

  kill(failure: ProgramFailure): void {
    this.#failure ??= failure;
    endGroup(this.#child);
  }

  ended(after: ProgramContext['after']): Promise<ProgramRun> {
    const child = this.#child;
    return new Promise((resolve) => {
      let cancelDrain = (): void => undefined;
      const end = (): void => {
        cancelDrain();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
        resolve(this.#outcome());
      };
      child.once('error', () => {
        // The error also occurs when the child could not be killed, which changes nothing.
        if (child.pid !== undefined) return;
        this.#failure ??= 'NOT_STARTED';
        end();
      });
      child.once('exit', (code, signal) => {
        endLeftOvers(child);
        if (code !== 0) this.#failure ??= code === null ? `KILLED_${signal}` : `EXIT_${code}`;
        // The data in the pipe is read before the end.
        cancelDrain = after(DRAIN_MS, () => setImmediate(end));
      });
      child.once('close', end);
    });
  }

  #hear(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length <= MAX_ANSWER_BYTES) this.#pieces.push(piece);
    else this.kill('TOO_MUCH_OUTPUT');
  }

  #outcome(): ProgramRun {
    if (this.#length === 0) this.#failure ??= 'NO_OUTPUT';
    const answer = this.#failure === undefined ? joinApart(...this.#pieces) : undefined;
    for (const piece of this.#pieces) piece.fill(0);
    overwriteReadBuffer();
    return { answer, failure: this.#failure, lastWords: this.#words.lines };
  }
}

// The last error output of a program, for the log: a few short lines, without anything that could be a key, an address,
// a hash or a terminal control character.
const MAX_BYTES = 4096;
const MAX_LINES = 5;
const MAX_LINE_LENGTH = 200;
/** Words longer than those of natural language. */
const LONG_WORD = /[^\s]{33,}/g;

class LastWords {
  #held: Buffer = Buffer.alloc(0);

  /** Keeps the end of the output. */
  hear(chunk: Buffer): void {
    const all = Buffer.concat([this.#held, chunk.subarray(-MAX_BYTES)]);
    this.#held = Buffer.from(all.subarray(-MAX_BYTES));
  }

  get lines(): readonly string[] {
    return this.#held
      .toString('latin1')
      .split(/[\r\n]+/)
      .map((line) =>
        line
          .replaceAll(/[^ -~]/g, ' ')
          .replaceAll(LONG_WORD, '...')
          .trim(),
      )
      .filter((line) => line !== '')
      .slice(-MAX_LINES)
      .map((line) => line.slice(0, MAX_LINE_LENGTH));
  }
}
