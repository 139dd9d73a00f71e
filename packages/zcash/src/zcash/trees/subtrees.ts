// Subtrees of 2^16 leaves: nodes and servers report the roots of these, so that the path of an old note costs one
// subtree and not the whole tree.

import { type Climbed, climb, type PatientLevelHash, type Row } from './climb.ts';
import { TREE_DEPTH } from './noteCommitmentTree.ts';
import type { TreeState } from './treeState.ts';

export const SUBTREE_HEIGHT = 16;
export const SUBTREE_LEAVES = 2 ** SUBTREE_HEIGHT;

/** Index of the leaf's subtree. */
export const subtreeOf = (position: number): number => Math.floor(position / SUBTREE_LEAVES);

/** The row of a tree state's last leaves. */
export const lastRow = ({ first, leaves }: TreeState): Row => ({ level: 0, first, nodes: leaves });

/** The root of the last subtree, full or not. An empty tree has none. */
export async function lastSubtree(hash: PatientLevelHash, state: TreeState): Promise<Row> {
  const from = lastRow(state);
  return (await climb(hash, { from, ommers: state.ommers, to: SUBTREE_HEIGHT, positions: [] })).top;
}

/** The root of the whole tree. */
export async function rootOfState(hash: PatientLevelHash, state: TreeState, last: Row): Promise<Uint8Array> {
  const { top } = await climb(hash, { from: last, ommers: state.ommers, to: TREE_DEPTH, positions: [] });
  return top.nodes.length === 0 ? hash.emptyRoot(TREE_DEPTH) : top.nodes;
}

/** The siblings above the subtrees, from the roots of all subtrees in order; the last may be partial. */
export const climbRoots = (
  hash: PatientLevelHash,
  roots: Uint8Array,
  positions: readonly number[],
): Promise<Climbed> =>
  climb(hash, {
    from: { level: SUBTREE_HEIGHT, first: 0, nodes: roots },
    ommers: [],
    to: TREE_DEPTH,
    positions,
  });

/** The siblings above a row of a tree state's last subtree, up to the root; the state has everything to the left. */
export const climbState = (
  hash: PatientLevelHash,
  state: TreeState,
  last: Row,
  positions: readonly number[],
): Promise<Climbed> => climb(hash, { from: last, ommers: state.ommers, to: TREE_DEPTH, positions });
