// Frontiers after each block, computed on demand from the nearest block below whose frontier is known. Blocks are
// immutable, so what has been computed once holds on every branch.
import type { Pool } from '../shielded/pools.ts';
import type { TreeHash } from '../shielded/trees/noteCommitmentTree.ts';
import type { MinedBlock } from './minedBlock.ts';
import { appendLeaf, EMPTY_FRONTIER, type Frontier, frontierRoot } from './noteTree.ts';

export class TreeStates {
  readonly #pool: Pool;
  readonly #hash: TreeHash;
  /** Leaves below the first block. */
  readonly #initialLeaves: readonly Uint8Array[];
  readonly #frontiers = new WeakMap<MinedBlock, Frontier>();
  readonly #roots = new WeakMap<MinedBlock, Uint8Array>();

  constructor(pool: Pool, hash: TreeHash, initialLeaves: readonly Uint8Array[]) {
    this.#pool = pool;
    this.#hash = hash;
    this.#initialLeaves = initialLeaves;
  }

  frontierAfter(block: MinedBlock): Frontier {
    const pending: MinedBlock[] = [];
    let frontier: Frontier | undefined;
    for (let at: MinedBlock | undefined = block; at; at = at.parent) {
      frontier = this.#frontiers.get(at);
      if (frontier) break;
      pending.push(at);
    }
    frontier ??= this.#append(EMPTY_FRONTIER, this.#initialLeaves);
    for (const at of pending.reverse()) {
      frontier = this.#append(frontier, at.leaves(this.#pool));
      this.#frontiers.set(at, frontier);
    }
    return frontier;
  }

  /** 32 bytes. */
  rootAfter(block: MinedBlock): Uint8Array {
    let root = this.#roots.get(block);
    if (!root) {
      root = frontierRoot(this.frontierAfter(block), this.#hash);
      this.#roots.set(block, root);
    }
    return root;
  }

  #append(frontier: Frontier, leaves: readonly Uint8Array[]): Frontier {
    return leaves.reduce((grown, leaf) => appendLeaf(grown, leaf, this.#hash), frontier);
  }
}
