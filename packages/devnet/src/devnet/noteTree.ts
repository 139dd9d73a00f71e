// Note commitment trees as a node keeps them: only the frontier, that is the last leaf (or two) and the complete left
// subtrees above it (protocol specification §3.8). Appending costs one hash a leaf on average, a root costs 32.
import { concatBytes, encodeCompactSize } from '@wallet-companion/base/bytes';
import { TREE_DEPTH, type TreeHash } from '@wallet-companion/zcash/trees';

export interface Frontier {
  readonly left: Uint8Array | undefined;
  readonly right: Uint8Array | undefined;
  /** `parents[i]`: the complete left subtree of 2^(i+1) leaves, where there is one. */
  readonly parents: readonly (Uint8Array | undefined)[];
}

export const EMPTY_FRONTIER: Frontier = { left: undefined, right: undefined, parents: [] };

export function appendLeaf(frontier: Frontier, leaf: Uint8Array, hash: TreeHash): Frontier {
  const { left, right } = frontier;
  if (!left) return { ...frontier, left: leaf };
  if (!right) return { ...frontier, right: leaf };
  const parents = [...frontier.parents];
  let subtree = hash.combine(0, left, right);
  let level = 0;
  for (; parents[level]; level++) {
    subtree = hash.combine(level + 1, parents[level]!, subtree);
    parents[level] = undefined;
  }
  parents[level] = subtree;
  return { left: leaf, right: undefined, parents };
}

/** `height`: the height of the subtree that the frontier ends in; by default that of the whole tree. */
export function frontierRoot(frontier: Frontier, hash: TreeHash, height = TREE_DEPTH): Uint8Array {
  const empty = hash.emptyRoot(0);
  if (!frontier.left) return hash.emptyRoot(height);
  let root = hash.combine(0, frontier.left, frontier.right ?? empty);
  for (let level = 1; level < height; level++) {
    const sibling = frontier.parents[level - 1];
    root = sibling ? hash.combine(level, sibling, root) : hash.combine(level, root, hash.emptyRoot(level));
  }
  return root;
}

/** A tree of that size with unknown leaves: `node` makes up the nodes. */
export function madeUpFrontier(size: number, node: () => Uint8Array): Frontier {
  if (size === 0) return EMPTY_FRONTIER;
  const left = node();
  const right = size % 2 === 0 ? node() : undefined;
  const full = size - (right ? 2 : 1);
  const hasParent = (height: number) => Math.floor(full / 2 ** height) % 2 === 1;
  const parents = Array.from({ length: TREE_DEPTH - 1 }, (_, i) => (hasParent(i + 1) ? node() : undefined));
  return { left, right, parents };
}

const optional = (node: Uint8Array | undefined): Uint8Array =>
  node ? concatBytes(Uint8Array.of(1), node) : Uint8Array.of(0);

/** `finalState` of z_gettreestate. Like zebrad, a tree that is not empty lists all 31 parents. */
export function encodeFrontier(frontier: Frontier): Uint8Array {
  const parentCount = frontier.left ? TREE_DEPTH - 1 : 0;
  return concatBytes(
    optional(frontier.left),
    optional(frontier.right),
    encodeCompactSize(parentCount),
    ...Array.from({ length: parentCount }, (_, i) => optional(frontier.parents[i])),
  );
}
