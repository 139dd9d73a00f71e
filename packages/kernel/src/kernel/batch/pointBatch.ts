// Runs a scalar plan over a batch of points, one per lane, in affine coordinates: y^2 = x^3 + a x + b with `a` per
// lane or absent, b never used. Every round shares one batched inversion over all its steps and all lanes.
//
// A transmitted point may lie on the twist, where it can have small order, so that an addition meets equal or opposite
// points: a denominator is then 0 and would spoil the whole batch. When the product of all denominators is 0, such
// lanes are looked up, marked, and given arbitrary coordinates; the other lanes are not affected.

import type { Round, ScalarPlan, Step, Unit } from '../plan/steps.ts';
import { BatchInversion } from './batchInversion.ts';
import { BLOCK_BYTES, type FieldLanes, LANES_PER_BLOCK } from './fieldLanes.ts';

export interface PointArrays {
  readonly x: number;
  readonly y: number;
}

interface Slot {
  x: number;
  y: number;
}

/** A step with the array of the source's x-coordinate, zeta applied. */
interface Operation {
  readonly slot: number;
  readonly kind: 'add' | 'double';
  readonly sourceX: number;
  readonly sourceY: number;
  readonly negative: boolean;
}

export interface PointBatchOptions {
  readonly blocks: number;
  readonly plan: ScalarPlan;
  /** Constant blocks of zeta and zeta^2 of the endomorphism, when the curve has one. */
  readonly zetaPowers?: readonly [number, number];
  /** a/3 per lane, for curves with a linear term: the doubling's slope is 3(x^2 + a/3) / 2y. */
  readonly linearThird?: number;
}

export class PointBatch {
  readonly #field: FieldLanes;
  readonly #options: PointBatchOptions;
  readonly #slots: (Slot | undefined)[];
  readonly #chain: number[] = [];
  readonly #inversion: BatchInversion;
  readonly #zero: number;
  readonly #spare: number[] = [];
  readonly #inverse: number;
  readonly #running: number;
  readonly #slope: number;
  readonly #spoilt = new Set<number>();

  constructor(field: FieldLanes, options: PointBatchOptions, start: PointArrays) {
    const { blocks, plan } = options;
    this.#field = field;
    this.#options = options;
    this.#slots = new Array<Slot | undefined>(plan.slots).fill(undefined);
    this.#slots[0] = { ...start };
    this.#inversion = new BatchInversion(field, blocks);
    this.#zero = field.array(blocks);
    field.memory.bytes.fill(0, this.#zero, this.#zero + blocks * BLOCK_BYTES);
    this.#inverse = field.array(blocks);
    this.#running = field.array(blocks);
    this.#slope = field.array(blocks);
  }

  /** Lanes whose point turned out to have small order on the twist; their values are meaningless. */
  get spoiltLanes(): ReadonlySet<number> {
    return this.#spoilt;
  }

  run(): void {
    for (const round of this.#options.plan.rounds) this.#runRound(round);
  }

  /** Arrays of a slot that the plan has filled. */
  slot(index: number): PointArrays {
    return this.#slots[index]!;
  }

  #take(): number {
    return this.#spare.pop() ?? this.#field.array(this.#options.blocks);
  }

  #chainArray(index: number): number {
    this.#chain[index] ??= this.#field.array(this.#options.blocks);
    return this.#chain[index];
  }

  #runRound(round: Round): void {
    const operations: Operation[] = [];
    const temporary: number[] = [];
    const rotated = new Map<string, number>();
    const sourceX = (source: number, unit: Unit): number => {
      if (unit.power === 0) return this.#slots[source]!.x;
      const key = `${source}.${unit.power}`;
      let array = rotated.get(key);
      if (array === undefined) {
        array = this.#rotated(source, unit.power, rotated, temporary);
        rotated.set(key, array);
      }
      return array;
    };
    const copies: (Step & { kind: 'copy' })[] = [];
    for (const step of round) {
      if (step.kind === 'double') {
        const slot = this.#slots[step.destination]!;
        const operation: Operation = {
          slot: step.destination,
          kind: 'double',
          sourceX: slot.x,
          sourceY: slot.y,
          negative: false,
        };
        // This round's additions read the base point, so its doubling must be carried out last, which means first in
        // the list.
        if (step.destination === 0) operations.unshift(operation);
        else operations.push(operation);
      } else if (step.kind === 'add') {
        operations.push({
          slot: step.destination,
          kind: 'add',
          sourceX: sourceX(step.source, step.unit),
          sourceY: this.#slots[step.source]!.y,
          negative: step.unit.negative,
        });
      } else {
        copies.push(step);
      }
    }
    for (const step of copies) this.#copy(step, sourceX(step.source, step.unit));
    if (operations.length > 0) this.#apply(operations);
    this.#spare.push(...temporary);
  }

  /** x * zeta^power of a slot; 1 + zeta + zeta^2 = 0 gives one power from the other without a multiplication. */
  #rotated(source: number, power: 1 | 2, known: ReadonlyMap<string, number>, temporary: number[]): number {
    const field = this.#field;
    const { blocks, zetaPowers } = this.#options;
    const { x } = this.#slots[source]!;
    const out = this.#take();
    temporary.push(out);
    const other = known.get(`${source}.${3 - power}`);
    if (other === undefined) field.scale(out, x, zetaPowers![power - 1]!, blocks);
    else field.negatedSum(out, x, other, blocks);
    return out;
  }

  #copy(step: Step & { kind: 'copy' }, x: number): void {
    const field = this.#field;
    const { blocks } = this.#options;
    const slot: Slot = { x: this.#take(), y: this.#take() };
    field.copy(slot.x, x, blocks);
    const y = this.#slots[step.source]!.y;
    if (step.unit.negative) field.sub(slot.y, this.#zero, y, blocks);
    else field.copy(slot.y, y, blocks);
    const old = this.#slots[step.destination];
    if (old !== undefined) this.#spare.push(old.x, old.y);
    this.#slots[step.destination] = slot;
  }

  /** Products of all denominators up to each step; the last array is returned. */
  #multiplyDenominators(operations: readonly Operation[]): number {
    const field = this.#field;
    const { blocks } = this.#options;
    let last = 0;
    operations.forEach((operation, k) => {
      const out = this.#chainArray(k);
      const { x, y } = this.#slots[operation.slot]!;
      if (operation.kind === 'double') {
        if (k === 0) field.add(out, y, y, blocks);
        else field.mulAdd(out, y, y, last, blocks);
      } else if (k === 0) {
        field.sub(out, operation.sourceX, x, blocks);
      } else {
        field.mulSub(out, operation.sourceX, x, last, blocks);
      }
      last = out;
    });
    return last;
  }

  #apply(operations: readonly Operation[]): void {
    const field = this.#field;
    const { blocks } = this.#options;
    let running = this.#inversion.invertOr(
      () => this.#multiplyDenominators(operations),
      (product) => this.#isolateZeros(operations, product),
    );
    for (let k = operations.length - 1; k >= 0; k--) {
      const operation = operations[k]!;
      const slot = this.#slots[operation.slot]!;
      let own = running;
      if (k > 0) {
        own = this.#inverse;
        field.mul(own, running, this.#chain[k - 1]!, blocks);
        if (operation.kind === 'double') field.mulAdd(this.#running, slot.y, slot.y, running, blocks);
        else field.mulSub(this.#running, operation.sourceX, slot.x, running, blocks);
        running = this.#running;
      }
      if (operation.kind === 'double') this.#double(slot, own);
      else this.#add(slot, operation, own);
    }
  }

  #double(slot: Slot, inverse: number): void {
    const field = this.#field;
    const { blocks, linearThird } = this.#options;
    const slope = this.#slope;
    if (linearThird === undefined) field.sqr(slope, slot.x, blocks);
    else field.sqrPlus(slope, slot.x, linearThird, blocks);
    field.mulTriple(slope, slope, inverse, blocks);
    const x = this.#take();
    field.chordX(x, slope, slot.x, slot.x, blocks);
    field.chordY(slot.y, slope, slot.x, x, slot.y, blocks);
    this.#spare.push(slot.x);
    slot.x = x;
  }

  #add(slot: Slot, { sourceX, sourceY, negative }: Operation, inverse: number): void {
    const field = this.#field;
    const { blocks } = this.#options;
    const slope = this.#slope;
    // For a negated source the negated slope is used, which only changes the last formula.
    if (negative) field.mulAdd(slope, sourceY, slot.y, inverse, blocks);
    else field.mulSub(slope, sourceY, slot.y, inverse, blocks);
    const x = this.#take();
    field.chordX(x, slope, slot.x, sourceX, blocks);
    if (negative) field.chordY(slot.y, slope, x, slot.x, slot.y, blocks);
    else field.chordY(slot.y, slope, slot.x, x, slot.y, blocks);
    this.#spare.push(slot.x);
    slot.x = x;
  }

  /**
   * Gives every lane with a zero denominator other coordinates and marks it. `product` is the product of all
   * denominators; only lanes where it is zero are searched, so that hostile points cost little.
   */
  #isolateZeros(operations: readonly Operation[], product: number): void {
    const field = this.#field;
    const denominator = this.#slope;
    for (const lane of field.zeroElements(product, this.#options.blocks)) {
      this.#spoilt.add(lane);
      const offset = Math.floor(lane / LANES_PER_BLOCK) * BLOCK_BYTES;
      for (const operation of operations) {
        const slot = this.#slots[operation.slot]!;
        if (operation.kind === 'double') field.add(denominator, slot.y + offset, slot.y + offset, 1);
        else field.sub(denominator, operation.sourceX + offset, slot.x + offset, 1);
        if (!field.zeroElements(denominator, 1).includes(lane % LANES_PER_BLOCK)) continue;
        // Any value that differs from the present one will do.
        field.overwrite(operation.kind === 'double' ? slot.y : slot.x, lane, this.#arbitrary());
      }
    }
  }

  #arbitraryState = 1n;

  /** Successive powers of a small number: never 0, and all different within a batch. */
  #arbitrary(): bigint {
    this.#arbitraryState = (this.#arbitraryState * 7n) % this.#field.modulus;
    return this.#arbitraryState;
  }
}
