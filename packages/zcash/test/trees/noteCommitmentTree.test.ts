import { bytesToHex, concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { NODE_BYTES, PLAIN_LEVEL_HASH } from '../../src/zcash/trees/levelHash.ts';
import { rootOfPath } from '../../src/zcash/trees/merklePath.ts';
import { ORCHARD_TREE, SAPLING_TREE, TREE_DEPTH } from '../../src/zcash/trees/noteCommitmentTree.ts';
import { testEachCase } from '../helpers/vectors.ts';

/** Levels of a full tree, leaves first. */
function levelsOf(leaves: readonly Uint8Array[]): Uint8Array[][] {
  const nodesOf = (packed: Uint8Array): Uint8Array[] =>
    Array.from({ length: packed.length / NODE_BYTES }, (_, i) =>
      packed.slice(i * NODE_BYTES, (i + 1) * NODE_BYTES),
    );
  const levels = [[...leaves]];
  for (let nodes = levels[0]!; nodes.length > 1; nodes = levels.at(-1)!) {
    levels.push(nodesOf(PLAIN_LEVEL_HASH.orchard.combineLevel(levels.length - 1, concatBytes(...nodes))));
  }
  return levels;
}

testEachCase<{ leaves: string[]; paths: string[][]; root: string }>(
  'orchard_merkle_tree',
  'Orchard tree',
  (t, { leaves, paths, root }) => {
    const levels = levelsOf(leaves.map(hexToBytes));
    t.is(bytesToHex(levels.at(-1)![0]!), root);
    const pathOf = (leaf: number): string[] =>
      levels.slice(0, -1).map((nodes, level) => bytesToHex(nodes[(leaf >>> level) ^ 1]!));
    t.deepEqual(
      leaves.map((_, leaf) => pathOf(leaf)),
      paths,
    );
    for (const [position, siblings] of paths.entries()) {
      const path = { position, siblings: siblings.map(hexToBytes) };
      t.is(bytesToHex(rootOfPath(ORCHARD_TREE, hexToBytes(leaves[position]!), path)), root);
    }
  },
);

testEachCase<{ empty_roots: string[] }>(
  'orchard_empty_roots',
  'Orchard empty roots',
  (t, { empty_roots }) => {
    t.deepEqual(
      empty_roots.map((_, height) => bytesToHex(ORCHARD_TREE.emptyRoot(height))),
      empty_roots,
    );
  },
);

test('the empty Sapling tree has the root of the specification', (t) => {
  t.is(
    bytesToHex(SAPLING_TREE.emptyRoot(TREE_DEPTH)),
    'fbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493e',
  );
});
