// Hashes many nodes of one level at once, as needed to build a subtree. The plain implementation is the reference; the
// kernel's is the fast one.

import type { Height } from '@wallet-companion/base/values';
import { TREE_HASH } from './noteCommitmentTree.ts';

/** Size of a node in bytes. */
export const NODE_BYTES = 32;

/** Joins many nodes of one pool's tree. */
export interface LevelHash {
  /**
   * Joins neighbours.
   * @param level height of the children above the leaves, below 32
   * @param nodes an even number of nodes of 32 bytes, in tree order
   * @returns half as many nodes, in the same order, in separate memory
   */
  combineLevel(level: number, nodes: Uint8Array): Uint8Array;
  /** Root of an empty subtree of that height; height 0 is the uncommitted leaf. */
  emptyRoot(height: Height): Uint8Array;
}

export const PLAIN_LEVEL_HASH = { sapling: plain('sapling'), orchard: plain('orchard') };

function plain(protocol: keyof typeof TREE_HASH): LevelHash {
  const hash = TREE_HASH[protocol];
  return {
    emptyRoot: hash.emptyRoot,
    combineLevel: (level, nodes) => {
      const joined = new Uint8Array(nodes.length / 2);
      for (let at = 0; at < joined.length; at += NODE_BYTES) {
        const left = nodes.subarray(2 * at, 2 * at + NODE_BYTES);
        const right = nodes.subarray(2 * at + NODE_BYTES, 2 * at + 2 * NODE_BYTES);
        joined.set(hash.combine(level, left, right), at);
      }
      return joined;
    },
  };
}
