// Sums the buckets of assembly/buckets.ts by affine additions on lanes, and the weighted buckets point by point.

import { LANES_PER_BLOCK } from '../batch/fieldLanes.ts';
import { AffineLanes } from '../trees/affineLanes.ts';
import { LANE_STEPS, type LanePoints, RECORD_BYTES } from '../trees/pointRecords.ts';
import type { VestaKernel } from './vestaKernel.ts';

/** How the digits of scalars go into buckets. */
export interface Digits {
  /** Address of the scalars, 32 bytes each. */
  readonly scalars: number;
  readonly count: number;
  readonly width: number;
  /** The record of the first scalar's point. */
  readonly first: number;
  /** Records from one window's multiples to the next ones; 0: all windows have the same points, and buckets of their own. */
  readonly recordStep: number;
}

export const windowsOf = (width: number): number => Math.ceil(256 / width);

const CHUNK_BLOCKS = 256;
const CHUNK = CHUNK_BLOCKS * LANES_PER_BLOCK;
/** Above the rounds of a sum, in each of which pairs are filled up to a full block. */
const MOST_ROUNDS = 64;

/** Addresses of numbers of records. */
interface List {
  readonly entries: number;
  readonly ends: number;
}

/** What a sum needs for itself. */
interface Scratch {
  readonly digits: number;
  readonly pairs: number;
  list: List;
  next: List;
  /** The first record for sums. */
  readonly free: number;
}

export class BucketSums {
  readonly #kernel: VestaKernel;
  readonly #lanes: AffineLanes;
  readonly #steps: { readonly word: number; readonly lane: number };
  readonly #records: number;
  readonly #left: LanePoints;
  readonly #right: LanePoints;

  /** For `own` records of points. */
  constructor(kernel: VestaKernel, own: number) {
    this.#kernel = kernel;
    this.#lanes = new AffineLanes(kernel.coordinates);
    this.#steps = LANE_STEPS[kernel.variant];
    this.#records = kernel.memory.allocate(own * RECORD_BYTES);
    this.#left = this.#lanes.points(CHUNK_BLOCKS);
    this.#right = this.#lanes.points(CHUNK_BLOCKS);
  }

  /** Lanes to the records from `first` on. */
  store(first: number, { x, y }: LanePoints, blocks: number): void {
    const { word, lane } = this.#steps;
    for (let i = 0; i < LANES_PER_BLOCK; i++) {
      const address = this.#records + (first + i) * RECORD_BYTES;
      this.#kernel.points.storePoints(address, LANES_PER_BLOCK * RECORD_BYTES, x, y, blocks, word, i * lane);
    }
  }

  /** o (Jacobian) = the sum of the points' multiples; false in an exceptional case, which undoes o. */
  sum(o: number, { scalars, count, width, first, recordStep }: Digits): boolean {
    const { points, memory } = this.#kernel;
    const windows = windowsOf(width);
    const perSet = 2 ** (width - 1);
    const sets = recordStep === 0 ? windows : 1;
    const buckets = sets * perSet;
    const columnBits = Math.ceil((width - 1) / 2);
    const columns = 2 ** columnBits;
    const rows = perSet / columns;
    const groups = sets * (rows - 1 + columns);
    return memory.borrow(() => {
      const scratch = this.#scratch(windows * count, buckets);
      points.signedDigits(scratch.digits, scalars, count, width, windows);
      const { entries, ends } = scratch.list;
      const step = sets > 1 ? perSet : 0;
      points.sortDigits(entries, ends, scratch.digits, count, windows, first, recordStep, step, buckets);
      const free = this.#sumBuckets(scratch, buckets, scratch.free);
      if (free === undefined) return false;
      const { list, next } = scratch;
      points.spreadBuckets(next.entries, next.ends, list.entries, list.ends, sets, rows, columns);
      swap(scratch);
      if (this.#sumBuckets(scratch, groups, free) === undefined) return false;
      const coordinates = this.#coordinates(scratch.list, groups);
      points.sumGroups(o, coordinates, scratch.list.ends, sets, rows, columnBits, width);
      return true;
    });
  }

  /** Nothing of it outlives the sum, so that what is not summed can have its memory. */
  #scratch(digits: number, buckets: number): Scratch {
    const { memory } = this.#kernel;
    // Each bucket is in a group of its row and in one of its column; each addition takes one of the points away.
    const most = Math.max(digits, 2 * buckets);
    const list = (): List => ({ entries: memory.allocate(most * 4), ends: memory.allocate(most * 4) });
    const sums = digits + 2 * buckets + MOST_ROUNDS * LANES_PER_BLOCK;
    const address = memory.allocate((sums + 1) * RECORD_BYTES);
    return {
      digits: memory.allocate(digits * 4),
      pairs: memory.allocate((most + LANES_PER_BLOCK) * 4),
      list: list(),
      next: list(),
      free: Math.ceil((address - this.#records) / RECORD_BYTES),
    };
  }

  /** Leaves one point or none in each bucket. Returns the next free record; undefined in an exceptional case. */
  #sumBuckets(scratch: Scratch, buckets: number, from: number): number | undefined {
    const { points } = this.#kernel;
    for (let free = from; ; ) {
      const { list, next } = scratch;
      const pairs = points.pairUp(
        scratch.pairs,
        next.entries,
        next.ends,
        list.entries,
        list.ends,
        buckets,
        free,
      );
      if (pairs === 0) return free;
      for (let at = 0; at < pairs; at += CHUNK) {
        const blocks = Math.ceil(Math.min(CHUNK, pairs - at) / LANES_PER_BLOCK);
        if (!this.#addPairs(scratch.pairs + at * 8, free + at, blocks)) return undefined;
      }
      free += Math.ceil(pairs / LANES_PER_BLOCK) * LANES_PER_BLOCK;
      swap(scratch);
    }
  }

  #addPairs(pairs: number, sums: number, blocks: number): boolean {
    this.#gather(this.#left, pairs, 8, blocks);
    this.#gather(this.#right, pairs + 4, 8, blocks);
    if (!this.#lanes.add(this.#left, this.#left, this.#right, blocks)) return false;
    this.store(sums, this.#left, blocks);
    return true;
  }

  #gather({ x, y }: LanePoints, list: number, step: number, blocks: number): void {
    const { word, lane } = this.#steps;
    this.#kernel.points.gatherSigned(x, y, this.#records, list, step, blocks, word, lane);
  }

  /** Address of the coordinates of the list's points, of which there are at most as many as groups. */
  #coordinates({ entries, ends }: List, groups: number): number {
    const { memory, coordinates: field } = this.#kernel;
    const count = new Uint32Array(memory.memory.buffer)[ends / 4 + groups - 1]!;
    const blocks = Math.ceil(count / LANES_PER_BLOCK);
    // Lanes beyond the list repeat its first record.
    memory.bytes.fill(0, entries + count * 4, entries + blocks * LANES_PER_BLOCK * 4);
    const o = memory.allocate(blocks * LANES_PER_BLOCK * 64);
    const lanes = this.#lanes.points(blocks);
    this.#gather(lanes, entries, 4, blocks);
    const bytes = memory.allocate(blocks * LANES_PER_BLOCK * 32);
    for (const [array, offset] of [
      [lanes.x, 0],
      [lanes.y, 32],
    ] as const) {
      field.leaveMontgomery(array, array, blocks);
      field.write(bytes, array, blocks);
      field.flush();
      for (let i = 0; i < count; i++)
        memory.bytes.copyWithin(o + i * 64 + offset, bytes + i * 32, bytes + i * 32 + 32);
    }
    return o;
  }
}

function swap(scratch: Scratch): void {
  [scratch.list, scratch.next] = [scratch.next, scratch.list];
}
