// Tables of the most recent recipients: most notes of a wallet go to a few addresses, and computing g_d, pk_d and their
// tables is a third of the work of a hit.

import type { LaneMemory } from './fieldLanes.ts';

export interface RecipientSlot {
  /** 32 bytes: encoding of g_d. */
  readonly baseEncoding: number;
  readonly baseTable: number;
  /** 32 bytes: encoding of pk_d. */
  readonly transmissionEncoding: number;
  readonly transmissionTable: number;
}

const SLOTS = 32;

export class RecipientCache {
  readonly #free: RecipientSlot[];
  /** In order of use, the least recently used first. */
  readonly #known = new Map<string, RecipientSlot>();

  constructor(memory: LaneMemory, tableSize: number) {
    this.#free = Array.from({ length: SLOTS }, () => ({
      baseEncoding: memory.allocate(32),
      baseTable: memory.allocate(tableSize),
      transmissionEncoding: memory.allocate(32),
      transmissionTable: memory.allocate(tableSize),
    }));
  }

  /** The slot of the address, filled by `fill` when it is new; undefined when `fill` returns false. */
  find(
    ivk: Uint8Array,
    diversifier: Uint8Array,
    fill: (slot: RecipientSlot) => boolean,
  ): RecipientSlot | undefined {
    // Not by way of a Buffer, whose pool would keep the key.
    const name = String.fromCharCode(...ivk, ...diversifier);
    let slot = this.#known.get(name);
    if (slot !== undefined) {
      this.#known.delete(name);
    } else {
      slot = this.#free.pop() ?? this.#discardOldest();
      if (!fill(slot)) {
        this.#free.push(slot);
        return undefined;
      }
    }
    this.#known.set(name, slot);
    return slot;
  }

  #discardOldest(): RecipientSlot {
    const [name, slot] = this.#known.entries().next().value!;
    this.#known.delete(name);
    return slot;
  }
}
