// Columns of scalars, between bytes and lanes of the kernel: rows one after the other, or four columns side by side.

import { wipe } from '@wallet-companion/base/bytes';
import { BLOCK_BYTES, LANES_PER_BLOCK, type VestaKernel } from '@wallet-companion/kernel/vesta';
import { decodeInteger32 } from '@wallet-companion/zcash/curves';

export const ELEMENT = 32;
const WORDS = ELEMENT / 4;
/** Wiped columns that are kept, 64 KiB each: as many as two actions take. */
const MOST_FREE = 96;

/** 32 bytes a row, little-endian, reduced. Aligned to words. */
export type Column = Uint8Array;

export const valuesOf = (column: Column): bigint[] =>
  Array.from({ length: column.length / ELEMENT }, (_, row) => decodeInteger32(column, row * ELEMENT));

/** Puts values into rows of a column. */
export function setValues(column: Column, values: readonly bigint[], from = 0): void {
  const words = new BigUint64Array(column.buffer, column.byteOffset, column.length / 8);
  values.forEach((value, i) => {
    const at = ((from + i) * ELEMENT) / 8;
    // A word takes the lowest 64 bits.
    for (let word = 0; word < ELEMENT / 8; word++) words[at + word] = value >> BigInt(64 * word);
  });
}

export interface ColumnsOptions {
  /** Whether other threads read the columns, which are then not copied for them. */
  readonly areShared: boolean;
}

export class Columns {
  readonly kernel: VestaKernel;
  readonly rows: number;
  /** Blocks of a column whose rows follow each other. */
  readonly blocks: number;
  readonly #bytes: number;
  readonly #plain: number;
  readonly #areShared: boolean;
  /** What was taken, until it is kept or wiped. */
  readonly #taken = new Set<Column>();
  /** Wiped ones: garbage of this size is collected late, and leaves holes in the memory. */
  readonly #free: Column[] = [];

  constructor(kernel: VestaKernel, rows: number, { areShared }: ColumnsOptions) {
    this.kernel = kernel;
    this.#areShared = areShared;
    this.rows = rows;
    this.blocks = rows / LANES_PER_BLOCK;
    this.#bytes = kernel.memory.allocate(rows * LANES_PER_BLOCK * ELEMENT);
    this.#plain = kernel.scalars.array(rows);
  }

  /** A column of zeros. */
  take(): Column {
    const length = this.rows * ELEMENT;
    const column =
      this.#free.pop() ??
      new Uint8Array(this.#areShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
    this.#taken.add(column);
    return column;
  }

  /** A column of these values; zeros follow. */
  of(values: readonly bigint[]): Column {
    const column = this.take();
    setValues(column, values);
    return column;
  }

  copyOf(bytes: Uint8Array): Column {
    const column = this.take();
    column.set(bytes);
    return column;
  }

  /** Those taken so far are no secrets, and stay. */
  keep(): void {
    this.#taken.clear();
  }

  /** Wipes columns that no one reads any more. */
  release(columns: Iterable<Column>): void {
    for (const column of columns) {
      if (!this.#taken.delete(column)) continue;
      wipe(column);
      if (this.#free.length < MOST_FREE) this.#free.push(column);
    }
  }

  /** All columns taken since, and the buffers that they passed through. */
  wipe(): void {
    const { bytes } = this.kernel.memory;
    bytes.fill(0, this.#bytes, this.#bytes + this.rows * LANES_PER_BLOCK * ELEMENT);
    bytes.fill(0, this.#plain, this.#plain + this.rows * BLOCK_BYTES);
    this.release(this.#taken);
  }

  /** Row i of o is the column's row i + rotation. */
  readRows(o: number, column: Column, rotation = 0): void {
    const { memory, scalars } = this.kernel;
    const from = ((rotation + this.rows) % this.rows) * ELEMENT;
    memory.bytes.set(column.subarray(from), this.#bytes);
    memory.bytes.set(column.subarray(0, from), this.#bytes + column.length - from);
    scalars.read(o, this.#bytes, this.blocks);
  }

  /** A new array of the column's rows. */
  rowsOf(column: Column, rotation = 0): number {
    const o = this.kernel.scalars.array(this.blocks);
    this.readRows(o, column, rotation);
    return o;
  }

  writeRows(a: number): Column {
    this.#write(a, this.blocks);
    return this.copyOf(this.kernel.memory.bytes.subarray(this.#bytes, this.#bytes + this.rows * ELEMENT));
  }

  /** Block i of o has row i of up to four columns, of which the last one is repeated. */
  readLanes(o: number, columns: readonly Column[]): void {
    const to = this.#words();
    const [a, b, c, d] = Array.from({ length: LANES_PER_BLOCK }, (_, lane) => {
      const column = columns[lane] ?? columns.at(-1)!;
      return new Uint32Array(column.buffer, column.byteOffset, this.rows * WORDS);
    }) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
    for (let row = 0; row < this.rows; row++) {
      const at = row * LANES_PER_BLOCK * WORDS;
      for (let word = 0; word < WORDS; word++) {
        const from = row * WORDS + word;
        to[at + word] = a[from]!;
        to[at + WORDS + word] = b[from]!;
        to[at + 2 * WORDS + word] = c[from]!;
        to[at + 3 * WORDS + word] = d[from]!;
      }
    }
    this.kernel.scalars.read(o, this.#bytes, this.rows);
  }

  writeLanes(a: number, count = LANES_PER_BLOCK): Column[] {
    this.#write(a, this.rows);
    const from = this.#words();
    return Array.from({ length: count }, (_, lane) => {
      const column = this.take();
      const to = new Uint32Array(column.buffer, column.byteOffset, this.rows * WORDS);
      for (let row = 0; row < this.rows; row++)
        for (let word = 0; word < WORDS; word++)
          to[row * WORDS + word] = from[(row * LANES_PER_BLOCK + lane) * WORDS + word]!;
      return column;
    });
  }

  #write(a: number, blocks: number): void {
    const { scalars } = this.kernel;
    scalars.leaveMontgomery(this.#plain, a, blocks);
    scalars.write(this.#bytes, this.#plain, blocks);
    scalars.flush();
  }

  #words(): Uint32Array {
    this.kernel.scalars.flush();
    return new Uint32Array(
      this.kernel.memory.memory.buffer,
      this.#bytes,
      this.rows * LANES_PER_BLOCK * WORDS,
    );
  }
}
