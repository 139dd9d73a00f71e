// The proof of work of block headers: protocol specification §7.7.1. An instance has a memory of its own, and is no part of
// the one that scans.

import type { LaneMemory } from '../batch/fieldLanes.ts';
import { Modules } from '../batch/modules.ts';

/** The size of the problem: a parameter of the network. */
export interface EquihashParameters {
  /** Bits of a string: a multiple of 8 and of k + 1, at most 256. */
  readonly n: number;
  /** Rounds of joining: 2^k strings are named. */
  readonly k: number;
}

/** Bytes of a header that are hashed, up to its nonce and with it. */
export const EQUIHASH_INPUT_BYTES = 140;

interface EquihashExports {
  dataEnd(): number;
  solves(input: number, solution: number, n: number, k: number, seen: number, rows: number): number;
}

/** Bits of an index. */
const indexBits = ({ n, k }: EquihashParameters): number => n / (k + 1) + 1;

/** Bytes of a solution: 1,344 for (200, 9), 36 for (48, 5). */
export const solutionBytes = (parameters: EquihashParameters): number =>
  (2 ** parameters.k * indexBits(parameters)) / 8;

/** 4 MiB, of which (200, 9) takes half a MiB. */
const MAXIMUM_PAGES = 64;

/** Checks solutions of one size, in one thread. Throws `RangeError` for parameters that it cannot have. */
export class Equihash {
  readonly #parameters: EquihashParameters;
  readonly #memory: LaneMemory;
  readonly #exports: EquihashExports;
  readonly #input: number;
  readonly #solution: number;
  readonly #seen: number;
  readonly #rows: number;

  constructor(module: WebAssembly.Module, parameters: EquihashParameters) {
    const { n, k } = parameters;
    if (n % 8 !== 0 || n % (k + 1) !== 0 || n > 256 || indexBits(parameters) > 25)
      throw new RangeError('these parameters of Equihash are not supported');
    const modules = new Modules({ equihash: module }, 'portable', MAXIMUM_PAGES);
    this.#parameters = parameters;
    this.#memory = modules.memory;
    this.#exports = modules.start<EquihashExports>('equihash');
    this.#input = this.#memory.allocate(EQUIHASH_INPUT_BYTES);
    this.#solution = this.#memory.allocate(solutionBytes(parameters) + 3);
    this.#seen = this.#memory.allocate(2 ** indexBits(parameters) / 8);
    this.#rows = this.#memory.allocate(2 ** k * (32 + 4));
  }

  /** Whether the solution, of any length, solves the problem of the 140 bytes. Throws `RangeError` for other lengths of these. */
  solves(input: Uint8Array, solution: Uint8Array): boolean {
    if (input.length !== EQUIHASH_INPUT_BYTES) throw new RangeError('Equihash is asked of 140 bytes');
    if (solution.length !== solutionBytes(this.#parameters)) return false;
    const { bytes } = this.#memory;
    bytes.set(input, this.#input);
    bytes.set(solution, this.#solution);
    const { n, k } = this.#parameters;
    return this.#exports.solves(this.#input, this.#solution, n, k, this.#seen, this.#rows) === 1;
  }
}
