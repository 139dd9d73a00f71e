// The text of an answer while it arrives. If the result should be bytes in hexadecimal, the digits are decoded into
// their target instead, and no text or string of megabytes is made. This works for answers of exactly the form that
// nodes send. For any other form the whole text is kept, unchanged, and the JSON parser decides what it is.

import { GrowingBytes } from './growingBytes.ts';

export interface AnswerBody {
  /** With an empty string for the result if that was decoded already. */
  readonly text: Buffer;
  /** Undefined where the result is in the text. */
  readonly hexResult: Uint8Array | undefined;
}

/** The text before the digits, and after them, is shorter. */
const MARGIN = 256;
const RESULT = '"result":"';
/** A string that begins here is the value of the answer's `result`, and no other `result` follows it. */
const BEFORE = /^\{(?:"(?:jsonrpc":"[0-9.]{1,5}"|id":(?:\d{1,16}|null)|error":null),)*"result":"$/;
const BEHIND = /^"(?:,"(?:jsonrpc":"[0-9.]{1,5}"|id":(?:\d{1,16}|null)|error":null))*\}\s*$/;

const QUOTE = '"'.charCodeAt(0);
/** Bytes that become text again at a time. */
const REWRITTEN = 32_768;

export class KeptAnswer {
  /** Without the decoded digits. */
  readonly #text: GrowingBytes;
  readonly #result: GrowingBytes;
  #reading: 'before' | 'digits' | 'behind' | 'text';
  /** Length of the text before the digits. */
  #before = 0;
  /** The first of two digits that arrive in separate pieces. */
  #half: number | undefined;

  /** The caller adds at most `maxBytes`. */
  constructor(maxBytes: number, wantsHex: boolean) {
    this.#text = new GrowingBytes(maxBytes);
    this.#result = new GrowingBytes(Math.ceil(maxBytes / 2));
    this.#reading = wantsHex ? 'before' : 'text';
  }

  /** The announced length of the whole answer. */
  expect(bytes: number): void {
    if (this.#reading === 'text') this.#text.expect(bytes);
    else this.#result.expect(Math.ceil(bytes / 2));
  }

  add(piece: Buffer): void {
    let rest = piece;
    if (this.#reading === 'before') rest = this.#lookForDigits(rest);
    if (this.#reading === 'digits') rest = this.#readDigits(rest);
    this.#text.add(rest);
    if (this.#reading === 'behind' && this.#text.length > 2 * MARGIN) this.#putBack();
  }

  end(): AnswerBody {
    if (this.#reading === 'behind' && this.#result.length > 0 && BEHIND.test(this.#textFrom(this.#before))) {
      return { text: this.#text.bytes, hexResult: this.#result.bytes };
    }
    this.#putBack();
    return { text: this.#text.bytes, hexResult: undefined };
  }

  /** The result of `end` stays as it is. */
  clear(): void {
    this.#text.clear();
    this.#result.clear();
  }

  /** Returns the part that it did not look at. */
  #lookForDigits(piece: Buffer): Buffer {
    const known = this.#text.length;
    this.#text.add(piece.subarray(0, MARGIN - known));
    const text = this.#textFrom(0);
    const found = text.indexOf(RESULT);
    this.#before = found + RESULT.length;
    if (found >= 0 && BEFORE.test(text.slice(0, this.#before))) {
      this.#reading = 'digits';
      this.#text.cut(this.#before);
      return piece.subarray(this.#before - known);
    }
    if (found >= 0 || text.length === MARGIN) this.#reading = 'text';
    return piece.subarray(text.length - known);
  }

  /** Returns the part from the closing quotation mark on, or from the first character that is no digit. */
  #readDigits(piece: Buffer): Buffer {
    const quote = piece.indexOf(QUOTE);
    const end = quote < 0 ? piece.length : quote;
    let at = 0;
    if (this.#half !== undefined && end > 0) {
      if (!this.#decode(Buffer.of(this.#half, piece[0]!))) return this.#noHex(piece);
      this.#half = undefined;
      at = 1;
    }
    const even = end - ((end - at) % 2);
    if (!this.#decode(piece.subarray(at, even))) return this.#noHex(piece.subarray(at));
    if (even < end) this.#half = piece[even];
    const rest = piece.subarray(end);
    if (quote < 0) return rest;
    if (this.#half !== undefined) return this.#noHex(rest);
    this.#reading = 'behind';
    return rest;
  }

  #decode(digits: Buffer): boolean {
    const bytes = digits.length / 2;
    if (!decodeHex(digits, this.#result.room(bytes), this.#result.length)) return false;
    this.#result.filled(bytes);
    return true;
  }

  #noHex(rest: Buffer): Buffer {
    this.#putBack();
    return rest;
  }

  /** The digits become text again, in lower case. */
  #putBack(): void {
    if (this.#reading === 'digits' || this.#reading === 'behind') {
      const behind = Buffer.from(this.#text.bytes.subarray(this.#before));
      const { bytes } = this.#result;
      this.#text.cut(this.#before);
      this.#text.expect(this.#before + 2 * bytes.length + behind.length + 1);
      for (let from = 0; from < bytes.length; from += REWRITTEN) {
        this.#text.add(Buffer.from(bytes.toString('hex', from, from + REWRITTEN), 'latin1'));
      }
      if (this.#half !== undefined) this.#text.add(Buffer.of(this.#half));
      this.#text.add(behind);
      this.#result.clear();
    }
    this.#reading = 'text';
  }

  #textFrom(start: number): string {
    return this.#text.bytes.toString('latin1', start);
  }
}

// Hexadecimal, read from the bytes of its text: no string is made of it. Two digits are one table look-up.

/** Text is copied here and read as 16-bit units, which must start at an even address. */
const STAGE = new Uint8Array(16_384);
const STAGED_PAIRS = new Uint16Array(STAGE.buffer);

/** By pair of digits; negative where one of them is no digit. */
const VALUES = new Int16Array(65_536).fill(-1);
const DIGITS = '0123456789abcdefABCDEF';
for (const high of DIGITS) {
  for (const low of DIGITS) {
    STAGE[0] = high.charCodeAt(0);
    STAGE[1] = low.charCodeAt(0);
    VALUES[STAGED_PAIRS[0]!] = Number.parseInt(high + low, 16);
  }
}

/** Writes the bytes of a text of an even length to `target` from `at` on; false when not all of it is hexadecimal. */
export function decodeHex(text: Uint8Array, target: Uint8Array, at: number): boolean {
  let written = at;
  let seen = 0;
  for (let from = 0; from < text.length; from += STAGE.length) {
    const piece = text.subarray(from, from + STAGE.length);
    STAGE.set(piece);
    const pairs = piece.length >>> 1;
    for (let i = 0; i < pairs; i++) {
      const value = VALUES[STAGED_PAIRS[i]!]!;
      seen |= value;
      target[written++] = value;
    }
  }
  return seen >= 0;
}
