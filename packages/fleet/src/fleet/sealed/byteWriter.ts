// A growing buffer for bytes that are sealed afterwards: the counterpart of `ByteReader`. Wiped at the end, since job
// contents hold keys.

import { wipe } from '@wallet-companion/base/bytes';

export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(expected = 1024) {
    this.#bytes = new Uint8Array(expected);
    this.#view = new DataView(this.#bytes.buffer);
  }

  u8(value: number): void {
    const at = this.#room(1);
    this.#view.setUint8(at, value);
  }

  u32(value: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: number): void {
    const at = this.#room(8);
    this.#view.setBigUint64(at, BigInt(value), true);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** A copy; the writer is empty afterwards. */
  finish(): Uint8Array {
    const finished = this.#bytes.slice(0, this.#length);
    wipe(this.#bytes);
    this.#length = 0;
    return finished;
  }

  /** Where the next bytes go. Buffer and view may be others afterwards. */
  #room(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const before = this.#bytes;
      this.#bytes = new Uint8Array(Math.max(this.#length, before.length * 2));
      this.#bytes.set(before);
      this.#view = new DataView(this.#bytes.buffer);
      wipe(before);
    }
    return start;
  }
}
