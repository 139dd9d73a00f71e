// Frontiers after each block, computed on demand from the nearest block below with a known frontier. Blocks are
// immutable, so a computed frontier holds on every branch.

import type { Height } from '@wallet-companion/base/values';
import { type ActivationHeights, isActive } from '@wallet-companion/zcash/network';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import { SUBTREE_HEIGHT, SUBTREE_LEAVES, type TreeHash } from '@wallet-companion/zcash/trees';
import type { MinedBlock } from './minedBlock.ts';
import { appendLeaf, EMPTY_FRONTIER, type Frontier, frontierRoot } from './noteTree.ts';

export class TreeStates {
  readonly #pool: Pool;
  readonly #hash: TreeHash;
  /** Leaves below the first block, above a tree of which only the frontier is known. */
  readonly #initialLeaves: readonly Uint8Array[];
  readonly #initialFrontier: Frontier;
  readonly #frontiers = new WeakMap<MinedBlock, Frontier>();
  /** A block without leaves leaves the frontier, and its root, as they are. */
  readonly #roots = new WeakMap<Frontier, Uint8Array>();

  constructor(
    pool: Pool,
    hash: TreeHash,
    initialLeaves: readonly Uint8Array[],
    initialFrontier: Frontier = EMPTY_FRONTIER,
  ) {
    this.#pool = pool;
    this.#hash = hash;
    this.#initialLeaves = initialLeaves;
    this.#initialFrontier = initialFrontier;
  }

  frontierAfter(block: MinedBlock): Frontier {
    const pending: MinedBlock[] = [];
    let frontier: Frontier | undefined;
    for (let at: MinedBlock | undefined = block; at; at = at.parent) {
      frontier = this.#frontiers.get(at);
      if (frontier) break;
      pending.push(at);
    }
    frontier ??= this.#append(this.#initialFrontier, this.#initialLeaves);
    for (const at of pending.reverse()) {
      frontier = this.#append(frontier, at.leaves(this.#pool));
      this.#frontiers.set(at, frontier);
    }
    return frontier;
  }

  /** The root after `block`, 32 bytes. */
  rootAfter(block: MinedBlock): Uint8Array {
    const frontier = this.frontierAfter(block);
    let root = this.#roots.get(frontier);
    if (!root) {
      root = frontierRoot(frontier, this.#hash);
      this.#roots.set(frontier, root);
    }
    return root;
  }

  /** Roots of the subtrees that are full after the block, in order. At most one was full below the first block. */
  subtreeRoots(block: MinedBlock): { readonly root: Uint8Array; readonly block: MinedBlock }[] {
    const roots: { root: Uint8Array; block: MinedBlock }[] = [];
    for (let at: MinedBlock | undefined = block; at; at = at.parent) {
      const root = this.#rootOfSubtreeEndingIn(at);
      if (root) roots.push({ root, block: at });
    }
    return roots.reverse();
  }

  #rootOfSubtreeEndingIn(block: MinedBlock): Uint8Array | undefined {
    const size = block.treeSizes[this.#pool];
    const full = Math.floor(size / SUBTREE_LEAVES) * SUBTREE_LEAVES;
    if (!block.parent) {
      const { parents } = this.frontierAfter(block);
      return full > 0
        ? (parents[SUBTREE_HEIGHT - 1] ?? this.#subtreeRoot(this.frontierAfter(block)))
        : undefined;
    }
    const before = block.parent.treeSizes[this.#pool];
    if (full <= before) return undefined;
    const leaves = block.leaves(this.#pool).slice(0, full - before);
    return this.#subtreeRoot(this.#append(this.frontierAfter(block.parent), leaves));
  }

  #subtreeRoot(frontier: Frontier): Uint8Array {
    return frontierRoot(frontier, this.#hash, SUBTREE_HEIGHT);
  }

  #append(frontier: Frontier, leaves: readonly Uint8Array[]): Frontier {
    return leaves.reduce((grown, leaf) => appendLeaf(grown, leaf, this.#hash), frontier);
  }
}

// The tree states that servers show at a height.

/**
 * Whether servers show the pool's tree. If not all servers know the pool, they show it only once the pool is active.
 */
export const hasTreeState = (pool: Pool, activation: ActivationHeights, height: Height): boolean =>
  !POOL[pool].oldServersOmit || isActive(activation, POOL[pool].activation, height);
