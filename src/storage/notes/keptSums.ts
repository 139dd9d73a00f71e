// What the kept nullifiers must add up to, in a thousand parts by their first bits: a lookup of one nullifier reads its
// part, a thousandth of what may be millions of rows, and a commit that adds to all parts seals 20 KB. Also the heights
// between which they were seen (the table alone does not prove that all may be deleted), and the salt and next number that
// make the number of a transaction unique to this store.

import type { SealedTable } from '@wallet-companion/disk/rows';
import type { RandomBytes } from '@wallet-companion/disk/sealing';
import { mixInto, PRF_BLOCK } from '@wallet-companion/disk/sealing';
import type { Nullifier } from '@wallet-companion/zcash/identifiers';
import { SALT_SIZE } from './keptProofs.ts';

export const KEPT_PARTS = 1024;
const KEY = 'rowSums';
/** lowest height 8 | highest height 8 | next number 8 | zeros 8 | salt 16 */
const HEAD_SIZE = 48;
const SALT_OFFSET = 32;
const COUNTS_SIZE = 4 * KEPT_PARTS;

/** The part that a nullifier belongs to. */
export const partOf = (nullifier: Nullifier): number =>
  ((nullifier[0] ?? 0) << 2) | ((nullifier[1] ?? 0) >> 6);

/** Nullifiers of a part begin here, and end before where the next one begins. */
export const startOfPart = (part: number): Uint8Array =>
  part < KEPT_PARTS ? Uint8Array.of(part >> 2, (part & 3) << 6) : new Uint8Array(33).fill(0xff);

/** head | count 4 of each part | sum 16 of each part */
const SIZE = HEAD_SIZE + COUNTS_SIZE + PRF_BLOCK * KEPT_PARTS;

export class KeptSums {
  readonly #randomBytes: RandomBytes;
  #bytes = new Uint8Array(SIZE);
  #hasChanged = false;

  constructor(randomBytes: RandomBytes) {
    this.#randomBytes = randomBytes;
  }

  /** `plain` is what `write` sealed; undefined in an empty store. */
  read(plain: Uint8Array | undefined): void {
    if (plain === undefined) {
      this.#bytes = emptySums(1, this.#randomBytes(SALT_SIZE));
    } else {
      this.#bytes = Uint8Array.from(plain.subarray(0, SIZE));
    }
    this.#hasChanged = false;
  }

  write(table: SealedTable): void {
    if (!this.#hasChanged) return;
    table.put(KEY, this.#bytes);
    this.#hasChanged = false;
  }

  /** Returns the function that undoes all changes since. */
  save(): () => void {
    const before = Uint8Array.from(this.#bytes);
    return () => {
      this.#bytes = before;
      this.#hasChanged = false;
    };
  }

  clear(): void {
    if (this.lowest === Number.POSITIVE_INFINITY) return;
    this.#bytes = emptySums(this.nextNumber, this.salt);
    this.#hasChanged = true;
  }

  /** `by` is 1 for a row that is added, -1 for one that is removed. */
  mix(part: number, by: 1 | -1, values: Uint8Array, offset: number): void {
    this.#view().setInt32(HEAD_SIZE + 4 * part, this.count(part) + by);
    mixInto(this.#bytes, HEAD_SIZE + COUNTS_SIZE + PRF_BLOCK * part, values, offset);
    this.#hasChanged = true;
  }

  count(part: number): number {
    return this.#view().getInt32(HEAD_SIZE + 4 * part);
  }

  sum(part: number): Uint8Array {
    const start = HEAD_SIZE + COUNTS_SIZE + PRF_BLOCK * part;
    return this.#bytes.subarray(start, start + PRF_BLOCK);
  }

  /** None was seen below. */
  get lowest(): number {
    return this.#view().getFloat64(0);
  }

  /** None was seen above. */
  get highest(): number {
    return this.#view().getFloat64(8);
  }

  setHeights(lowest: number, highest: number): void {
    if (lowest === this.lowest && highest === this.highest) return;
    this.#view().setFloat64(0, lowest);
    this.#view().setFloat64(8, highest);
    this.#hasChanged = true;
  }

  get salt(): Uint8Array {
    return this.#bytes.subarray(SALT_OFFSET, SALT_OFFSET + SALT_SIZE);
  }

  /** A number that no transaction had before. */
  takeNumber(): number {
    const number = this.nextNumber;
    this.setNextNumber(number + 1);
    return number;
  }

  get nextNumber(): number {
    return this.#view().getFloat64(16);
  }

  setNextNumber(number: number): void {
    if (number === this.nextNumber) return;
    this.#view().setFloat64(16, number);
    this.#hasChanged = true;
  }

  #view(): DataView {
    return new DataView(this.#bytes.buffer);
  }
}

function emptySums(nextNumber: number, salt: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIZE);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, Number.POSITIVE_INFINITY);
  view.setFloat64(8, Number.NEGATIVE_INFINITY);
  view.setFloat64(16, nextNumber);
  bytes.set(salt, SALT_OFFSET);
  return bytes;
}
