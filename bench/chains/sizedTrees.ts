// Note commitment trees of which a server has to know the sizes alone: a companion reads nothing else of a tree state,
// and hashing a million leaves would take longer than scanning them.

import { EMPTY_FRONTIER, type Frontier, type MinedBlock, TreeStates } from '@wallet-companion/devnet/chain';
import { type PerPool, POOL, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { TREE_HASH } from '@wallet-companion/zcash/trees';

const NODE = new Uint8Array(32).fill(0x11);

/** A frontier of the right size with made-up nodes. */
export function sizedFrontier(size: number): Frontier {
  if (size === 0) return EMPTY_FRONTIER;
  const hasRight = size % 2 === 0;
  // A pair of leaves that is full stands apart until the next leaf comes; the bits of what is left name the parents.
  const pairs = (size - (hasRight ? 2 : 1)) / 2;
  const bits = pairs === 0 ? [] : [...pairs.toString(2)].reverse();
  return {
    left: NODE,
    right: hasRight ? NODE : undefined,
    parents: bits.map((bit) => (bit === '1' ? NODE : undefined)),
  };
}

class SizedTrees extends TreeStates {
  readonly #tree: Pool;

  constructor(pool: Pool) {
    super(pool, TREE_HASH[POOL[pool].protocol], []);
    this.#tree = pool;
  }

  override frontierAfter({ treeSizes }: MinedBlock): Frontier {
    return sizedFrontier(treeSizes[this.#tree]);
  }

  override rootAfter(): Uint8Array {
    return NODE;
  }
}

export const sizedTrees = (): PerPool<TreeStates> => perPool((pool) => new SizedTrees(pool));
