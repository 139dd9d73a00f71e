// The path from a note's leaf to the root of its tree: a prover needs it besides the note (protocol specification §4.9).

import type { TreeHash } from './noteCommitmentTree.ts';
import { hasBit } from './treeState.ts';

export interface MerklePath {
  /** Index of the leaf, below 2^32. */
  readonly position: number;
  /** The 32 siblings from the leaf upwards, 32 bytes each. */
  readonly siblings: readonly Uint8Array[];
}

/** The root (32 bytes) that follows from a leaf and its path; with an anchor it shows that the leaf is in the tree. */
export function rootOfPath(hash: TreeHash, leaf: Uint8Array, path: MerklePath): Uint8Array {
  return path.siblings.reduce(
    (node, sibling, level) =>
      hasBit(path.position, level) ? hash.combine(level, sibling, node) : hash.combine(level, node, sibling),
    leaf,
  );
}
