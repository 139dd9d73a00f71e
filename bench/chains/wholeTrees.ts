// Note commitment trees with all their nodes, hashed once by the kernel, of chains whose blocks are made on demand: for
// measurements in which a companion folds paths and compares the roots.

import { EMPTY_FRONTIER, type Frontier, type MinedBlock, TreeStates } from '@wallet-companion/devnet/chain';
import { createKernelLevelHashes } from '@wallet-companion/kernel/kernel';
import { loadKernel } from '@wallet-companion/kernel/kernelLoad';
import { type PerPool, POOL, type Pool, perPool } from '@wallet-companion/zcash/pools';
import {
  type LevelHash,
  NODE_BYTES,
  SUBTREE_HEIGHT,
  SUBTREE_LEAVES,
  TREE_DEPTH,
  TREE_HASH,
} from '@wallet-companion/zcash/trees';
import type { MadeBlocks } from '../history/madeBlocks.ts';

class WholeTree extends TreeStates {
  readonly #tree: Pool;
  readonly #blocks: MadeBlocks;
  /** Packed, by height above the leaves; only full subtrees. */
  readonly #levels: Uint8Array[];

  constructor(pool: Pool, blocks: MadeBlocks, hash: LevelHash) {
    super(pool, TREE_HASH[POOL[pool].protocol], []);
    this.#tree = pool;
    this.#blocks = blocks;
    this.#levels = [blocks.leaves(pool)];
    for (let level = 0; level < TREE_DEPTH - 1; level++) {
      const nodes = this.#levels[level]!;
      const pairs = Math.floor(nodes.length / (2 * NODE_BYTES));
      this.#levels.push(hash.combineLevel(level, nodes.subarray(0, pairs * 2 * NODE_BYTES)));
    }
  }

  override frontierAfter({ treeSizes }: MinedBlock): Frontier {
    const size = treeSizes[this.#tree];
    if (size === 0) return EMPTY_FRONTIER;
    const full = size - (size % 2 === 0 ? 2 : 1);
    return {
      left: this.#node(0, full),
      right: size % 2 === 0 ? this.#node(0, full + 1) : undefined,
      parents: Array.from({ length: TREE_DEPTH - 1 }, (_, i) => {
        const index = full >> (i + 1);
        return index % 2 === 1 ? this.#node(i + 1, index - 1) : undefined;
      }),
    };
  }

  override subtreeRoots({ treeSizes }: MinedBlock): { root: Uint8Array; block: MinedBlock }[] {
    const count = Math.floor(treeSizes[this.#tree] / SUBTREE_LEAVES);
    return Array.from({ length: count }, (_, i) => ({
      root: this.#node(SUBTREE_HEIGHT, i),
      block: this.#blocks.at(this.#heightOf((i + 1) * SUBTREE_LEAVES))!,
    }));
  }

  #node(level: number, index: number): Uint8Array {
    return this.#levels[level]!.slice(index * NODE_BYTES, (index + 1) * NODE_BYTES);
  }

  /** The first block after which the tree has so many leaves. */
  #heightOf(size: number): number {
    let low = 0;
    let high = this.#blocks.tip.height;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#blocks.sizesAfter(middle)[this.#tree] < size) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export async function wholeTrees(blocks: MadeBlocks): Promise<PerPool<TreeStates>> {
  const hashes = createKernelLevelHashes(await loadKernel({ choice: 'auto' }), (_, reason) => {
    throw new Error(reason);
  });
  return perPool((pool) => new WholeTree(pool, blocks, hashes[POOL[pool].protocol]));
}
