// Fills columns with outputs copied straight from a block's bytes, so that nothing is allocated per output.
import type { OutputLayout } from '../encoding/outputLayout.ts';
import { POOL, type Pool } from '../pools.ts';
import type { OutputColumns } from './types.ts';

const FIRST_CAPACITY = 64;

/** The outputs of one pool as columns for a `TrialDecryptor`, filled row by row. */
export class OutputColumnsBuilder {
  readonly #pool: Pool;
  readonly #rhoSize: number;
  #count = 0;
  #capacity = 0;
  #ephemeralKeys = new Uint8Array(0);
  #ciphertexts = new Uint8Array(0);
  #commitments = new Uint8Array(0);
  #nullifiers = new Uint8Array(0);
  #positions = new Uint32Array(0);
  #leadBytes = new Uint8Array(0);

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#rhoSize = POOL[pool].hasRho ? 32 : 0;
  }

  get count(): number {
    return this.#count;
  }

  /** `position`: leaf index of the commitment; `leadBytes`: mask of `allowedLeadBytes`. */
  append(source: Uint8Array, start: number, layout: OutputLayout, position: number, leadBytes: number): void {
    if (this.#count === this.#capacity) this.#grow();
    const row = this.#count++;
    copyBytes(source, start + layout.ephemeralKey, 32, this.#ephemeralKeys, row * 32);
    copyBytes(source, start + layout.ciphertext, 52, this.#ciphertexts, row * 52);
    copyBytes(source, start + layout.commitment, 32, this.#commitments, row * 32);
    copyBytes(source, start + layout.rho, this.#rhoSize, this.#nullifiers, row * 32);
    this.#positions[row] = position;
    this.#leadBytes[row] = leadBytes;
  }

  /** Views on all appended rows. */
  columns(): OutputColumns {
    const count = this.#count;
    return {
      pool: this.#pool,
      count,
      ephemeralKeys: this.#ephemeralKeys.subarray(0, count * 32),
      ciphertexts: this.#ciphertexts.subarray(0, count * 52),
      commitments: this.#commitments.subarray(0, count * 32),
      nullifiers: this.#nullifiers.subarray(0, count * this.#rhoSize),
      positions: this.#positions.subarray(0, count),
      leadBytes: this.#leadBytes.subarray(0, count),
    };
  }

  #grow(): void {
    const capacity = Math.max(FIRST_CAPACITY, this.#capacity * 2);
    this.#ephemeralKeys = grow(this.#ephemeralKeys, capacity * 32);
    this.#ciphertexts = grow(this.#ciphertexts, capacity * 52);
    this.#commitments = grow(this.#commitments, capacity * 32);
    this.#nullifiers = grow(this.#nullifiers, capacity * this.#rhoSize);
    this.#leadBytes = grow(this.#leadBytes, capacity);
    const positions = new Uint32Array(capacity);
    positions.set(this.#positions);
    this.#positions = positions;
    this.#capacity = capacity;
  }
}

/** A loop, because a view and `set` take several times as long for so few bytes. */
export function copyBytes(
  source: Uint8Array,
  from: number,
  length: number,
  target: Uint8Array,
  to: number,
): void {
  for (let i = 0; i < length; i++) target[to + i] = source[from + i]!;
}

export function grow(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length);
  larger.set(bytes);
  return larger;
}
