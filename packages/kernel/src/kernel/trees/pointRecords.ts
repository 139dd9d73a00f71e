// A table of affine points from which pieces of messages fill lanes. A record is 80 bytes, the words of x and then those
// of y, so that a lookup touches two cache lines.

import { BLOCK_BYTES, LANES_PER_BLOCK, type LaneMemory } from '../batch/fieldLanes.ts';
import type { TreeLaneExports } from '../load/kernelExports.ts';
import type { KernelVariant } from '../load/kernelModule.ts';

export const RECORD_BYTES = 80;
/** Bytes from one message of `layOutPairs` to the next. */
export const MESSAGE_BYTES = 72;

/** A point per lane; addresses of arrays. */
export interface LanePoints {
  readonly x: number;
  readonly y: number;
}

/** How far apart the words of an element, and the elements of a block, lie. */
export const LANE_STEPS: Readonly<Record<KernelVariant, { readonly word: number; readonly lane: number }>> = {
  wide: { word: 32, lane: 8 },
  fma: { word: 32, lane: 8 },
  portable: { word: 8, lane: 40 },
};

export class PointRecords {
  readonly #exports: TreeLaneExports;
  readonly #steps: (typeof LANE_STEPS)[KernelVariant];
  readonly #address: number;

  constructor(memory: LaneMemory, exports: TreeLaneExports, variant: KernelVariant, count: number) {
    this.#exports = exports;
    this.#steps = LANE_STEPS[variant];
    this.#address = memory.allocate(count * RECORD_BYTES);
  }

  /** One lane of each block, to the records `first`, `first + step`, ... */
  store(first: number, step: number, { x, y }: LanePoints, blocks: number, lane: number): void {
    const { word, lane: laneStep } = this.#steps;
    const address = this.#address + first * RECORD_BYTES;
    this.#exports.storePoints(address, step * RECORD_BYTES, x, y, blocks, word, lane * laneStep);
  }

  /** Lane i becomes the record at `first` plus the number in `bits` bits from `bit` on of message i. */
  gather(
    { x, y }: LanePoints,
    first: number,
    messages: number,
    blocks: number,
    bit: number,
    bits: number,
  ): void {
    const { word, lane } = this.#steps;
    const address = this.#address + first * RECORD_BYTES;
    this.#exports.gatherPoints(x, y, address, messages, blocks, bit, 2 ** bits - 1, word, lane);
  }
}

/** Messages of a level's pairs of nodes, rounded up to whole blocks: lanes without a pair repeat the last one. */
export function layOutMessages(
  memory: LaneMemory,
  exports: TreeLaneExports,
  nodes: Uint8Array,
  level: number,
  levelBits: number,
): { readonly messages: number; readonly pairs: number; readonly blocks: number } {
  const pairs = nodes.length / 64;
  const blocks = Math.ceil(pairs / LANES_PER_BLOCK);
  const lanes = blocks * LANES_PER_BLOCK;
  const messages = memory.allocate(lanes * MESSAGE_BYTES);
  const packed = memory.allocate(lanes * 64);
  memory.bytes.set(nodes, packed);
  const last = packed + (pairs - 1) * 64;
  for (let lane = pairs; lane < lanes; lane++) memory.bytes.copyWithin(packed + lane * 64, last, last + 64);
  exports.layOutPairs(messages, packed, lanes, level, levelBits);
  return { messages, pairs, blocks };
}

/** The same points, from `block` on. */
export const pointsFrom = ({ x, y }: LanePoints, block: number): LanePoints => ({
  x: x + block * BLOCK_BYTES,
  y: y + block * BLOCK_BYTES,
});
