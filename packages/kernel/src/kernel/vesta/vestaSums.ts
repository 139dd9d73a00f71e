// Sums of multiples of Vesta points: of fixed ones, whose multiples are made once, and of any others.

import { LANES_PER_BLOCK } from '../batch/fieldLanes.ts';
import { AffineLanes } from '../trees/affineLanes.ts';
import { BucketSums, windowsOf } from './bucketSums.ts';
import { POINT_BYTES, type VestaKernel } from './vestaKernel.ts';

const SCALAR_BYTES = 32;
const JACOBIAN = 120;

/** Digits of scalars of fixed points: fewer additions cost more buckets. */
const FIXED_WIDTH = 12;
/** Other points are summed this many at a time, which bounds the memory. */
const MOST_OTHERS = 1024;
const WIDTHS = [4, 5, 6, 7, 8] as const;

/** The width of the fewest additions, for digits and buckets. */
const widthFor = (count: number): number => {
  const additions = (width: number): number => windowsOf(width) * (count + 2 ** width);
  return WIDTHS.reduce((best, width) => (additions(width) < additions(best) ? width : best));
};

/** Sums multiples of points; making one takes a tenth of a second for 2,000 fixed points. */
export class VestaSums {
  readonly kernel: VestaKernel;
  readonly #buckets: BucketSums;
  /** Address of the fixed points' coordinates, which the multiples follow. */
  readonly #coordinates: number;
  readonly #fixed: number;
  /** The first record of other points. */
  readonly #others: number;
  readonly #sum: number;
  readonly #part: number;

  /** `fixed`: coordinates of points that are all different, and none the negative of another. */
  constructor(kernel: VestaKernel, fixed: Uint8Array) {
    this.kernel = kernel;
    this.#fixed = fixed.length / POINT_BYTES;
    const { memory } = kernel;
    this.#sum = memory.allocate(JACOBIAN);
    this.#part = memory.allocate(JACOBIAN);
    this.#coordinates = memory.allocate(fixed.length);
    memory.bytes.set(fixed, this.#coordinates);
    const windows = windowsOf(FIXED_WIDTH);
    // The last block of a window's records may be filled up beyond it.
    this.#others = windows * this.#fixed + LANES_PER_BLOCK;
    this.#buckets = new BucketSums(kernel, this.#others + MOST_OTHERS);
    this.#makeMultiples(windows);
  }

  /** The sum of the fixed points' multiples by scalars one after the other, from the point number `first` on; undefined for the identity. */
  commit(scalars: readonly Uint8Array[], first = 0): Uint8Array | undefined {
    const { memory, points } = this.kernel;
    return this.kernel.memory.borrow(() => {
      points.setIdentity(this.#sum);
      this.#addFixed(scalars, first);
      const o = memory.allocate(POINT_BYTES);
      if (points.affineCoordinates(o, this.#sum) === 0) return undefined;
      return memory.bytes.slice(o, o + POINT_BYTES);
    });
  }

  /** Whether multiples of the fixed points, from the first on, and of others sum to the identity. */
  isZero(
    fixedScalars: Uint8Array,
    others: { readonly points: Uint8Array; readonly scalars: Uint8Array },
  ): boolean {
    const { points } = this.kernel;
    return this.kernel.memory.borrow(() => {
      points.setIdentity(this.#sum);
      this.#addFixed([fixedScalars], 0);
      for (let at = 0; at * SCALAR_BYTES < others.scalars.length; at += MOST_OTHERS)
        this.#addOthers(
          others.points.subarray(at * POINT_BYTES, (at + MOST_OTHERS) * POINT_BYTES),
          others.scalars.subarray(at * SCALAR_BYTES, (at + MOST_OTHERS) * SCALAR_BYTES),
        );
      return points.isIdentity(this.#sum) !== 0;
    });
  }

  #addFixed(scalars: readonly Uint8Array[], first: number): void {
    const address = this.#place(...scalars);
    const count = scalars.reduce((bytes, { length }) => bytes + length, 0) / SCALAR_BYTES;
    const isSummed = this.#buckets.sum(this.#part, {
      scalars: address,
      count,
      width: FIXED_WIDTH,
      first,
      recordStep: this.#fixed,
    });
    this.#add(isSummed, this.#coordinates + first * POINT_BYTES, address, count);
  }

  #addOthers(coordinates: Uint8Array, scalars: Uint8Array): void {
    const count = scalars.length / SCALAR_BYTES;
    const blocks = Math.ceil(count / LANES_PER_BLOCK);
    const points = this.#place(coordinates);
    this.#buckets.store(this.#others, this.#lanesOf(coordinates, blocks), blocks);
    const address = this.#place(scalars);
    const isSummed = this.#buckets.sum(this.#part, {
      scalars: address,
      count,
      width: widthFor(count),
      first: this.#others,
      recordStep: 0,
    });
    this.#add(isSummed, points, address, count);
  }

  /** Lanes add what is never equal or opposite but on purpose, as in a proof that repeats a point. */
  #add(isSummed: boolean, coordinates: number, scalars: number, count: number): void {
    const { points } = this.kernel;
    if (isSummed) points.addPoints(this.#sum, this.#part);
    else points.addMultiples(this.#sum, coordinates, scalars, count);
  }

  #makeMultiples(windows: number): void {
    const { memory, coordinates: field } = this.kernel;
    const blocks = Math.ceil(this.#fixed / LANES_PER_BLOCK);
    const lanes = new AffineLanes(field);
    const zero = field.constant(0n);
    this.kernel.memory.borrow(() => {
      const fixed = memory.bytes.slice(this.#coordinates, this.#coordinates + this.#fixed * POINT_BYTES);
      const points = this.#lanesOf(fixed, blocks);
      for (let window = 0; window < windows; window++) {
        this.#buckets.store(window * this.#fixed, points, blocks);
        if (window === windows - 1) return;
        for (let i = 0; i < FIXED_WIDTH; i++) lanes.double(points, points, zero, blocks);
      }
    });
  }

  /** Lanes beyond the last point repeat the first one. */
  #lanesOf(coordinates: Uint8Array, blocks: number): { readonly x: number; readonly y: number } {
    const { memory, coordinates: field } = this.kernel;
    const count = coordinates.length / POINT_BYTES;
    const lanes = { x: field.array(blocks), y: field.array(blocks) };
    const bytes = memory.allocate(blocks * LANES_PER_BLOCK * 32);
    for (const [array, offset] of [
      [lanes.x, 0],
      [lanes.y, 32],
    ] as const) {
      for (let i = 0; i < blocks * LANES_PER_BLOCK; i++) {
        const from = (i < count ? i : 0) * POINT_BYTES + offset;
        memory.bytes.set(coordinates.subarray(from, from + 32), bytes + i * 32);
      }
      field.read(array, bytes, blocks);
    }
    field.flush();
    return lanes;
  }

  /** The address of the parts, one after the other. */
  #place(...parts: readonly Uint8Array[]): number {
    const { memory } = this.kernel;
    const start = memory.allocate(parts.reduce((bytes, { length }) => bytes + length, 0));
    parts.reduce((at, part) => {
      memory.bytes.set(part, at);
      return at + part.length;
    }, start);
    return start;
  }
}
