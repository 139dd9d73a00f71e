import { concatBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { appendLeaves } from '../../src/zcash/trees/appendLeaves.ts';
import { PLAIN_LEVEL_HASH } from '../../src/zcash/trees/levelHash.ts';
import { lastSubtree, rootOfState } from '../../src/zcash/trees/subtrees.ts';
import { EMPTY_TREE_STATE, readTreeState, writeTreeState } from '../../src/zcash/trees/treeState.ts';
import { smallTree } from '../helpers/noteTree.ts';

const leaf = (i: number): Uint8Array => concatBytes(u32ToLeBytes(i + 1), new Uint8Array(28));

test('a tree that grows in pieces of any size is the tree of all its leaves', async (t) => {
  const hash = PLAIN_LEVEL_HASH.sapling;
  let state = EMPTY_TREE_STATE;
  for (const count of [1, 0, 1, 1, 2, 3, 7, 1, 4]) {
    const added = Array.from({ length: count }, (_, i) => leaf(state.size + i));
    state = await appendLeaves(hash, state, concatBytes(...added));
    const all = Array.from({ length: state.size }, (_, i) => leaf(i));
    const root = await rootOfState(hash, state, await lastSubtree(hash, state));
    t.deepEqual(root, smallTree('sapling', all).root, `${state.size} leaves`);
    // It goes on from what a server or a list has of it, too.
    const read = readTreeState(writeTreeState(state));
    t.deepEqual([read.size, read.first], [state.size, state.first]);
    state = read;
  }
  t.is(state.size, 20);
});
