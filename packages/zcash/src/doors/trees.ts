// Note commitment trees: their sizes, states, subtrees and the paths from a note to an anchor.

export { addLeaves, EMPTY_TREES, equalSizes, leafCount, subtractLeaves } from '../zcash/treeSizes.ts';
export { appendLeaves } from '../zcash/trees/appendLeaves.ts';
export { climb, isFinal, type PatientLevelHash, type Row, rootsOfPaths } from '../zcash/trees/climb.ts';
export { type LevelHash, NODE_BYTES, PLAIN_LEVEL_HASH } from '../zcash/trees/levelHash.ts';
export { type MerklePath, rootOfPath } from '../zcash/trees/merklePath.ts';
export {
  ORCHARD_TREE,
  SAPLING_TREE,
  TREE_DEPTH,
  TREE_HASH,
  type TreeHash,
} from '../zcash/trees/noteCommitmentTree.ts';
export {
  climbRoots,
  climbState,
  lastRow,
  lastSubtree,
  rootOfState,
  SUBTREE_HEIGHT,
  SUBTREE_LEAVES,
  subtreeOf,
} from '../zcash/trees/subtrees.ts';
export {
  EMPTY_TREE_STATE,
  MOST_STATE_BYTES,
  readTreeState,
  type TreeState,
  writeTreeState,
} from '../zcash/trees/treeState.ts';
