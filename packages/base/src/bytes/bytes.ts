// Byte-level building blocks of the protocol: little-endian integers, compactSize, and a reader that turns every
// malformed input into one typed error before it allocates anything.

/** Outside bytes that do not follow their declared format. Callers map it to their own error code. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** Throws `FormatError`, which begins with `what`, for another length than `length` bytes. */
export function assertLength(bytes: Uint8Array, length: number, what: string): void {
  if (bytes.length !== length) throw new FormatError(`${what} must be ${length} bytes, got ${bytes.length}`);
}

/** The parts one after the other, copied. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let total = 0;
  for (const part of parts) total += part.length;
  const out = new Uint8Array(total);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
}

/** Whether both have the same bytes. It ends at the first difference, so it is not for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Overwrites secrets before their memory is freed. */
export function wipe(...secrets: readonly (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Lower-case hexadecimal digits, two for each byte. They are joined at once: appended byte by byte, the string would
 * stay a tree of its pieces, ten times as large, while it is in use. A Buffer is no alternative: it copies into a shared
 * pool that is never wiped, and viewing the bytes of a short array moves them out of the heap that ends with the thread.
 */
export function bytesToHex(bytes: Uint8Array): string {
  const digits = new Array<string>(bytes.length);
  for (let i = 0; i < bytes.length; i++) digits[i] = HEX_OF_BYTE[bytes[i]!]!;
  return digits.join('');
}

/** From hexadecimal digits in either case, two for each byte. Throws `FormatError`. */
export function hexToBytes(hex: string): Uint8Array {
  if (hex.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(hex))
    throw new FormatError('not a hexadecimal byte string');
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (hexDigit(hex.charCodeAt(2 * i)) << 4) | hexDigit(hex.charCodeAt(2 * i + 1));
  }
  return bytes;
}

/** Digits are 0x30 to 0x39; letters, in either case, have their value less 9 in the low bits. */
const hexDigit = (code: number): number => (code & 0xf) + (code > 0x39 ? 9 : 0);

/** LEOS2IP (protocol specification §5.1): the integer whose bytes these are, the lowest first. */
export function leBytesToBigint(bytes: Uint8Array): bigint {
  let hex = '';
  for (let i = bytes.length - 1; i >= 0; i--) hex += bytes[i]!.toString(16).padStart(2, '0');
  return hex === '' ? 0n : BigInt(`0x${hex}`);
}

/**
 * I2LEOSP (protocol specification §5.1): `length` bytes, the lowest first. RangeError for a negative or larger integer.
 */
export function bigintToLeBytes(value: bigint, length: number): Uint8Array {
  const hex = value.toString(16).padStart(length * 2, '0');
  if (value < 0n || hex.length > length * 2) throw new RangeError(`integer does not fit ${length} bytes`);
  return hexToBytes(hex).reverse();
}

/** 4 bytes, the lowest first, of an integer below 2^32. */
export function u32ToLeBytes(value: number): Uint8Array {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, value, true);
  return out;
}

/** 8 bytes, the lowest first, of an integer modulo 2^64. */
export function u64ToLeBytes(value: bigint): Uint8Array {
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, value, true);
  return out;
}

/** A byte for each character, all of which are ASCII: tags and personalizations of hashes. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

/** Largest compactSize the format allows anywhere (MAX_COMPACT_SIZE, 2^25). */
const MAX_COMPACT_SIZE = 0x0200_0000;

/** compactSize of the transaction format: 1, 3 or 5 bytes for an integer below 2^32. */
export function encodeCompactSize(value: number): Uint8Array {
  if (value < 253) return Uint8Array.of(value);
  if (value <= 0xffff) return Uint8Array.of(0xfd, value & 0xff, value >>> 8);
  return concatBytes(Uint8Array.of(0xfe), u32ToLeBytes(value));
}

/** Cursor over untrusted bytes. Every read checks the remaining length first; slices are views, not copies. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#offset = start;
    this.#end = end;
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#end - this.#offset;
  }

  /** Advances by `length` and returns the offset from before. */
  skip(length: number): number {
    if (length > this.remaining) {
      throw new FormatError(
        `needs ${length} bytes at offset ${this.#offset}, only ${this.remaining} are left`,
      );
    }
    const start = this.#offset;
    this.#offset += length;
    return start;
  }

  take(length: number): Uint8Array {
    const start = this.skip(length);
    return this.bytes.subarray(start, start + length);
  }

  u8(): number {
    return this.#view.getUint8(this.skip(1));
  }

  u16(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.skip(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.skip(8), true);
  }

  /** Minimal encoding only; anything above 2^25 is refused. */
  compactSize(): number {
    const first = this.u8();
    if (first < 253) return first;
    const value = first === 253 ? this.u16() : first === 254 ? this.u32() : Number(this.u64());
    const least = first === 253 ? 253 : first === 254 ? 0x1_0000 : 0x1_0000_0000;
    if (value < least) throw new FormatError('compactSize is not minimal');
    if (value > MAX_COMPACT_SIZE) throw new FormatError('compactSize is too large');
    return value;
  }

  /** A count of elements of at least `minimumSize` bytes each; refused when they cannot fit into what is left. */
  count(minimumSize: number): number {
    const count = this.compactSize();
    if (count * minimumSize > this.remaining) {
      throw new FormatError(`count ${count} cannot fit in the remaining ${this.remaining} bytes`);
    }
    return count;
  }

  expectEnd(): void {
    if (this.remaining !== 0) throw new FormatError(`${this.remaining} unexpected bytes after the end`);
  }
}

// Random values, from a source that the caller supplies.

/** A value is refused by chance so rarely that more tries than this mean a broken source. */
const MAX_TRIES = 100;

/** Draws until there is a value. Throws where a hundred tries give none. */
export function drawUntilFound<T>(draw: () => T | undefined): T {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  throw new Error('the source of randomness gives nothing that can be used');
}

const UINT32_END = 2 ** 32;

/** An integer of 32 bits, from four bytes of the source. */
export function randomUint32(randomBytes: (length: number) => Uint8Array): number {
  return randomBytes(4).reduce((value, byte) => value * 256 + byte, 0);
}

/** An integer from 0 up to and without `end`, uniformly distributed. `end`: at most 2^32. */
export function randomBelow(end: number, randomBytes: (length: number) => Uint8Array): number {
  const fair = UINT32_END - (UINT32_END % end);
  return drawUntilFound(() => {
    const value = randomUint32(randomBytes);
    return value < fair ? value % end : undefined;
  });
}
