import { readFileSync } from 'node:fs';
import { bytesToHex, hexToBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import {
  appendLeaf,
  EMPTY_FRONTIER,
  encodeFrontier,
  type Frontier,
  frontierRoot,
} from '@wallet-companion/devnet/chain';
import { parseBlock, treeSizeFromState } from '@wallet-companion/zcash/blocks';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { fixturePath } from '@wallet-companion/zcash/test/fixtures';
import { readVectors } from '@wallet-companion/zcash/test/readVectors';
import { orchardAction, saplingOutput } from '@wallet-companion/zcash/transactions';
import { ORCHARD_TREE, SAPLING_TREE, type TreeHash } from '@wallet-companion/zcash/trees';
import test from 'ava';

const fill = (leaves: readonly Uint8Array[], hash: TreeHash): Frontier =>
  leaves.reduce((frontier, leaf) => appendLeaf(frontier, leaf, hash), EMPTY_FRONTIER);

test('the empty Sapling tree has the root of the protocol', (t) => {
  t.is(
    bytesToHex(frontierRoot(EMPTY_FRONTIER, SAPLING_TREE)),
    'fbc2f4300c01f0b7820d00e3347c8da4ee614674376cbc45359daa54f9b5493e',
  );
});

test('the empty Orchard tree has the root of the protocol', (t) => {
  t.is(
    bytesToHex(frontierRoot(EMPTY_FRONTIER, ORCHARD_TREE)),
    'ae2935f1dfd8a24aed7c70df7de3a668eb7a49b1319880dde2bbd9031ae5d82f',
  );
});

const emptyRoots = readVectors<{ cases: { empty_roots: string[] }[] }>('orchard_empty_roots');
test('vectors: Orchard empty roots of every height', (t) => {
  const expected = emptyRoots.cases[0]!.empty_roots;
  t.deepEqual(
    expected.map((_, height) => bytesToHex(ORCHARD_TREE.emptyRoot(height))),
    expected,
  );
});

test('a frontier counts its leaves and equals a tree hashed level by level', (t) => {
  // A cheap stand-in for the node hash; the tree's shape is what matters.
  const hash: TreeHash = {
    combine: (level, left, right) => {
      let mix = 0x811c_9dc5 ^ level;
      for (const byte of [...left, ...right]) mix = Math.imul(mix ^ byte, 0x0100_0193);
      return u32ToLeBytes(mix >>> 0);
    },
    emptyRoot: (height) => {
      let root = u32ToLeBytes(0);
      for (let i = 0; i < height; i++) root = hash.combine(i, root, root);
      return root;
    },
  };
  const naiveRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
    let nodes = leaves;
    for (let level = 0; level < 32; level++) {
      const above: Uint8Array[] = [];
      for (let i = 0; i < Math.max(nodes.length, 1); i += 2) {
        const empty = hash.emptyRoot(level);
        above.push(hash.combine(level, nodes[i] ?? empty, nodes[i + 1] ?? empty));
      }
      nodes = above;
    }
    return nodes[0]!;
  };
  const leaves: Uint8Array[] = [];
  for (let size = 1; size <= 40; size++) {
    leaves.push(u32ToLeBytes(size * 77));
    const frontier = fill(leaves, hash);
    t.deepEqual(frontierRoot(frontier, hash), naiveRoot(leaves), `size ${size}`);
  }
});

test('the encoded frontier says how many leaves there are', (t) => {
  const hash: TreeHash = { combine: (_, left) => left, emptyRoot: () => new Uint8Array(32) };
  let frontier = EMPTY_FRONTIER;
  for (let size = 0; size < 70; size++) {
    t.is(treeSizeFromState(encodeFrontier(frontier)), size);
    frontier = appendLeaf(frontier, new Uint8Array(32).fill(size), hash);
  }
});

interface RecordedTree {
  commitments: { finalRoot: string; finalState: string };
}
const recorded = fixturePath('known-seed', 'zebra-recorded');
const states = JSON.parse(readFileSync(`${recorded}/treestates.json`, 'utf8')) as Record<
  string,
  Record<string, RecordedTree | undefined>
>;
const blocks = readFileSync(`${recorded}/raw-blocks.hex`, 'utf8').trim().split('\n');
for (const height of Object.keys(states)) {
  test(`trees of a real node after block ${height}`, (t) => {
    const transactions = blocks
      .slice(0, Number(height))
      .flatMap((hex) => parseBlock(hexToBytes(hex)).transactions);
    const leaves = {
      sapling: transactions.flatMap(({ sapling }) =>
        Array.from({ length: sapling.outputs.count }, (_, i) => saplingOutput(sapling, i).cmu),
      ),
      orchard: transactions.flatMap(({ orchard }) =>
        Array.from({ length: orchard.actions.count }, (_, i) => orchardAction(orchard, i).cmx),
      ),
      ironwood: transactions.flatMap(({ ironwood }) =>
        Array.from({ length: ironwood.actions.count }, (_, i) => orchardAction(ironwood, i).cmx),
      ),
    };
    for (const pool of ['sapling', 'orchard', 'ironwood'] as const) {
      const expected = states[height]![pool];
      if (!expected) continue;
      const hash = pool === 'sapling' ? SAPLING_TREE : ORCHARD_TREE;
      const frontier = fill(leaves[pool], hash);
      t.is(bytesToHex(encodeFrontier(frontier)), expected.commitments.finalState, pool);
      const show = pool === 'sapling' ? toDisplayHex : bytesToHex;
      t.is(show(frontierRoot(frontier, hash)), expected.commitments.finalRoot, pool);
    }
  });
}
