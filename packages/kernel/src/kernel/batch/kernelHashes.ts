// The hash functions of note verification on the kernel's memory: inputs are written into one scratch buffer and the
// digest is copied out of it.

import type { SymmetricExports } from '../load/kernelExports.ts';
import type { LaneMemory } from './fieldLanes.ts';

/** Space for the longest input: rseed and all inputs of an Ironwood trapdoor, or the first hash of hash-to-curve. */
const INPUT_BYTES = 512;

export class KernelHashes {
  readonly #memory: LaneMemory;
  readonly #symmetric: SymmetricExports;
  readonly #input: number;
  readonly #output: number;
  readonly #personal: number;

  constructor(memory: LaneMemory, symmetric: SymmetricExports) {
    this.#memory = memory;
    this.#symmetric = symmetric;
    this.#input = memory.allocate(INPUT_BYTES);
    this.#output = memory.allocate(64);
    this.#personal = memory.allocate(16);
  }

  #layOut(personal: string, inputs: readonly Uint8Array[]): number {
    const { bytes } = this.#memory;
    bytes.fill(0, this.#personal, this.#personal + 16);
    for (let i = 0; i < personal.length; i++) bytes[this.#personal + i] = personal.charCodeAt(i);
    let length = 0;
    for (const input of inputs) {
      if (length + input.length > INPUT_BYTES) throw new RangeError('hash input is too long');
      bytes.set(input, this.#input + length);
      length += input.length;
    }
    return length;
  }

  /** An empty personalisation means 16 zero bytes. */
  blake2b(personal: string, outputLength: number, ...inputs: readonly Uint8Array[]): Uint8Array {
    const length = this.#layOut(personal, inputs);
    this.#symmetric.blake2b(this.#output, outputLength, this.#personal, this.#input, length);
    return this.#memory.bytes.slice(this.#output, this.#output + outputLength);
  }

  blake2s(personal: string, ...inputs: readonly Uint8Array[]): Uint8Array {
    const length = this.#layOut(personal, inputs);
    this.#symmetric.blake2s(this.#output, this.#personal, this.#input, length);
    return this.#memory.bytes.slice(this.#output, this.#output + 32);
  }

  /** PRF^expand (protocol specification §5.4.2). */
  expand(key: Uint8Array, tag: number, ...inputs: readonly Uint8Array[]): Uint8Array {
    return this.blake2b('Zcash_ExpandSeed', 64, key, Uint8Array.of(tag), ...inputs);
  }
}
