// The part of the protobuf wire format that compact blocks use: varints and length-delimited fields. Hand-written for
// the hot path: a message is walked in place, and bytes fields stay views on it.
import { concatBytes, FormatError } from '@wallet-companion/base/bytes';

const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Cursor over one message. `next()` moves to a field; then read its value or `skipValue()`. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #offset: number;
  #end: number;
  #wireType = VARINT;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#offset = 0;
    this.#end = bytes.length;
  }

  /** Field number of the next field, or 0 at the end of the message. */
  next(): number {
    if (this.#offset === this.#end) return 0;
    const tag = this.#varint();
    if (tag > 0xffff_ffff) throw new FormatError('protobuf field number is too large');
    this.#wireType = tag % 8;
    const field = Math.floor(tag / 8);
    if (field === 0) throw new FormatError('protobuf field number 0');
    return field;
  }

  /** An unsigned integer below 2^53: every height, time, index and size is. */
  uint(): number {
    this.#expect(VARINT);
    return this.#varint();
  }

  uint32(): number {
    const value = this.uint();
    if (value > 0xffff_ffff) throw new FormatError('protobuf uint32 is out of range');
    return value;
  }

  /** View on a bytes, string or message field. */
  bytes(): Uint8Array {
    this.#expect(LENGTH_DELIMITED);
    const length = this.#varint();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** A bytes field of exactly `length` bytes; FormatError naming `what` otherwise. */
  fixedBytes(length: number, what: string): Uint8Array {
    const start = this.fixedOffset(length, what);
    return this.#bytes.subarray(start, start + length);
  }

  /** Offset of a bytes field of exactly `length` bytes; FormatError naming `what` otherwise. */
  fixedOffset(length: number, what: string): number {
    this.#expect(LENGTH_DELIMITED);
    const found = this.#varint();
    const start = this.#advance(found);
    if (found !== length) throw new FormatError(`${what} must be ${length} bytes, got ${found}`);
    return start;
  }

  /** Enters a message field: `next()` walks it until it returns 0. Returns the argument for `leave`. */
  enter(): number {
    this.#expect(LENGTH_DELIMITED);
    const length = this.#varint();
    const outer = this.#end;
    if (length > outer - this.#offset) throw new FormatError('protobuf field is cut short');
    this.#end = this.#offset + length;
    return outer;
  }

  leave(outer: number): void {
    this.#end = outer;
  }

  skipValue(): void {
    if (this.#wireType === VARINT) this.#skipVarint();
    else if (this.#wireType === FIXED64) this.#advance(8);
    else if (this.#wireType === LENGTH_DELIMITED) this.#advance(this.#varint());
    else if (this.#wireType === FIXED32) this.#advance(4);
    else throw new FormatError(`protobuf wire type ${this.#wireType}`);
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType)
      throw new FormatError(`protobuf wire type ${this.#wireType}, not ${wireType}`);
  }

  #advance(length: number): number {
    if (length > this.#end - this.#offset) throw new FormatError('protobuf field is cut short');
    const start = this.#offset;
    this.#offset += length;
    return start;
  }

  #byte(): number {
    return this.#bytes[this.#advance(1)]!;
  }

  #varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) throw new FormatError('protobuf integer is out of range');
        return value;
      }
      scale *= 128;
    }
    throw new FormatError('protobuf varint is too long');
  }

  /** An unknown field may hold any 64-bit value. */
  #skipVarint(): void {
    for (let i = 0; i < 10; i++) if (this.#byte() < 0x80) return;
    throw new FormatError('protobuf varint is too long');
  }
}

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

/** An integer field; nothing for 0, the default. */
export const uintField = (field: number, value: number): Uint8Array =>
  value === 0 ? new Uint8Array(0) : concatBytes(encodeVarint(field * 8 + VARINT), encodeVarint(value));

/** A singular bytes field; nothing when empty, the default. */
export const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  value.length === 0 ? new Uint8Array(0) : messageField(field, value);

/** A message field, written even when the message is empty. */
export const messageField = (field: number, message: Uint8Array): Uint8Array =>
  concatBytes(encodeVarint(field * 8 + LENGTH_DELIMITED), encodeVarint(message.length), message);
