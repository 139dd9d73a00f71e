// Frames of the private socket: one JSON value per line. JSON never needs a raw line break, so a line is a frame, and
// users can type it in a terminal.

import { joinApart } from '@wallet-companion/base/memory';
import { inKib } from '@wallet-companion/client/contract';
import { CompanionError } from '../protocol/errors.ts';
import { withTexts } from '../protocol/eventTexts.ts';

/** A page of 1,000 notes with binary memos is about 1.5 MB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export const LINE_BREAK = 0x0a;

export const tooLong = (maxBytes: number): CompanionError =>
  new CompanionError('BODY_TOO_LARGE', `A message must be at most ${inKib(maxBytes)}.`);

/** The decision about a line that exceeds the default limit. */
export interface LongLine {
  /** The limit of this line in bytes. */
  readonly maxBytes: number;
  /** A refused line is skipped, and nothing of it is kept. */
  readonly isRefused: boolean;
}

/** `beginning` is wiped after the call. */
export type JudgeLongLine = (beginning: Uint8Array) => LongLine;

export class LineReader {
  readonly #maxBytes: number;
  readonly #judge: JudgeLongLine;
  #held: Buffer[] = [];
  #length = 0;
  #long: LongLine | undefined;

  /** `judge` is called once for a line that exceeds `maxBytes`; without it, no line may. */
  constructor(maxBytes: number, judge: JudgeLongLine = () => ({ maxBytes, isRefused: false })) {
    this.#maxBytes = maxBytes;
    this.#judge = judge;
  }

  /** Whether the current line is incomplete. */
  get isAmidLine(): boolean {
    return this.#length > 0;
  }

  /**
   * The lines that `chunk` completes, without line breaks and without refused lines, each in a separate buffer; the
   * original bytes are wiped. Throws `BODY_TOO_LARGE` as soon as a line is too long.
   */
  *push(chunk: Buffer): Generator<Buffer, void, void> {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_BREAK); end !== -1; end = rest.indexOf(LINE_BREAK)) {
      this.#hold(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      if (this.#long?.isRefused === true) this.clear();
      else yield this.#joined();
    }
    if (rest.length > 0) this.#hold(rest);
  }

  /** Forgets an unfinished line. */
  clear(): void {
    this.#wipe();
    this.#length = 0;
    this.#long = undefined;
  }

  #joined(): Buffer {
    const line = joinApart(...this.#held);
    this.clear();
    return Buffer.from(line.buffer);
  }

  #hold(part: Buffer): void {
    this.#length += part.length;
    this.#held.push(part);
    if (this.#length <= this.#maxBytes) return;
    this.#long ??= this.#judged();
    const { maxBytes, isRefused } = this.#long;
    if (isRefused) this.#wipe();
    if (this.#length <= maxBytes) return;
    this.clear();
    throw tooLong(maxBytes);
  }

  #judged(): LongLine {
    const beginning = joinApart(...this.#held);
    try {
      return this.#judge(beginning);
    } finally {
      beginning.fill(0);
    }
  }

  #wipe(): void {
    for (const part of this.#held) part.fill(0);
    this.#held = [];
  }
}

/** Throws `INVALID_REQUEST` without any text of the line, which may contain a password. */
export function parseLine(line: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    throw notALine();
  }
}

export const notALine = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', 'The message is not one line of JSON in UTF-8.');

/** The answer `{id, result}` with the bytes of a JSON text as result; the bytes are wiped. */
export function encodeResultLine(id: number | string, result: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`{"id":${JSON.stringify(id)},"result":`);
  const tail = new TextEncoder().encode('}\n');
  const line = joinApart(head, result, tail);
  result.fill(0);
  return line;
}

/** A message whose last member is an event's data, with the texts in it; the sender wipes the bytes. */
export const encodeLineWithTexts = (message: object, texts: Uint8Array): Uint8Array =>
  withTexts(`${JSON.stringify(message)}\n`, '}\n', texts);

export const encodeLine = (message: object): Buffer => Buffer.from(`${JSON.stringify(message)}\n`, 'utf8');
