// Sapling's tree on the kernel. A Pedersen hash is a sum of points that pieces of the message select, and the order of
// the additions does not matter: the 58 points of all pairs are gathered and added in six rounds of halves.
//
// Affine additions are incomplete. Two partial sums that are equal or opposite would be a relation between the
// generators of different segments, and none is known; it would make a denominator zero, which is detected.

import { PEDERSEN_BASES } from '@wallet-companion/zcash/curves';
import { BatchInversion } from '../batch/batchInversion.ts';
import { type FieldLanes, LANES_PER_BLOCK } from '../batch/fieldLanes.ts';
import { divideJubjub, MONTGOMERY_A_THIRD, MONTGOMERY_B } from '../batch/jubjub.ts';
import type { KernelInstance } from '../batch/kernelInstance.ts';
import type { JubjubScalarExports } from '../load/kernelExports.ts';
import type { KernelVariant } from '../load/kernelModule.ts';
import { AffineLanes } from './affineLanes.ts';
import type { NodeHash } from './nodeHash.ts';
import {
  SEGMENTS,
  type SegmentGenerator,
  storeWindows,
  WINDOW_BITS,
  WINDOW_POINTS,
  WINDOWS,
} from './pedersenWindows.ts';
import { layOutMessages, PointRecords, pointsFrom } from './pointRecords.ts';

const LEVEL_BITS = 6;

export class PedersenNodes implements NodeHash {
  /** Measured: the points of more pairs leave the second-level cache, fewer pay for more inversions. */
  readonly batchPairs = 64;
  readonly #field: FieldLanes;
  readonly #exports: JubjubScalarExports;
  readonly #lanes: AffineLanes;
  readonly #records: PointRecords;
  readonly #one: number;
  readonly #shift: number;

  /** Only tests replace `generators`. */
  constructor(
    { jubjub, jubjubScalar, memory }: KernelInstance,
    variant: KernelVariant,
    generators: readonly SegmentGenerator[] = PEDERSEN_BASES.slice(0, SEGMENTS).map(({ point }) => point),
  ) {
    this.#field = jubjub;
    this.#exports = jubjubScalar;
    this.#lanes = new AffineLanes(jubjub);
    this.#one = jubjub.constant(1n);
    this.#shift = jubjub.constant(-divideJubjub(MONTGOMERY_A_THIRD, MONTGOMERY_B));
    this.#records = new PointRecords(memory, jubjubScalar, variant, WINDOWS * WINDOW_POINTS);
    memory.borrow(() => {
      storeWindows(this.#records, jubjub, this.#lanes, generators);
    });
  }

  join(level: number, nodes: Uint8Array): Uint8Array | undefined {
    const field = this.#field;
    const { memory } = field;
    field.discard();
    return memory.borrow(() => {
      const { messages, pairs, blocks } = layOutMessages(memory, this.#exports, nodes, level, LEVEL_BITS);
      const points = this.#lanes.points(WINDOWS * blocks);
      for (let window = 0; window < WINDOWS; window++) {
        const row = pointsFrom(points, window * blocks);
        const bit = window * WINDOW_BITS;
        this.#records.gather(row, window * WINDOW_POINTS, messages, blocks, bit, WINDOW_BITS);
      }
      if (!this.#lanes.sumRows(points, WINDOWS, blocks)) return undefined;
      // u = (X - A/3B) / Y.
      const inverse = new BatchInversion(field, blocks).invert(points.y);
      if (inverse === undefined) throw new Error('a point of odd order has an ordinate');
      field.leaveMontgomery(inverse, inverse, blocks);
      field.affine(points.x, points.x, this.#one, this.#shift, blocks);
      field.mul(points.x, points.x, inverse, blocks);
      const bytes = memory.allocate(blocks * LANES_PER_BLOCK * 32);
      field.write(bytes, points.x, blocks);
      field.flush();
      return memory.bytes.slice(bytes, bytes + pairs * 32);
    });
  }
}
