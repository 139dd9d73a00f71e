// Outputs whose results are known beforehand, hidden among the outputs of a batch: a build that computes wrongly in a
// lane, in a limb or on some values gives another result for one of them. They take lanes in turn, so that every lane of
// a block has one within a few batches, and the output that was there moves to the end.

import { LANES_PER_BLOCK, type LaneMemory } from '../batch/fieldLanes.ts';

/** What one output gives under the keys of a batch. */
export interface Canary {
  /** 32 bytes: a coordinate, on the curve or on its twist, and a sign. */
  readonly ephemeralKey: Uint8Array;
  readonly underKeys: readonly CanaryUnderKey[];
}

export interface CanaryUnderKey {
  /** The 32-byte coordinate of the shared secret, without its sign. */
  readonly secret: Uint8Array;
  /** For each sign the first byte of the key stream. */
  readonly keyStream: readonly [number, number];
}

/** As a byte, and as in `OutputColumns.leadBytes`. */
const LEAD_BYTE = 2;

/** Every lane of the widest vector of the key derivation, with each sign. */
const FLAG_LANES = 16;

/** One for so many outputs: 0.3 % of the work. */
const ROWS_PER_CANARY = 342;

/**
 * One in each vector of a block and in each half of a vector: so an instruction that goes wrong, or half of a constant, is
 * noticed in the batch itself.
 */
const LEAST_CANARIES = 2;

/** A smaller batch has one at most, where a lane is free: more would cost more than the wide build gains. */
export const LEAST_WATCHED_ROWS = 64;

/** Consecutive canaries lie in different vectors, and in different halves of them. */
const LANE_ORDER = [0, 3, 1, 2];

/** A build gave another result than the one that is known. */
export class MissedCanary extends Error {
  override readonly name = 'MissedCanary';
}

/** Arrays in the kernel's memory, a lane each. */
export interface BatchArrays {
  readonly epks: number;
  readonly cipher: number;
  readonly allowed: number;
}

/** Flags `lanes` lanes with these coordinates: the address of a bit for each sign of each lane. */
export type FlagLanes = (arrays: BatchArrays, secrets: number, lanes: number) => number;

interface Planted {
  readonly canary: Canary;
  /** The key and the sign under which it is to be flagged. */
  readonly keyIndex: number;
  readonly sign: 0 | 1;
}

/** How many go with so many outputs. */
export function canaryCount(rows: number): number {
  if (rows < LEAST_WATCHED_ROWS) return rows % LANES_PER_BLOCK > 0 ? 1 : 0;
  return Math.max(LEAST_CANARIES, Math.round(rows / ROWS_PER_CANARY));
}

/** The canaries of one batch. */
export class PlantedCanaries {
  /** Blocks that the outputs and the canaries fill. */
  readonly blocks: number;
  readonly #rows: number;
  readonly #table: readonly Canary[];
  /** By lane. */
  readonly #planted = new Map<number, Planted>();
  /** Where the outputs are whose lanes the canaries took. */
  readonly #moved = new Map<number, number>();

  /** `turn`: counts canaries, so that they take the lanes of a block in turn; `random`: at least 0, below 1. */
  constructor(table: readonly Canary[], rows: number, turn: number, random: () => number) {
    this.#table = table;
    this.#rows = rows;
    const count = canaryCount(rows);
    this.blocks = Math.ceil((rows + count) / LANES_PER_BLOCK);
    for (let i = 0; i < count; i++) {
      const canary = table[Math.floor(random() * table.length)]!;
      let lane: number;
      do {
        const block = Math.floor(random() * this.blocks);
        lane = block * LANES_PER_BLOCK + LANE_ORDER[(turn + i) % LANES_PER_BLOCK]!;
      } while (this.#planted.has(lane));
      const sign = random() < 0.5 ? 0 : 1;
      this.#planted.set(lane, { canary, keyIndex: (turn + i) % canary.underKeys.length, sign });
    }
    let free = rows;
    for (const lane of this.#planted.keys()) {
      if (lane >= rows) continue;
      while (this.#planted.has(free)) free++;
      this.#moved.set(free++, lane);
    }
  }

  get count(): number {
    return this.#planted.size;
  }

  /** The output in this lane; undefined for a canary, and for a lane without any. */
  rowAt(lane: number): number | undefined {
    if (this.#planted.has(lane)) return undefined;
    return lane < this.#rows ? lane : this.#moved.get(lane);
  }

  /** The outputs lie in the first lanes. */
  plant(memory: LaneMemory, { epks, cipher, allowed }: BatchArrays): void {
    const { bytes } = memory;
    for (const [lane, row] of this.#moved) {
      bytes.copyWithin(epks + lane * 32, epks + row * 32, epks + row * 32 + 32);
      bytes[cipher + lane] = bytes[cipher + row]!;
      bytes[allowed + lane] = bytes[allowed + row]!;
    }
    for (const [lane, { canary, keyIndex, sign }] of this.#planted) {
      bytes.set(canary.ephemeralKey, epks + lane * 32);
      bytes[cipher + lane] = canary.underKeys[keyIndex]!.keyStream[sign] ^ LEAD_BYTE;
      bytes[allowed + lane] = LEAD_BYTE;
    }
  }

  /**
   * `secrets`: address of the coordinates under this key; `flags`: for each lane a bit for each sign that fits.
   *
   * @throws MissedCanary
   */
  check(memory: LaneMemory, keyIndex: number, secrets: number, flags: number): void {
    const { bytes } = memory;
    for (const [lane, planted] of this.#planted) {
      const { secret } = planted.canary.underKeys[keyIndex]!;
      const start = secrets + lane * 32;
      const isFlagged = planted.keyIndex !== keyIndex || (bytes[flags + lane]! & (1 << planted.sign)) !== 0;
      if (!isFlagged || !secret.every((byte, i) => bytes[start + i] === byte))
        throw new MissedCanary(`a canary in lane ${lane % LANES_PER_BLOCK} was missed`);
    }
  }

  /**
   * Has canaries flagged under this key in every lane with each sign, from secrets that are known: a batch has too few
   * of them for that.
   *
   * @throws MissedCanary
   */
  checkFlags(memory: LaneMemory, keyIndex: number, flag: FlagLanes): void {
    const epks = memory.allocate(FLAG_LANES * 32);
    const secrets = memory.allocate(FLAG_LANES * 32);
    const cipher = memory.allocate(FLAG_LANES);
    const allowed = memory.allocate(FLAG_LANES);
    for (let lane = 0; lane < FLAG_LANES; lane++) {
      const { ephemeralKey, underKeys } = this.#table[lane % this.#table.length]!;
      const { secret, keyStream } = underKeys[keyIndex]!;
      memory.bytes.set(ephemeralKey, epks + lane * 32);
      memory.bytes.set(secret, secrets + lane * 32);
      memory.bytes[cipher + lane] = keyStream[signOf(lane)] ^ LEAD_BYTE;
    }
    memory.bytes.fill(LEAD_BYTE, allowed, allowed + FLAG_LANES);
    const flags = flag({ epks, cipher, allowed }, secrets, FLAG_LANES);
    for (let lane = 0; lane < FLAG_LANES; lane++) {
      if ((memory.bytes[flags + lane]! & (1 << signOf(lane))) === 0)
        throw new MissedCanary('the flag of a canary was missed');
    }
  }
}

/** The first half of the lanes with one sign, the second with the other. */
const signOf = (lane: number): 0 | 1 => (lane < FLAG_LANES / 2 ? 0 : 1);
