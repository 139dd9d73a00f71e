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

export class BucketSums {
  readonly #kernel: VestaKernel;
  readonly #lanes: AffineLanes;
  readonly #steps: { readonly word: number; readonly lane: number };
  readonly #records: number;
  /** The first record for sums. */
  readonly #free: number;
  readonly #digits: number;
  readonly #pairs: number;
  #list: { entries: number; ends: number };
  #next: { entries: number; ends: number };
  readonly #left: LanePoints;
  readonly #right: LanePoints;

  /** For `own` records of points, and at most `most` digits in a sum and as many groups of buckets. */
  constructor(kernel: VestaKernel, own: number, most: number) {
    const { memory } = kernel;
    const list = () => ({ entries: memory.allocate(most * 4), ends: memory.allocate(most * 4) });
    this.#kernel = kernel;
    this.#lanes = new AffineLanes(kernel.coordinates);
    this.#steps = LANE_STEPS[kernel.variant];
    this.#free = own;
    this.#records = memory.allocate((own + 2 * most) * RECORD_BYTES);
    this.#digits = memory.allocate(most * 4);
    this.#pairs = memory.allocate((most + LANES_PER_BLOCK) * 4);
    this.#list = list();
    this.#next = list();
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
    const { points } = this.#kernel;
    const windows = windowsOf(width);
    const perSet = 2 ** (width - 1);
    const sets = recordStep === 0 ? windows : 1;
    points.signedDigits(this.#digits, scalars, count, width, windows);
    const { entries, ends } = this.#list;
    const buckets = sets * perSet;
    points.sortDigits(
      entries,
      ends,
      this.#digits,
      count,
      windows,
      first,
      recordStep,
      sets > 1 ? perSet : 0,
      buckets,
    );
    const free = this.#sumBuckets(buckets, this.#free);
    if (free === undefined) return false;
    const columnBits = Math.ceil((width - 1) / 2);
    const columns = 2 ** columnBits;
    const rows = perSet / columns;
    points.spreadBuckets(
      this.#next.entries,
      this.#next.ends,
      this.#list.entries,
      this.#list.ends,
      sets,
      rows,
      columns,
    );
    this.#swap();
    const groups = sets * (rows - 1 + columns);
    if (this.#sumBuckets(groups, free) === undefined) return false;
    return this.#kernel.memory.borrow(() => {
      points.sumGroups(o, this.#coordinates(groups), this.#list.ends, sets, rows, columnBits, width);
      return true;
    });
  }

  #swap(): void {
    [this.#list, this.#next] = [this.#next, this.#list];
  }

  /** Leaves one point or none in each bucket. Returns the next free record; undefined in an exceptional case. */
  #sumBuckets(buckets: number, from: number): number | undefined {
    const { points } = this.#kernel;
    for (let free = from; ; ) {
      const { entries, ends } = this.#list;
      const pairs = points.pairUp(
        this.#pairs,
        this.#next.entries,
        this.#next.ends,
        entries,
        ends,
        buckets,
        free,
      );
      if (pairs === 0) return free;
      for (let at = 0; at < pairs; at += CHUNK) {
        const blocks = Math.ceil(Math.min(CHUNK, pairs - at) / LANES_PER_BLOCK);
        if (!this.#addPairs(this.#pairs + at * 8, free + at, blocks)) return undefined;
      }
      free += Math.ceil(pairs / LANES_PER_BLOCK) * LANES_PER_BLOCK;
      this.#swap();
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
  #coordinates(groups: number): number {
    const { memory, coordinates: field } = this.#kernel;
    const count = new Uint32Array(memory.memory.buffer)[this.#list.ends / 4 + groups - 1]!;
    const blocks = Math.ceil(count / LANES_PER_BLOCK);
    // Lanes beyond the list repeat its first record.
    memory.bytes.fill(0, this.#list.entries + count * 4, this.#list.entries + blocks * LANES_PER_BLOCK * 4);
    const o = memory.allocate(blocks * LANES_PER_BLOCK * 64);
    const lanes = this.#lanes.points(blocks);
    this.#gather(lanes, this.#list.entries, 4, blocks);
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
