// Counts each reply of Redis before the client's decoder keeps it: bytes, values and depth of one reply have limits. The
// decoder of ioredis has none and allocates each list by its announced size.
//
// RESP2 and RESP3: a type byte, a line, and after it bytes (strings) or values (lists, and maps with two for each entry).
// https://github.com/redis/redis-specifications/blob/master/protocol/RESP3.md

import { MAX_REPLY_BYTES } from './queueNames.ts';

/** The 10,000 events that a queue keeps have some 110,000. */
const MAX_REPLY_VALUES = 2 ** 18;
/** Replies to BullMQ have five at most. */
const MAX_REPLY_DEPTH = 16;
/** A count, with the -1 of RESP2 for nothing. */
const COUNT = /^(?:-1|\d{1,10})$/;
const LONGEST_COUNT = 10;

const LF = 0x0a;
const CR = 0x0d;

type Kind = 'line' | 'string' | 'list' | 'map';

/** Every other type is a line. */
const KINDS: Readonly<Record<string, Kind>> = {
  $: 'string',
  '!': 'string',
  '=': 'string',
  '*': 'list',
  '~': 'list',
  '>': 'list',
  '%': 'map',
};

export class ReplyLimit {
  #bytes = 0;
  #values = 0;
  /** The number of values still missing in each open list, the innermost last. */
  #open: number[] = [];
  /** The rest of a string, with the end of its line. */
  #left = 0;
  /** The kind of the value whose line is being read. */
  #kind: Kind | undefined;
  #count = '';

  /** Whether the reply is within the limits so far. After `false` the connection must end. */
  accepts(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, chunk.length - at);
        at += skipped;
        this.#left -= skipped;
        if (this.#left === 0) this.#endValue();
      } else if (++this.#bytes > MAX_REPLY_BYTES || !this.#read(chunk[at++]!)) return false;
    }
    return true;
  }

  #read(byte: number): boolean {
    if (this.#kind === undefined) {
      this.#kind = KINDS[String.fromCharCode(byte)] ?? 'line';
      this.#count = '';
      return ++this.#values <= MAX_REPLY_VALUES;
    }
    if (byte === LF) return this.#endLine(this.#kind);
    if (byte === CR || this.#kind === 'line') return true;
    this.#count += String.fromCharCode(byte);
    return this.#count.length <= LONGEST_COUNT;
  }

  #endLine(kind: Kind): boolean {
    this.#kind = undefined;
    if (kind !== 'line' && !COUNT.test(this.#count)) return false;
    const count = kind === 'line' ? -1 : Number(this.#count);
    if (kind === 'string' && count >= 0) {
      this.#left = count + 2;
      this.#bytes += this.#left;
      return this.#bytes <= MAX_REPLY_BYTES;
    }
    if (count <= 0) {
      this.#endValue();
      return true;
    }
    const values = kind === 'map' ? 2 * count : count;
    this.#open.push(values);
    return this.#open.length <= MAX_REPLY_DEPTH && this.#values + values <= MAX_REPLY_VALUES;
  }

  #endValue(): void {
    while (this.#open.length > 0) {
      const missing = this.#open.pop()! - 1;
      if (missing > 0) {
        this.#open.push(missing);
        return;
      }
    }
    this.#bytes = 0;
    this.#values = 0;
  }
}
