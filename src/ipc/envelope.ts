// Splits a line of the private socket without reading its arguments, which may contain a password or a phrase: they stay
// bytes, for the thread whose memory is cleared at the lock. A string would stay in this thread.

import { isUtf8 } from 'node:buffer';
import { joinApart } from '@wallet-companion/base/memory';
import { notALine, parseLine } from './lines.ts';

export interface Envelope {
  /** The message without `args`; of unknown members it has only the name. */
  readonly message: unknown;
  /** The JSON text of `args`, in a buffer that nothing else shares. */
  readonly args: Uint8Array<ArrayBuffer> | undefined;
}

/** The members that are read here; none is secret. */
const READ = ['id', 'command', 'request_id', 'wallet'];

const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Wipes the line. Throws `INVALID_REQUEST` without any of it. */
export function readEnvelope(line: Uint8Array): Envelope {
  try {
    if (!isUtf8(line)) throw notALine();
    const cursor = new Cursor(line);
    return cursor.next === OPEN_OBJECT ? readMembers(cursor) : { message: parseLine(line), args: undefined };
  } finally {
    line.fill(0);
  }
}

/** The members of a message before its arguments. */
export interface Head {
  readonly id?: unknown;
  readonly command?: unknown;
}

/** The head of a line from its beginning, which may end anywhere. */
export function readHead(beginning: Uint8Array): Head {
  const members: { -readonly [Member in keyof Head]: Head[Member] } = {};
  try {
    const cursor = new Cursor(beginning);
    cursor.take(OPEN_OBJECT);
    for (;;) {
      const name = String(parseLine(cursor.string()));
      if (name === 'args') return members;
      cursor.take(COLON);
      const value = cursor.value();
      cursor.take(COMMA);
      if (name === 'id' || name === 'command') members[name] = parseLine(value);
    }
  } catch {
    return members;
  }
}

function readMembers(cursor: Cursor): Envelope {
  const members = new Map<string, unknown>();
  let args: Uint8Array<ArrayBuffer> | undefined;
  cursor.take(OPEN_OBJECT);
  while (cursor.next !== CLOSE_OBJECT) {
    if (members.size > 0 || args !== undefined) cursor.take(COMMA);
    const name = String(parseLine(cursor.string()));
    cursor.take(COLON);
    const value = cursor.value();
    if (name === 'args') {
      args?.fill(0);
      args = joinApart(value);
    } else members.set(name, READ.includes(name) ? parseLine(value) : null);
  }
  cursor.take(CLOSE_OBJECT);
  if (cursor.next !== undefined) throw notALine();
  return { message: Object.fromEntries(members), args };
}

/** Walks over JSON values. The code that reads a value validates its contents. */
class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The byte after white space; undefined at the end. */
  get next(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at += 1;
    return this.#bytes[this.#at];
  }

  take(wanted: number): void {
    if (this.next !== wanted) throw notALine();
    this.#at += 1;
  }

  string(): Uint8Array {
    if (this.next !== QUOTE) throw notALine();
    const start = this.#at;
    this.#skipString();
    return this.#bytes.subarray(start, this.#at);
  }

  value(): Uint8Array {
    const first = this.next;
    if (first === QUOTE) return this.string();
    const start = this.#at;
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#skipNested();
    else while (!endsScalar(this.#bytes[this.#at])) this.#at += 1;
    if (this.#at === start) throw notALine();
    return this.#bytes.subarray(start, this.#at);
  }

  #skipString(): void {
    this.#at += 1;
    while (this.#bytes[this.#at] !== QUOTE) {
      if (this.#at >= this.#bytes.length) throw notALine();
      this.#at += this.#bytes[this.#at] === BACKSLASH ? 2 : 1;
    }
    this.#at += 1;
  }

  #skipNested(): void {
    let depth = 0;
    do {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw notALine();
      if (byte === QUOTE) {
        this.#skipString();
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      this.#at += 1;
    } while (depth > 0);
  }
}

const isSpace = (byte: number | undefined): boolean =>
  byte === SPACE || byte === TAB || byte === LINE_FEED || byte === RETURN;

const endsScalar = (byte: number | undefined): boolean =>
  byte === undefined || byte === COMMA || byte === CLOSE_OBJECT || isSpace(byte);
