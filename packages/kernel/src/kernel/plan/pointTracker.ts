// Tracks the scalar of every slot of a plan, and turns each requested addition into a step that is well-defined: equal
// points become a doubling, opposite points empty the slot, an empty slot is filled by a copy. For points of prime
// order two slots have the same x-coordinate exactly when their scalars are equal or opposite.

import { IDENTITY_UNIT, type Round, type Step, type Unit } from './steps.ts';

export class PointTracker {
  readonly #order: bigint;
  /** Powers of the endomorphism's eigenvalue; [1] when the curve has none. */
  readonly #eigenvalues: readonly bigint[];
  /** Undefined: the slot is empty (the identity). */
  readonly #scalars: (bigint | undefined)[] = [1n];
  readonly #rounds: Round[] = [];
  #round: Step[] = [];
  /** Slot values after the round in progress. */
  readonly #pending = new Map<number, bigint | undefined>();

  constructor(order: bigint, eigenvalue: bigint) {
    this.#order = order;
    this.#eigenvalues = [1n, eigenvalue, (eigenvalue * eigenvalue) % order];
  }

  get rounds(): readonly Round[] {
    return this.#rounds;
  }

  get slots(): number {
    return this.#scalars.length;
  }

  newSlot(): number {
    return this.#scalars.push(undefined) - 1;
  }

  scalar(slot: number): bigint | undefined {
    return this.#scalars[slot];
  }

  isWritten(slot: number): boolean {
    return this.#pending.has(slot);
  }

  add(destination: number, source: number, unit: Unit = IDENTITY_UNIT): void {
    const from = this.#scalars[source];
    if (from === undefined) return;
    const order = this.#order;
    const multiple = (from * this.#eigenvalues[unit.power]!) % order;
    const added = unit.negative ? order - multiple : multiple;
    const before = this.#scalars[destination];
    if (before === undefined) {
      this.#round.push({ kind: 'copy', destination, source, unit });
      this.#write(destination, added);
    } else if (before === added) {
      this.double(destination);
    } else if (before + added === order) {
      this.#write(destination, undefined);
    } else {
      this.#round.push({ kind: 'add', destination, source, unit });
      this.#write(destination, (before + added) % order);
    }
  }

  double(destination: number): void {
    const before = this.#scalars[destination];
    if (before === undefined) return;
    this.#round.push({ kind: 'double', destination });
    this.#write(destination, (2n * before) % this.#order);
  }

  #write(slot: number, scalar: bigint | undefined): void {
    if (this.#pending.has(slot)) throw new Error('a slot is written twice in one round');
    this.#pending.set(slot, scalar);
  }

  /** Closes the round: its writes become visible. */
  endRound(): void {
    for (const [slot, scalar] of this.#pending) this.#scalars[slot] = scalar;
    this.#pending.clear();
    if (this.#round.length > 0) this.#rounds.push(this.#round);
    this.#round = [];
  }
}
