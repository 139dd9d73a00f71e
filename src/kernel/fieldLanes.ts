// One field's block operations over the kernel's memory. An array is `blocks` blocks of four elements; every pass of
// the algorithm is one call that runs over whole arrays (or slices of them).

import type { PrimeField } from './generator/primeField.ts';
import { encodeInteger } from './integers.ts';

export const BLOCK_BYTES = 160;
export const LANES_PER_BLOCK = 4;

/** Exports of the multiplication modules, FMA or portable. A step of 0 repeats one block (a constant). */
export interface LaneExports {
  dataEnd(): number;
  mul(o: number, a: number, b: number, blocks: number, oStep: number, aStep: number, bStep: number): void;
  mulTriple(
    o: number,
    a: number,
    b: number,
    blocks: number,
    oStep: number,
    aStep: number,
    bStep: number,
  ): void;
  sqr(o: number, a: number, blocks: number, oStep: number, aStep: number): void;
  sqrPlus(o: number, a: number, c: number, blocks: number, oStep: number, aStep: number, cStep: number): void;
  mulSub: TernaryKernel;
  mulAdd: TernaryKernel;
  mulPlus: TernaryKernel;
  chordX: TernaryKernel;
  chordY(
    o: number,
    a: number,
    b: number,
    c: number,
    d: number,
    blocks: number,
    oStep: number,
    aStep: number,
    bStep: number,
    cStep: number,
    dStep: number,
  ): void;
  add(o: number, a: number, b: number, blocks: number): void;
  sub(o: number, a: number, b: number, blocks: number): void;
  negatedSum(o: number, a: number, b: number, blocks: number): void;
  fromBytes(o: number, bytes: number, blocks: number): void;
  toBytes(bytes: number, a: number, blocks: number): void;
}

type TernaryKernel = (
  o: number,
  a: number,
  b: number,
  c: number,
  blocks: number,
  oStep: number,
  aStep: number,
  bStep: number,
  cStep: number,
) => void;

/** What the scalar module offers to the lanes. */
export interface InverseExports {
  /** Inverts four 32-byte integers in place; false when one is 0. */
  invertFour(bytes: number): number;
}

/** Arrays laid out one after the other in the kernel's memory, released together. */
export class LaneMemory {
  readonly memory: WebAssembly.Memory;
  #next: number;
  #bytes: Uint8Array;

  constructor(memory: WebAssembly.Memory, start: number) {
    this.memory = memory;
    this.#next = start;
    this.#bytes = new Uint8Array(memory.buffer);
  }

  /** A view that is valid until the next allocation. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  allocate(length: number): number {
    const start = (this.#next + 63) & ~63;
    this.#next = start + length;
    const missing = this.#next - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65_536));
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = new Uint8Array(this.memory.buffer);
    return start;
  }

  mark(): number {
    return this.#next;
  }

  release(mark: number): void {
    this.#next = mark;
  }
}

export class FieldLanes {
  readonly exports: LaneExports;
  readonly memory: LaneMemory;
  readonly modulus: bigint;
  readonly #inverse: InverseExports;
  readonly #bytes: number;
  readonly #montgomery: bigint;
  readonly #toMontgomery: number;
  readonly #fromMontgomery: number;
  readonly #inverseToMontgomery: number;

  /** `montgomeryBits`: log2 of the Montgomery factor of the module behind `exports`. */
  constructor(
    exports: LaneExports,
    inverse: InverseExports,
    memory: LaneMemory,
    field: PrimeField,
    montgomeryBits: number,
  ) {
    this.exports = exports;
    this.#inverse = inverse;
    this.memory = memory;
    this.modulus = field.modulus;
    this.#montgomery = (1n << BigInt(montgomeryBits)) % field.modulus;
    this.#bytes = memory.allocate(4 * 32);
    this.#fromMontgomery = this.#raw(1n);
    this.#toMontgomery = this.#centred(this.#montgomery ** 2n);
    this.#inverseToMontgomery = this.#centred(this.#montgomery ** 3n);
  }

  /** As `#raw`, with the centred limbs that a product leaves. */
  #centred(value: bigint): number {
    const block = this.#raw(value * this.#montgomery);
    this.exports.mul(block, block, this.#fromMontgomery, 1, 0, 0, 0);
    return block;
  }

  /** A block that holds `value` four times, without Montgomery factor, in limbs as they are read. */
  #raw(value: bigint): number {
    const { exports, memory } = this;
    const block = memory.allocate(BLOCK_BYTES);
    const bytes = encodeInteger(value % this.modulus);
    for (let lane = 0; lane < LANES_PER_BLOCK; lane++) memory.bytes.set(bytes, this.#bytes + lane * 32);
    exports.fromBytes(block, this.#bytes, 1);
    return block;
  }

  /** A constant block (use it with step 0). */
  constant(value: bigint): number {
    const reduced = ((value % this.modulus) + this.modulus) % this.modulus;
    const block = this.#raw(reduced);
    this.exports.mul(block, block, this.#toMontgomery, 1, 0, 0, 0);
    return block;
  }

  mul(o: number, a: number, b: number, blocks: number): void {
    this.exports.mul(o, a, b, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = a * constant block */
  scale(o: number, a: number, constant: number, blocks: number): void {
    this.exports.mul(o, a, constant, blocks, BLOCK_BYTES, BLOCK_BYTES, 0);
  }

  sqr(o: number, a: number, blocks: number): void {
    this.exports.sqr(o, a, blocks, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = (a - b) * c */
  mulSub(o: number, a: number, b: number, c: number, blocks: number): void {
    this.exports.mulSub(o, a, b, c, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = (a + b) * c */
  mulAdd(o: number, a: number, b: number, c: number, blocks: number): void {
    this.exports.mulAdd(o, a, b, c, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = 3ab */
  mulTriple(o: number, a: number, b: number, blocks: number): void {
    this.exports.mulTriple(o, a, b, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = a^2 + c */
  sqrPlus(o: number, a: number, c: number, blocks: number): void {
    this.exports.sqrPlus(o, a, c, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = a * factor + addend, both constant blocks */
  affine(o: number, a: number, factor: number, addend: number, blocks: number): void {
    this.exports.mulPlus(o, a, factor, addend, blocks, BLOCK_BYTES, BLOCK_BYTES, 0, 0);
  }

  /** o = a * factor + c, factor a constant block */
  scalePlus(o: number, a: number, factor: number, c: number, blocks: number): void {
    this.exports.mulPlus(o, a, factor, c, blocks, BLOCK_BYTES, BLOCK_BYTES, 0, BLOCK_BYTES);
  }

  /** o = a * b + constant block */
  mulPlusConstant(o: number, a: number, b: number, constant: number, blocks: number): void {
    this.exports.mulPlus(o, a, b, constant, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, 0);
  }

  /** o = a * b + c */
  mulPlus(o: number, a: number, b: number, c: number, blocks: number): void {
    this.exports.mulPlus(o, a, b, c, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = a^2 - b - c */
  chordX(o: number, a: number, b: number, c: number, blocks: number): void {
    this.exports.chordX(o, a, b, c, blocks, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES, BLOCK_BYTES);
  }

  /** o = a * (b - c) - d */
  chordY(o: number, a: number, b: number, c: number, d: number, blocks: number): void {
    const s = BLOCK_BYTES;
    this.exports.chordY(o, a, b, c, d, blocks, s, s, s, s, s);
  }

  /** o = -(a + b), reduced. */
  negatedSum(o: number, a: number, b: number, blocks: number): void {
    this.exports.negatedSum(o, a, b, blocks);
  }

  array(blocks: number): number {
    return this.memory.allocate(blocks * BLOCK_BYTES);
  }

  copy(o: number, a: number, blocks: number): void {
    this.memory.bytes.copyWithin(o, a, a + blocks * BLOCK_BYTES);
  }

  /** Reads integers (bit 255 is ignored) and brings them into Montgomery form. */
  read(o: number, bytes: number, blocks: number): void {
    this.exports.fromBytes(o, bytes, blocks);
    this.scale(o, o, this.#toMontgomery, blocks);
  }

  /** o = a without the Montgomery factor: products with it are plain values. */
  leaveMontgomery(o: number, a: number, blocks: number): void {
    this.scale(o, a, this.#fromMontgomery, blocks);
  }

  /** Inverts one block in place; false when one of its lanes is 0. */
  invertBlock(block: number): boolean {
    const { exports } = this;
    exports.toBytes(this.#bytes, block, 1);
    if (this.#inverse.invertFour(this.#bytes) === 0) return false;
    exports.fromBytes(block, this.#bytes, 1);
    exports.mul(block, block, this.#inverseToMontgomery, 1, 0, 0, 0);
    return true;
  }

  /** Indexes of the elements of an array that are 0. */
  zeroElements(array: number, blocks: number): number[] {
    const { memory } = this;
    const mark = memory.mark();
    const bytes = memory.allocate(blocks * LANES_PER_BLOCK * 32);
    this.exports.toBytes(bytes, array, blocks);
    const words = new BigUint64Array(memory.memory.buffer, bytes, blocks * LANES_PER_BLOCK * 4);
    const zero: number[] = [];
    for (let i = 0; i < words.length; i += 4) {
      if (words[i] === 0n && words[i + 1] === 0n && words[i + 2] === 0n && words[i + 3] === 0n)
        zero.push(i / 4);
    }
    memory.release(mark);
    return zero;
  }

  /** Gives elements that are 0 another value and adds their indexes to `replaced`. */
  replaceZeros(array: number, blocks: number, replaced: Set<number>): void {
    for (const index of this.zeroElements(array, blocks)) {
      replaced.add(index);
      this.overwrite(array, index, 1n);
    }
  }

  /** Overwrites one element of an array with `value` (as stored, Montgomery factor included). */
  overwrite(array: number, index: number, value: bigint): void {
    const { exports, memory } = this;
    const block = array + Math.floor(index / LANES_PER_BLOCK) * BLOCK_BYTES;
    exports.toBytes(this.#bytes, block, 1);
    memory.bytes.set(encodeInteger(value), this.#bytes + (index % LANES_PER_BLOCK) * 32);
    exports.fromBytes(block, this.#bytes, 1);
    // Into Montgomery form and out again: keeps the values, and leaves centred limbs.
    exports.mul(block, block, this.#toMontgomery, 1, 0, 0, 0);
    exports.mul(block, block, this.#fromMontgomery, 1, 0, 0, 0);
  }
}
