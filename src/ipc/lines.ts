// Frames of the private socket: one JSON value per line. JSON never needs a raw line break, so a line is a frame, and
// people can use it from a terminal.

import { CompanionError } from '../protocol/errors.ts';
import { textWithMemo } from '../protocol/eventMemo.ts';
import { joinApart } from '../protocol/ownMemory.ts';

/** The same limit as for an HTTP body; the longest honest input is under 16 KiB. */
export const MAX_REQUEST_BYTES = 64 * 1024;
/** A page of 1,000 notes with binary memos is about 1.5 MB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const LINE_BREAK = 0x0a;

export class LineReader {
  readonly #maxBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of an unfinished line. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * The lines that `chunk` completes, without line breaks, each in memory of its own; where they were is wiped. Throws
   * `BODY_TOO_LARGE` as soon as a line is too long.
   */
  push(chunk: Buffer): Buffer[] {
    const lines: Buffer[] = [];
    let rest = chunk;
    for (let end = rest.indexOf(LINE_BREAK); end !== -1; end = rest.indexOf(LINE_BREAK)) {
      this.#hold(rest.subarray(0, end));
      lines.push(this.#joined());
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#hold(rest);
    return lines;
  }

  /** Forgets an unfinished line. */
  clear(): void {
    for (const part of this.#held) part.fill(0);
    this.#held = [];
    this.#heldBytes = 0;
  }

  #joined(): Buffer {
    const line = joinApart(...this.#held);
    this.clear();
    return Buffer.from(line.buffer);
  }

  #hold(part: Buffer): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > this.#maxBytes) {
      part.fill(0);
      this.clear();
      throw new CompanionError('BODY_TOO_LARGE', `A message must be at most ${this.#maxBytes / 1024} KiB.`);
    }
    this.#held.push(part);
  }
}

/** Throws `INVALID_REQUEST` without any of the line, which may contain a password. */
export function parseLine(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw notALine();
  }
}

export const notALine = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'The message is not one line of JSON in UTF-8.');

/** The answer `{id, result}` whose result is the bytes of a JSON text, which are wiped. */
export function encodeResultLine(id: number | string, result: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`{"id":${JSON.stringify(id)},"result":`);
  const tail = new TextEncoder().encode('}\n');
  const line = joinApart(head, result, tail);
  result.fill(0);
  return line;
}

/** A message whose last member is the data of an event, with the memo in them; for the sender to wipe. */
export const encodeLineWithMemo = (message: object, memo: Uint8Array): Uint8Array =>
  textWithMemo(`${JSON.stringify(message)}\n`, '}\n', memo);

export const encodeLine = (message: object): Buffer => Buffer.from(`${JSON.stringify(message)}\n`, 'utf8');
