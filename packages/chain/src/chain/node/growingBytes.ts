// Collects pieces of bytes in one growing buffer: even for single-byte pieces, only the bytes themselves take memory.

const NOTHING = Buffer.alloc(0);

export class GrowingBytes {
  readonly #maxBytes: number;
  #buffer: Buffer = NOTHING;
  #length = 0;
  #expected = 0;

  /** `maxBytes`: the buffer never grows beyond it; callers must not add more. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the present bytes. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** The next growth of the buffer makes space for this many bytes. */
  expect(bytes: number): void {
    this.#expected = bytes;
  }

  /** A buffer with space for `more` bytes from `length` on; the caller fills it. */
  room(more: number): Buffer {
    const needed = this.#length + more;
    if (needed > this.#buffer.length) {
      const wanted = Math.max(needed, this.#expected, 2 * this.#buffer.length);
      const larger = Buffer.allocUnsafeSlow(Math.min(wanted, this.#maxBytes));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    return this.#buffer;
  }

  /** So many bytes were written to the space from `room`. */
  filled(more: number): void {
    this.#length += more;
  }

  add(piece: Uint8Array): void {
    this.room(piece.length).set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Drops the bytes beyond `length`. */
  cut(length: number): void {
    this.#length = length;
  }

  /** Drops all bytes and frees the memory. */
  clear(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
  }
}
