// The points that the pieces of a Pedersen hash add up (protocol specification §5.4.1.7). Three chunks of three bits make
// a window: its 512 points are tabulated for each of the 58 windows of a tree's message, 2.4 MB in all, so that a hash
// is a sum of 58 points.
//
// The table is built in lanes: a lane per segment, a block per window of the segment. Within a segment no two of the
// points that meet here are equal or opposite, because they are multiples of one generator by different small factors.

import type { FieldLanes } from '../batch/fieldLanes.ts';
import { divideJubjub, MONTGOMERY_A_THIRD, MONTGOMERY_B, modJubjub, WEIERSTRASS_A } from '../batch/jubjub.ts';
import { encodeInteger } from '../plan/integers.ts';
import type { AffineLanes } from './affineLanes.ts';
import { type LanePoints, type PointRecords, pointsFrom } from './pointRecords.ts';

/** 6 + 255 + 255 bits: the last window has only one chunk. */
export const WINDOWS = 58;
export const WINDOW_BITS = 9;
export const WINDOW_POINTS = 2 ** WINDOW_BITS;

export const SEGMENTS = 3;
const SEGMENT_WINDOWS = 21;
/** Windows of each segment that have three chunks. */
const FULL_WINDOWS = [SEGMENT_WINDOWS, SEGMENT_WINDOWS, WINDOWS - 1 - 2 * SEGMENT_WINDOWS];
const WINDOW_CHUNKS = 3;
const CHUNK_VALUES = 8;
/** Chunks are four bits apart in the scalar. */
const CHUNK_DOUBLINGS = 4;

/** A generator in Jubjub's native coordinates. */
export interface SegmentGenerator {
  readonly u: bigint;
  readonly v: bigint;
}

/** Fills the table: record 512 w + n is the point of window w for the nine bits n. */
export function storeWindows(
  records: PointRecords,
  field: FieldLanes,
  lanes: AffineLanes,
  generators: readonly SegmentGenerator[],
): void {
  const [first, second, third] = chunkPoints(field, lanes, generators) as [
    LanePoints,
    LanePoints,
    LanePoints,
  ];
  const pairs = sumsWith(lanes, first, CHUNK_VALUES, second);
  const pairValues = CHUNK_VALUES ** 2;
  const windows = sumsWith(lanes, pairs, pairValues, third);
  for (let value = 0; value < WINDOW_POINTS; value++) {
    const points = pointsFrom(windows, value * SEGMENT_WINDOWS);
    FULL_WINDOWS.forEach((count, segment) => {
      records.store(segment * SEGMENT_WINDOWS * WINDOW_POINTS + value, WINDOW_POINTS, points, count, segment);
    });
  }
  const last = WINDOWS - 1;
  for (let value = 0; value < CHUNK_VALUES; value++) {
    const point = pointsFrom(first, value * SEGMENT_WINDOWS + (last % SEGMENT_WINDOWS));
    records.store(last * WINDOW_POINTS + value, 1, point, 1, SEGMENTS - 1);
  }
}

/** Blocks for all windows of a segment, one set per value. */
const blocksOf = (values: number): number => values * SEGMENT_WINDOWS;

/** The points of the first, second and third chunk of all windows, for their eight values. */
function chunkPoints(
  field: FieldLanes,
  lanes: AffineLanes,
  generators: readonly SegmentGenerator[],
): LanePoints[] {
  const linearThird = field.constant(divideJubjub(WEIERSTRASS_A, 3n));
  const chunks = Array.from({ length: WINDOW_CHUNKS }, () => lanes.points(blocksOf(CHUNK_VALUES)));
  const power = readGenerators(field, lanes, generators);
  for (let window = 0; window < SEGMENT_WINDOWS; window++) {
    for (const chunk of chunks) {
      lanes.copy(pointsFrom(chunk, window), power, 1);
      for (let i = 0; i < CHUNK_DOUBLINGS; i++) lanes.double(power, power, linearThird, 1);
    }
  }
  for (const chunk of chunks) {
    // Two bits choose the multiple 1 to 4, the third its sign.
    const [once, twice, thrice, fourfold] = [0, 1, 2, 3].map((value) => pointsFrom(chunk, blocksOf(value)));
    lanes.double(twice!, once!, linearThird, SEGMENT_WINDOWS);
    lanes.add(thrice!, twice!, once!, SEGMENT_WINDOWS);
    lanes.double(fourfold!, twice!, linearThird, SEGMENT_WINDOWS);
    lanes.negate(pointsFrom(chunk, blocksOf(4)), chunk, blocksOf(4));
  }
  return chunks;
}

/** One block; the last lane is not used. */
function readGenerators(
  field: FieldLanes,
  lanes: AffineLanes,
  generators: readonly SegmentGenerator[],
): LanePoints {
  const point = lanes.points(1);
  const bytes = field.memory.allocate(2 * 128);
  [...generators, generators[0]!].forEach(({ u, v }, lane) => {
    const x = divideJubjub(1n + v, 1n - v);
    const y = divideJubjub(x, u);
    const coordinates = [x + MONTGOMERY_A_THIRD, y].map((value) => divideJubjub(value, MONTGOMERY_B));
    coordinates.forEach((value, i) => {
      field.memory.bytes.set(encodeInteger(modJubjub(value)), bytes + i * 128 + lane * 32);
    });
  });
  field.read(point.x, bytes, 1);
  field.read(point.y, bytes + 128, 1);
  return point;
}

/** The sums of each of `count` sets of points and each of the eight of `chunk`, whose value is the higher digit. */
function sumsWith(lanes: AffineLanes, sets: LanePoints, count: number, chunk: LanePoints): LanePoints {
  const blocks = blocksOf(count);
  const out = lanes.points(blocks * CHUNK_VALUES);
  const addend = lanes.points(blocks);
  for (let value = 0; value < CHUNK_VALUES; value++) {
    for (let i = 0; i < count; i++) {
      lanes.copy(pointsFrom(addend, blocksOf(i)), pointsFrom(chunk, blocksOf(value)), SEGMENT_WINDOWS);
    }
    if (!lanes.add(pointsFrom(out, blocks * value), sets, addend, blocks))
      throw new Error('chunks of one window never meet');
  }
  return out;
}
