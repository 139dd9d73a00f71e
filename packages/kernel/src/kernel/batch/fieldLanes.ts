// One field's block operations over the kernel's memory. An array is `blocks` blocks of four elements; every pass of
// the algorithm is one call that runs over whole arrays (or slices of them).

import type { PrimeField } from '../generator/primeField.ts';
import { FastestEntry } from '../load/fastestEntry.ts';
import type { LaneExports } from '../load/kernelExports.ts';
import { decodeInteger, encodeInteger } from '../plan/integers.ts';

export const BLOCK_BYTES = 160;
export const LANES_PER_BLOCK = 4;

/** Operations of `assembly/laneProgram.ts`. */
const OPERATIONS = {
  mul: 0,
  mulSub: 1,
  mulAdd: 2,
  mulTriple: 3,
  mulPlus: 4,
  sqr: 5,
  sqrPlus: 6,
  chordX: 7,
  chordY: 8,
  add: 9,
  sub: 10,
  negatedSum: 11,
  toBytes: 12,
  copy: 13,
} as const;

const COMMAND_WORDS = 10;
/** Pending commands run at the latest when the buffer is full. */
const COMMAND_CAPACITY = 2048;

/** What the lanes use of the scalar module. */
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

  /** Valid until the next allocation. */
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

  /** What the work allocates is free again after it. */
  borrow<T>(work: () => T): T {
    const mark = this.mark();
    try {
      return work();
    } finally {
      this.release(mark);
    }
  }
}

/** Operations of one field on whole arrays, which run when they are flushed. */
export class FieldLanes {
  readonly exports: LaneExports;
  readonly memory: LaneMemory;
  readonly modulus: bigint;
  readonly #inverse: InverseExports;
  readonly #bytes: number;
  readonly #montgomery: bigint;
  readonly #inverseMontgomery: bigint;
  readonly #toMontgomery: number;
  readonly #fromMontgomery: number;
  readonly #inverseToMontgomery: number;
  readonly #program: number;
  #words: Int32Array = new Int32Array(0);
  #pending = 0;
  /** Blocks that the pending operations run over: a measure of their work. */
  #pendingBlocks = 0;
  readonly #entries = new FastestEntry();

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
    this.#inverseMontgomery = this.inverse(this.#montgomery)!;
    this.#program = memory.allocate(COMMAND_CAPACITY * COMMAND_WORDS * 4);
    this.#fromMontgomery = this.#raw(1n);
    this.#toMontgomery = this.#centred(this.#montgomery ** 2n);
    this.#inverseToMontgomery = this.#centred(this.#montgomery ** 3n);
  }

  /** Like `#raw`, with centred limbs, as a product has them. */
  #centred(value: bigint): number {
    const block = this.#raw(value * this.#montgomery);
    this.exports.mul(block, block, this.#fromMontgomery, 1, 0, 0, 0);
    return block;
  }

  /** A block that holds `value` four times, without Montgomery factor, in limbs as `fromBytes` leaves them. */
  #raw(value: bigint): number {
    const { exports, memory } = this;
    const block = memory.allocate(BLOCK_BYTES);
    const bytes = encodeInteger(value % this.modulus);
    for (let lane = 0; lane < LANES_PER_BLOCK; lane++) memory.bytes.set(bytes, this.#bytes + lane * 32);
    exports.fromBytes(block, this.#bytes, 1);
    return block;
  }

  /** A constant block (to be used with step 0). */
  constant(value: bigint): number {
    const reduced = ((value % this.modulus) + this.modulus) % this.modulus;
    const block = this.#raw(reduced);
    this.exports.mul(block, block, this.#toMontgomery, 1, 0, 0, 0);
    return block;
  }

  /** Adds an operation to the program, which `flush` runs. */
  #push(
    operation: keyof typeof OPERATIONS,
    blocks: number,
    o: number,
    a: number,
    b = 0,
    c = 0,
    d = 0,
    bStep = BLOCK_BYTES,
    cStep = BLOCK_BYTES,
  ): void {
    if (blocks <= 0) return;
    if (this.#pending === COMMAND_CAPACITY) this.flush();
    const words = this.#commands();
    const at = this.#pending * COMMAND_WORDS;
    words[at] = OPERATIONS[operation];
    words[at + 1] = o;
    words[at + 2] = a;
    words[at + 3] = b;
    words[at + 4] = c;
    words[at + 5] = d;
    words[at + 6] = blocks;
    words[at + 7] = bStep;
    words[at + 8] = cStep;
    this.#pending++;
    this.#pendingBlocks += blocks;
  }

  #commands(): Int32Array {
    if (this.#words.buffer !== this.memory.memory.buffer) {
      this.#words = new Int32Array(
        this.memory.memory.buffer,
        this.#program,
        COMMAND_CAPACITY * COMMAND_WORDS,
      );
    }
    return this.#words;
  }

  /**
   * Drops operations that have not been flushed: called at the start of a batch, because an earlier one may have
   * failed.
   */
  discard(): void {
    this.#pending = 0;
    this.#pendingBlocks = 0;
  }

  /** Runs the program so far. Everything that reads or writes elements outside the program calls it first. */
  flush(): void {
    if (this.#pending === 0) return;
    const end = this.#program + this.#pending * COMMAND_WORDS * 4;
    const blocks = this.#pendingBlocks;
    this.#pending = 0;
    this.#pendingBlocks = 0;
    const entry = this.#entries.next(blocks);
    const start = performance.now();
    if (entry === 0) this.exports.run(this.#program, end);
    else if (entry === 1) this.exports.runShifted(this.#program, end);
    else this.exports.runPadded(this.#program, end, 0, 0, 0, 0);
    this.#entries.record(entry, blocks, performance.now() - start);
  }

  mul(o: number, a: number, b: number, blocks: number): void {
    this.#push('mul', blocks, o, a, b);
  }

  /** o = a * constant block */
  scale(o: number, a: number, constant: number, blocks: number): void {
    this.#push('mul', blocks, o, a, constant, 0, 0, 0);
  }

  sqr(o: number, a: number, blocks: number): void {
    this.#push('sqr', blocks, o, a);
  }

  /** o = (a - b) * c */
  mulSub(o: number, a: number, b: number, c: number, blocks: number): void {
    this.#push('mulSub', blocks, o, a, b, c);
  }

  /** o = (a + b) * c */
  mulAdd(o: number, a: number, b: number, c: number, blocks: number): void {
    this.#push('mulAdd', blocks, o, a, b, c);
  }

  /** o = 3ab */
  mulTriple(o: number, a: number, b: number, blocks: number): void {
    this.#push('mulTriple', blocks, o, a, b);
  }

  /** o = a^2 + c */
  sqrPlus(o: number, a: number, c: number, blocks: number): void {
    this.#push('sqrPlus', blocks, o, a, 0, c);
  }

  /** o = a * factor + addend, both constant blocks */
  affine(o: number, a: number, factor: number, addend: number, blocks: number): void {
    this.#push('mulPlus', blocks, o, a, factor, addend, 0, 0, 0);
  }

  /** o = a * factor + c, factor a constant block */
  scalePlus(o: number, a: number, factor: number, c: number, blocks: number): void {
    this.#push('mulPlus', blocks, o, a, factor, c, 0, 0);
  }

  /** o = a * b + constant block */
  mulPlusConstant(o: number, a: number, b: number, constant: number, blocks: number): void {
    this.#push('mulPlus', blocks, o, a, b, constant, 0, BLOCK_BYTES, 0);
  }

  /** o = a * b + c */
  mulPlus(o: number, a: number, b: number, c: number, blocks: number): void {
    this.#push('mulPlus', blocks, o, a, b, c);
  }

  /** o = a^2 - b - c */
  chordX(o: number, a: number, b: number, c: number, blocks: number): void {
    this.#push('chordX', blocks, o, a, b, c);
  }

  /** o = a * (b - c) - d */
  chordY(o: number, a: number, b: number, c: number, d: number, blocks: number): void {
    this.#push('chordY', blocks, o, a, b, c, d);
  }

  /** o = a + b, limbs carried, the value not reduced (at most one modulus in size). */
  add(o: number, a: number, b: number, blocks: number): void {
    this.#push('add', blocks, o, a, b);
  }

  /** o = a - b, as `add`. */
  sub(o: number, a: number, b: number, blocks: number): void {
    this.#push('sub', blocks, o, a, b);
  }

  /** o = -(a + b), reduced. */
  negatedSum(o: number, a: number, b: number, blocks: number): void {
    this.#push('negatedSum', blocks, o, a, b);
  }

  copy(o: number, a: number, blocks: number): void {
    this.#push('copy', blocks, o, a);
  }

  /** Writes canonical 32-byte integers (Montgomery factor included, if there is one); call `flush` before reading. */
  write(bytes: number, a: number, blocks: number): void {
    this.#push('toBytes', blocks, bytes, a);
  }

  array(blocks: number): number {
    return this.memory.allocate(blocks * BLOCK_BYTES);
  }

  /** Reads integers (bit 255 is ignored) and brings them into Montgomery form. */
  read(o: number, bytes: number, blocks: number): void {
    this.flush();
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
    this.flush();
    exports.toBytes(this.#bytes, block, 1);
    if (this.#inverse.invertFour(this.#bytes) === 0) return false;
    exports.fromBytes(block, this.#bytes, 1);
    exports.mul(block, block, this.#inverseToMontgomery, 1, 0, 0, 0);
    return true;
  }

  /** Indexes of the elements of an array that are 0. */
  zeroElements(array: number, blocks: number): number[] {
    const { memory } = this;
    this.flush();
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

  /** Replaces elements that are 0 by another value and adds their indexes to `replaced`. */
  replaceZeros(array: number, blocks: number, replaced: Set<number>): void {
    for (const index of this.zeroElements(array, blocks)) {
      replaced.add(index);
      this.overwrite(array, index, 1n);
    }
  }

  /** One element of an array, as stored (Montgomery factor included). */
  stored(array: number, index: number): bigint {
    this.flush();
    const block = array + Math.floor(index / LANES_PER_BLOCK) * BLOCK_BYTES;
    this.exports.toBytes(this.#bytes, block, 1);
    const at = this.#bytes + (index % LANES_PER_BLOCK) * 32;
    return decodeInteger(this.memory.bytes.subarray(at, at + 32));
  }

  /** One element of an array in Montgomery form. */
  element(array: number, index: number): bigint {
    return (this.stored(array, index) * this.#inverseMontgomery) % this.modulus;
  }

  /** 1/value; undefined for 0. `value` is below the modulus. */
  inverse(value: bigint): bigint | undefined {
    for (let lane = 0; lane < LANES_PER_BLOCK; lane++)
      this.memory.bytes.set(encodeInteger(lane === 0 ? value : 1n), this.#bytes + lane * 32);
    if (this.#inverse.invertFour(this.#bytes) === 0) return undefined;
    return decodeInteger(this.memory.bytes.subarray(this.#bytes, this.#bytes + 32));
  }

  /** Overwrites one element of an array with `value` (as stored, Montgomery factor included). */
  overwrite(array: number, index: number, value: bigint): void {
    const { exports, memory } = this;
    this.flush();
    const block = array + Math.floor(index / LANES_PER_BLOCK) * BLOCK_BYTES;
    exports.toBytes(this.#bytes, block, 1);
    memory.bytes.set(encodeInteger(value), this.#bytes + (index % LANES_PER_BLOCK) * 32);
    exports.fromBytes(block, this.#bytes, 1);
    // Into Montgomery form and out again, which keeps the values and centres the limbs.
    exports.mul(block, block, this.#toMontgomery, 1, 0, 0, 0);
    exports.mul(block, block, this.#fromMontgomery, 1, 0, 0, 0);
  }
}
