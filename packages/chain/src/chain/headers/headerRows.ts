// The best chain's headers since a start, without gaps: of each what later ones depend on, in 56 bytes, and where its hash is
// found, in at most 16.

import { equalBytes } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { PacedHeader } from '@wallet-companion/zcash/work';

export interface HeaderRow extends PacedHeader {
  readonly hash: BlockHash;
  /** Of all headers since the start, this one included. */
  readonly work: bigint;
}

const WORK_AT = 32;
const TIME_AT = 48;
const BITS_AT = 52;
const ROW_BYTES = 56;
const LEAST_ROWS = 4_096;

export class HeaderRows {
  /** Of the first row. */
  readonly start: Height;
  #bytes = new Uint8Array(LEAST_ROWS * ROW_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #count = 0;
  /** Places of rows plus one, by the first bytes of their hashes; 0 where there is none. Those of removed rows stay in it. */
  #index = new Int32Array(2 * LEAST_ROWS);
  #indexed = 0;

  constructor(start: Height) {
    this.start = start;
  }

  /** Of the last row, below the start where there is none. */
  get tip(): Height {
    return this.start + this.#count - 1;
  }

  has(height: Height): boolean {
    return height >= this.start && height <= this.tip;
  }

  /** Undefined where no row has this hash. */
  heightOf(hash: BlockHash): Height | undefined {
    for (let slot = this.#slot(hash); ; slot = (slot + 1) % this.#index.length) {
      const place = this.#index[slot]! - 1;
      if (place < 0) return undefined;
      if (place < this.#count && equalBytes(this.hash(this.start + place), hash)) return this.start + place;
    }
  }

  /** A view, valid until the next change. Throws `RangeError` where there is no such row. */
  hash(height: Height): BlockHash {
    const at = this.#at(height);
    return this.#bytes.subarray(at, at + WORK_AT) as BlockHash;
  }

  /** Throws `RangeError` where there is no such row. */
  paced(height: Height): PacedHeader {
    const at = this.#at(height);
    return { bits: this.#view.getUint32(at + BITS_AT), time: this.#view.getUint32(at + TIME_AT) };
  }

  /** Throws `RangeError` where there is no such row. */
  work(height: Height): bigint {
    const at = this.#at(height) + WORK_AT;
    return (this.#view.getBigUint64(at) << 64n) | this.#view.getBigUint64(at + 8);
  }

  /** The row, with a hash of its own. */
  row(height: Height): HeaderRow {
    return {
      ...this.paced(height),
      hash: this.hash(height).slice() as BlockHash,
      work: this.work(height),
    };
  }

  append({ hash, work, time, bits }: HeaderRow): void {
    const at = this.#count * ROW_BYTES;
    if (at === this.#bytes.length) {
      const longer = new Uint8Array(2 * at);
      longer.set(this.#bytes);
      this.#bytes = longer;
      this.#view = new DataView(longer.buffer);
    }
    this.#bytes.set(hash, at);
    this.#view.setBigUint64(at + WORK_AT, work >> 64n);
    this.#view.setBigUint64(at + WORK_AT + 8, work & 0xffff_ffff_ffff_ffffn);
    this.#view.setUint32(at + TIME_AT, time);
    this.#view.setUint32(at + BITS_AT, bits);
    this.#count++;
    if (2 * (this.#indexed + 1) > this.#index.length) this.#indexAll();
    else this.#enter(this.#count - 1);
  }

  /** Removes the rows above a height. */
  truncate(height: Height): void {
    this.#count = Math.min(this.#count, height - this.start + 1);
  }

  #slot(hash: BlockHash): number {
    return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % this.#index.length;
  }

  #enter(place: number): void {
    let slot = this.#slot(this.hash(this.start + place));
    while (this.#index[slot] !== 0) slot = (slot + 1) % this.#index.length;
    this.#index[slot] = place + 1;
    this.#indexed++;
  }

  #indexAll(): void {
    const length = 4 * this.#count > this.#index.length ? 2 * this.#index.length : this.#index.length;
    this.#index = new Int32Array(length);
    this.#indexed = 0;
    for (let place = 0; place < this.#count; place++) this.#enter(place);
  }

  #at(height: Height): number {
    if (!this.has(height)) throw new RangeError(`there is no header of height ${height}`);
    return (height - this.start) * ROW_BYTES;
  }
}
