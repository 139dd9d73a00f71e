// Reads fixed lengths from a stream of pieces of any length, and holds no more of it than one piece and what was asked for.

import { concatBytes } from '@wallet-companion/base/bytes';

export class StreamReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  /** Undefined where the stream ends before. */
  async take(length: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.takeUpTo(missing);
      if (part === undefined) return undefined;
      parts.push(part);
      missing -= part.length;
    }
    return parts.length === 1 ? parts[0] : concatBytes(...parts);
  }

  /** At least one byte; undefined at the end. */
  async takeUpTo(length: number): Promise<Uint8Array | undefined> {
    if (await this.isAtEnd()) return undefined;
    const part = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return part;
  }

  /** Reads the source to its end where it is there: that may throw. */
  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#pieces.next();
      if (next.done === true) return true;
      this.#held = next.value;
    }
    return false;
  }
}
