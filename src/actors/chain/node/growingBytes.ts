// Bytes that come in pieces, in one buffer that grows: be they sent one at a time, what is kept of them is the bytes
// and nothing else.

const NOTHING = Buffer.alloc(0);

export class GrowingBytes {
  readonly #maxBytes: number;
  #buffer: Buffer = NOTHING;
  #length = 0;
  #expected = 0;

  /** `maxBytes`: room is never made for more, and whoever adds keeps to it. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** A view of what is there by now. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** When there is no room for the next ones, it is made for as many as this. */
  expect(bytes: number): void {
    this.#expected = bytes;
  }

  /** A buffer with room for `more` bytes from `length` on, for the caller to fill. */
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

  /** That many more were written to the room for them. */
  filled(more: number): void {
    this.#length += more;
  }

  add(piece: Uint8Array): void {
    this.room(piece.length).set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Forgets what is beyond `length`. */
  cut(length: number): void {
    this.#length = length;
  }

  /** Forgets everything, and gives the memory back. */
  clear(): void {
    this.#buffer = NOTHING;
    this.#length = 0;
  }
}
