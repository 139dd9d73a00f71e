// Inverts a whole array with one field inversion (Montgomery's trick) as a tree: on each level the two halves of the
// array are multiplied, so that no multiplication waits for the previous result, as it would in a chain. Takes three
// multiplications per element.

import { KernelUnavailableError } from '../load/kernelModule.ts';
import { BLOCK_BYTES, type FieldLanes } from './fieldLanes.ts';

/** One replacement is enough, unless the kernel computes wrongly. */
const MAX_REPLACEMENTS = 8;

interface Level {
  readonly blocks: number;
  /** Products on the way up; inverses take their place on the way down. */
  readonly products: number;
  readonly inverses: number;
}

/** Inverses of many elements in the kernel's memory, by one inversion. */
export class BatchInversion {
  readonly #field: FieldLanes;
  readonly #levels: Level[] = [];

  /** For arrays of `blocks` blocks. */
  constructor(field: FieldLanes, blocks: number) {
    this.#field = field;
    for (let size = blocks; ; size = Math.ceil(size / 2)) {
      this.#levels.push({
        blocks: size,
        products: size === blocks ? 0 : field.array(size),
        inverses: field.array(size),
      });
      if (size === 1) break;
    }
  }

  /**
   * Returns the array of inverses of `values` (valid until the next call), or undefined when an element is 0.
   * `values` is not changed.
   */
  invert(values: number): number | undefined {
    const field = this.#field;
    const levels = this.#levels;
    const productsOf = (level: number) => (level === 0 ? values : levels[level]!.products);
    for (let level = 1; level < levels.length; level++) {
      const from = productsOf(level - 1);
      const to = productsOf(level);
      const size = levels[level - 1]!.blocks;
      const half = levels[level]!.blocks;
      const pairs = size - half;
      field.mul(to, from, from + half * BLOCK_BYTES, pairs);
      if (pairs < half) field.copy(to + pairs * BLOCK_BYTES, from + pairs * BLOCK_BYTES, 1);
    }
    const top = levels.length - 1;
    field.copy(levels[top]!.inverses, productsOf(top), 1);
    if (!field.invertBlock(levels[top]!.inverses)) return undefined;
    for (let level = top; level > 0; level--) {
      const from = levels[level]!.inverses;
      const to = levels[level - 1]!.inverses;
      const products = productsOf(level - 1);
      const half = levels[level]!.blocks;
      const pairs = levels[level - 1]!.blocks - half;
      const upper = half * BLOCK_BYTES;
      field.mul(to, from, products + upper, pairs);
      field.mul(to + upper, from, products, pairs);
      if (pairs < half) field.copy(to + pairs * BLOCK_BYTES, from + pairs * BLOCK_BYTES, 1);
    }
    return levels[0]!.inverses;
  }

  /**
   * The same of values that are computed anew after `replaceZeros` has replaced what makes them 0.
   *
   * @throws KernelUnavailableError when that does not help: the kernel computes wrongly.
   */
  invertOr(valuesOf: () => number, replaceZeros: (values: number) => void): number {
    for (let replaced = 0; replaced <= MAX_REPLACEMENTS; replaced++) {
      const values = valuesOf();
      const inverse = this.invert(values);
      if (inverse !== undefined) return inverse;
      replaceZeros(values);
    }
    throw new KernelUnavailableError('a product is 0 though no factor is');
  }
}
