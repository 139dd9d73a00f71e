// Affine additions and doublings on all lanes of arrays, each with one batched inversion. Additions are incomplete: they
// return false when some lane's points have the same x-coordinate; the sums are then meaningless.

import { BatchInversion } from '../batch/batchInversion.ts';
import { BLOCK_BYTES, type FieldLanes } from '../batch/fieldLanes.ts';
import type { LanePoints } from './pointRecords.ts';

export class AffineLanes {
  readonly #field: FieldLanes;
  readonly #minusOne: number;

  constructor(field: FieldLanes) {
    this.#field = field;
    this.#minusOne = field.constant(-1n);
  }

  points(blocks: number): LanePoints {
    return { x: this.#field.array(blocks), y: this.#field.array(blocks) };
  }

  copy(o: LanePoints, a: LanePoints, blocks: number): void {
    this.#field.copy(o.x, a.x, blocks);
    this.#field.copy(o.y, a.y, blocks);
  }

  /** o = a + b; o may be a. */
  add(o: LanePoints, a: LanePoints, b: LanePoints, blocks: number): boolean {
    const field = this.#field;
    return field.memory.borrow(() => {
      const [x, slope] = [field.array(blocks), field.array(blocks)];
      field.sub(x, b.x, a.x, blocks);
      const inverse = new BatchInversion(field, blocks).invert(x);
      if (inverse === undefined) return false;
      field.mulSub(slope, b.y, a.y, inverse, blocks);
      field.chordX(x, slope, a.x, b.x, blocks);
      field.chordY(o.y, slope, a.x, x, a.y, blocks);
      field.copy(o.x, x, blocks);
      field.flush();
      return true;
    });
  }

  /** o = 2a on y^2 = x^3 + 3 t x + b, where `linearThird` is a constant block of t; o may be a. */
  double(o: LanePoints, a: LanePoints, linearThird: number, blocks: number): boolean {
    const field = this.#field;
    return field.memory.borrow(() => {
      const [x, slope] = [field.array(blocks), field.array(blocks)];
      field.add(x, a.y, a.y, blocks);
      const inverse = new BatchInversion(field, blocks).invert(x);
      if (inverse === undefined) return false;
      field.mulPlusConstant(slope, a.x, a.x, linearThird, blocks);
      field.mulTriple(slope, slope, inverse, blocks);
      field.chordX(x, slope, a.x, a.x, blocks);
      field.chordY(o.y, slope, a.x, x, a.y, blocks);
      field.copy(o.x, x, blocks);
      field.flush();
      return true;
    });
  }

  /** o = -a */
  negate(o: LanePoints, a: LanePoints, blocks: number): void {
    this.#field.copy(o.x, a.x, blocks);
    this.#field.scale(o.y, a.y, this.#minusOne, blocks);
  }

  /**
   * The sum of `rows` rows of points, each of `blocks` blocks, one row behind the other; it replaces the first row.
   * Halves are added, so that few inversions serve many rows.
   */
  sumRows(points: LanePoints, rows: number, blocks: number): boolean {
    for (let left = rows; left > 1; left = Math.ceil(left / 2)) {
      const kept = Math.ceil(left / 2) * blocks * BLOCK_BYTES;
      const upper = { x: points.x + kept, y: points.y + kept };
      if (!this.add(points, points, upper, Math.floor(left / 2) * blocks)) return false;
    }
    return true;
  }
}
