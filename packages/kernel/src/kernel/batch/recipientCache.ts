// What was computed for the most recent recipients: most notes of a wallet go to a few addresses. g_d, pk_d and their
// part of the commitment are half of the work of a note; a table of g_d saves two thirds of the multiplication.

import type { LaneMemory } from './fieldLanes.ts';

export interface RecipientSlot {
  /** The affine point g_d. */
  readonly base: number;
  /** 32 bytes: encoding of g_d. */
  readonly baseEncoding: number;
  /** 32 bytes: encoding of pk_d. */
  readonly transmissionEncoding: number;
  /** A point: the part of the commitment's hash that g_d and pk_d alone determine. */
  readonly hashState: number;
  /** Odd multiples of g_d, for a single multiplication. */
  readonly oddMultiples: number;
  /** g_d as a fixed base. */
  fixedBase?: number | undefined;
  uses: number;
}

/** Makes what a slot holds. */
export interface RecipientMaker {
  /** False when there is no such recipient. */
  fill(slot: RecipientSlot): boolean;
  makeFixedBase(table: number, base: number): void;
}

/** Bytes of the points and of the tables. */
export interface RecipientSizes {
  readonly affine: number;
  readonly point: number;
  readonly oddMultiples: number;
  readonly fixedBase: number;
}

const SLOTS = 32;
/** Recipients with a table: 56 KB each for Orchard, 165 KB for Sapling. */
const TABLES = 8;
/** A table costs as much as it saves with so many notes. */
const USES_BEFORE_TABLE = 10;

export class RecipientCache {
  readonly #free: RecipientSlot[];
  readonly #freeTables: number[];
  /** In order of use, the least recently used first. */
  readonly #known = new Map<string, RecipientSlot>();

  constructor(memory: LaneMemory, { affine, point, oddMultiples, fixedBase }: RecipientSizes) {
    this.#free = Array.from({ length: SLOTS }, () => ({
      base: memory.allocate(affine),
      baseEncoding: memory.allocate(32),
      transmissionEncoding: memory.allocate(32),
      hashState: memory.allocate(point),
      oddMultiples: memory.allocate(oddMultiples),
      uses: 0,
    }));
    this.#freeTables = Array.from({ length: TABLES }, () => memory.allocate(fixedBase));
  }

  /** The slot of the address, named by 32 bytes that determine pk_d; undefined when there is none. */
  find(
    by: 'ivk' | 'pkd',
    bytes: Uint8Array,
    diversifier: Uint8Array,
    make: RecipientMaker,
  ): RecipientSlot | undefined {
    // Not by way of a Buffer, whose pool would keep the key.
    const name = by + String.fromCharCode(...bytes, ...diversifier);
    let slot = this.#known.get(name);
    if (slot !== undefined) {
      this.#known.delete(name);
    } else {
      slot = this.#free.pop() ?? this.#discardOldest();
      if (!make.fill(slot)) {
        this.#free.push(slot);
        return undefined;
      }
    }
    this.#known.set(name, slot);
    slot.uses++;
    if (slot.uses > USES_BEFORE_TABLE && slot.fixedBase === undefined) {
      slot.fixedBase = this.#freeTables.pop() ?? this.#takeOldestTable();
      make.makeFixedBase(slot.fixedBase, slot.base);
    }
    return slot;
  }

  #discardOldest(): RecipientSlot {
    const [name, slot] = this.#known.entries().next().value!;
    this.#known.delete(name);
    this.#release(slot);
    return slot;
  }

  #takeOldestTable(): number {
    for (const slot of this.#known.values()) {
      if (slot.fixedBase !== undefined) this.#release(slot);
      if (this.#freeTables.length > 0) break;
    }
    return this.#freeTables.pop()!;
  }

  #release(slot: RecipientSlot): void {
    if (slot.fixedBase !== undefined) this.#freeTables.push(slot.fixedBase);
    slot.fixedBase = undefined;
    slot.uses = 0;
  }
}
