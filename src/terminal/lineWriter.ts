// Lines of programs that go on running, to whoever reads standard output and error. Such a program waits for no reader
// and ends for no full disk: what finds no room is left out, counted, and told when there is room again.

import fs from 'node:fs';
import type { Writable } from 'node:stream';

/** Waiting for a reader, besides the 64 KiB or so that a pipe holds. */
const MOST_WAITING_BYTES = 256 * 1024;
/** For a reader that is only slow, when the program ends. */
const LAST_LINES_MS = 1_000;
/** The codes of a reader that is gone; any other failure may pass. */
const GONE: readonly unknown[] = ['EPIPE', 'ECONNRESET'];

/** Node's handle of a pipe or terminal. It lets a terminal block, which Ctrl-S would do for as long as it likes. */
interface Handled {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => unknown } | null;
}

/** The streams that nobody waits for. */
const live = new Set<Writable>();

export const isLive = (stream: Writable): boolean => live.has(stream);

export const isReaderGone = (error: NodeJS.ErrnoException): boolean => GONE.includes(error.code);

const plainNote = (lines: number): string => `${lines} lines left out\n`;

export class LineWriter {
  readonly #stream: Writable;
  readonly #note: (lines: number) => string;
  #leftOut = 0;

  /** `note`: the line that stands for those that were left out. */
  constructor(stream: Writable, note: (lines: number) => string = plainNote) {
    this.#stream = stream;
    this.#note = note;
    if (isLive(stream)) return;
    live.add(stream);
    // The callbacks of the writes count.
    stream.on('error', () => undefined);
    (stream as Handled)._handle?.setBlocking?.(false);
  }

  /** `text` ends with a line feed. */
  write(text: string): void {
    if (this.#stream.writableLength + text.length > MOST_WAITING_BYTES) {
      this.#leftOut += 1;
      return;
    }
    this.#noteLeftOut();
    this.#send(text, 1);
  }

  #noteLeftOut(): void {
    const lines = this.#leftOut;
    this.#leftOut = 0;
    if (lines > 0) this.#send(this.#note(lines), lines);
  }

  #send(text: string, lines: number): void {
    this.#stream.write(text, (error) => {
      if (error) this.#leftOut += lines;
      else this.#noteLeftOut();
    });
  }
}

/** False where lines are still waiting after a moment: Node itself would wait for their reader for ever. */
export async function lastLines(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), LAST_LINES_MS);
  });
  const written = Promise.all([...live].map(allWritten)).then(() => true);
  try {
    return await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Node itself writes once to a file, and does not look at how much of it the disk took. */
export function writeWhole(stream: Writable & { readonly fd?: number }): void {
  const { fd } = stream;
  if (fd === undefined || '_handle' in stream) return;
  stream._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      for (let at = 0; at < chunk.length; at += fs.writeSync(fd, chunk, at));
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Resolves with the failure, or when all that was written so far has left this process. */
export const allWritten = (stream: Writable): Promise<Error | undefined> =>
  new Promise((resolve) => {
    stream.write('', (error) => resolve(error ?? undefined));
  });

/** Calls back once nobody can read the stream any more, unless the returned function is called before. */
export function onReaderGone(stream: Writable, callback: () => void): () => void {
  let hasFailed = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    hasFailed = true;
    if (isReaderGone(error)) callback();
  };
  // Node tells that standard output is closed after each failure, and goes on writing to it.
  const onClose = (): void => {
    if (!hasFailed) callback();
    hasFailed = false;
  };
  stream.on('error', onError).on('close', onClose);
  return () => void stream.off('error', onError).off('close', onClose);
}
