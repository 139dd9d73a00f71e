// ChaCha20-Poly1305 on the kernel's memory, for full ciphertexts: the plaintexts of notes, and what a sender kept for
// the outgoing viewing key.

import type { SymmetricExports } from '../load/kernelExports.ts';
import type { LaneMemory } from './fieldLanes.ts';

const TAG_BYTES = 16;
/** The length of encCiphertext, the longer of the two. */
const LONGEST = 580;

export class NoteCiphers {
  readonly #memory: LaneMemory;
  readonly #symmetric: SymmetricExports;
  readonly #key: number;
  readonly #ciphertext: number;
  readonly #plaintext: number;

  constructor(memory: LaneMemory, symmetric: SymmetricExports) {
    this.#memory = memory;
    this.#symmetric = symmetric;
    this.#key = memory.allocate(32);
    this.#ciphertext = memory.allocate(LONGEST);
    this.#plaintext = memory.allocate(LONGEST);
  }

  /** The plaintext; undefined when the tag is wrong. */
  open(key: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
    const length = ciphertext.length - TAG_BYTES;
    if (length < 0) return undefined;
    if (ciphertext.length > LONGEST) throw new RangeError('the ciphertext is too long');
    const { bytes } = this.#memory;
    bytes.set(key, this.#key);
    bytes.set(ciphertext, this.#ciphertext);
    if (this.#symmetric.openSealed(this.#plaintext, this.#key, this.#ciphertext, length) === 0)
      return undefined;
    return bytes.slice(this.#plaintext, this.#plaintext + length);
  }
}
