// A growing buffer for bytes that are sealed afterwards: the counterpart of `ByteReader`. Wiped at the end, since job
// contents hold keys.

import { wipe } from '@wallet-companion/shielded/bytes';

export class ByteWriter {
  #bytes: Uint8Array;
  #view: DataView;
  #length = 0;

  constructor(expected = 1024) {
    this.#bytes = new Uint8Array(expected);
    this.#view = new DataView(this.#bytes.buffer);
  }

  u8(value: number): void {
    this.#view.setUint8(this.#room(1), value);
  }

  u32(value: number): void {
    this.#view.setUint32(this.#room(4), value, true);
  }

  u64(value: number): void {
    this.#view.setBigUint64(this.#room(8), BigInt(value), true);
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#room(bytes.length));
  }

  /** A copy; the writer is empty afterwards. */
  finish(): Uint8Array {
    const finished = this.#bytes.slice(0, this.#length);
    wipe(this.#bytes);
    this.#length = 0;
    return finished;
  }

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
