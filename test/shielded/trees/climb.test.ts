import { createHash } from 'node:crypto';
import { bytesToHex, concatBytes, equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { appendLeaf, EMPTY_FRONTIER, encodeFrontier, frontierRoot } from '@wallet-companion/devnet/chain';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import { POOL, POOLS } from '@wallet-companion/zcash/pools';
import { readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { testEachCase } from '@wallet-companion/zcash/test/vectors';
import { orchardAction, saplingOutput } from '@wallet-companion/zcash/transactions';
import {
  climb,
  isFinal,
  lastRow,
  lastSubtree,
  NODE_BYTES,
  PLAIN_LEVEL_HASH,
  readTreeState,
  rootOfState,
  rootsOfPaths,
  TREE_DEPTH,
  type TreeHash,
  writeTreeState,
} from '@wallet-companion/zcash/trees';
import test from 'ava';
import fc from 'fast-check';

/** A hash that costs nothing: trees of every shape in a moment. The level is part of it. */
const sha = (level: number, left: Uint8Array, right: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(Uint8Array.of(level)).update(left).update(right).digest());
const emptyRoots: Uint8Array[] = [new Uint8Array(NODE_BYTES).fill(0xee)];
for (let level = 0; level < TREE_DEPTH; level++)
  emptyRoots.push(sha(level, emptyRoots[level]!, emptyRoots[level]!));
const CHEAP: TreeHash = { combine: sha, emptyRoot: (height) => emptyRoots[height]! };
const CHEAP_LEVELS = {
  emptyRoot: CHEAP.emptyRoot,
  combineLevel: (level: number, nodes: Uint8Array) =>
    concatBytes(
      ...Array.from({ length: nodes.length / 64 }, (_, i) =>
        sha(level, nodes.subarray(64 * i, 64 * i + 32), nodes.subarray(64 * i + 32, 64 * i + 64)),
      ),
    ),
};

const leafOf = (index: number): Uint8Array =>
  new Uint8Array(createHash('sha256').update(`leaf ${index}`).digest());
const leavesOf = (start: number, end: number): Uint8Array =>
  concatBytes(...Array.from({ length: end - start }, (_, i) => leafOf(start + i)));
/** Written by the node's way of keeping trees, which shares nothing with the reading. */
const frontierOf = (size: number) =>
  Array.from({ length: size }, (_, i) => leafOf(i)).reduce(
    (frontier, leaf) => appendLeaf(frontier, leaf, CHEAP),
    EMPTY_FRONTIER,
  );
const stateOf = (size: number) => readTreeState(encodeFrontier(frontierOf(size)));

/** Every level in full, as nobody could keep a real one. */
function naivePath(size: number, position: number): Uint8Array[] {
  let nodes = Array.from({ length: size }, (_, i) => leafOf(i));
  return Array.from({ length: TREE_DEPTH }, (_, level) => {
    const sibling = nodes[Math.floor(position / 2 ** level) ^ 1] ?? CHEAP.emptyRoot(level);
    const above: Uint8Array[] = [];
    for (let i = 0; i < nodes.length; i += 2)
      above.push(sha(level, nodes[i]!, nodes[i + 1] ?? CHEAP.emptyRoot(level)));
    nodes = above;
    return sibling;
  });
}

const sizes = fc.integer({ min: 1, max: 150 });
const shape = fc
  .tuple(sizes, fc.nat(), fc.nat())
  .map(([size, a, b]) => ({ size, before: a % (size + 1), seed: b }));

test('a tree state and the leaves after it give every path that a whole tree would', async (t) => {
  await fc.assert(
    fc.asyncProperty(shape, async ({ size, before, seed }) => {
      const state = stateOf(before);
      t.is(state.size, before);
      const from = lastRow(state);
      const positions = before === size ? [] : [before, before + (seed % (size - before)), size - 1];
      const nodes = concatBytes(from.nodes, leavesOf(before, size));
      const { top, siblings } = await climb(CHEAP_LEVELS, {
        from: { ...from, nodes },
        ommers: state.ommers,
        to: TREE_DEPTH,
        positions,
      });
      const root = frontierRoot(frontierOf(size), CHEAP);
      t.deepEqual(top.nodes, root);
      const paths = positions.map((position, i) => {
        t.deepEqual(siblings[i], naivePath(size, position));
        return { leaf: leafOf(position), position, siblings: siblings[i] as Uint8Array[] };
      });
      for (const found of await rootsOfPaths(CHEAP_LEVELS, paths)) t.deepEqual(found, root);
    }),
    { numRuns: runs(30, 150) },
  );
});

test('what is final of an earlier path and a younger tree state make the path of a larger tree', async (t) => {
  await fc.assert(
    fc.asyncProperty(shape, fc.nat(), async ({ size, before: resumed, seed }, of) => {
      // The path was known at `known`, the tree state is of a block before that.
      fc.pre(resumed > 0);
      const known = resumed + (of % (size - resumed + 1));
      const position = seed % resumed;
      const earlier = naivePath(known, position).map((node, level) =>
        isFinal(position, level, known) ? node : undefined,
      );
      const state = stateOf(resumed);
      const from = lastRow(state);
      const { siblings } = await climb(CHEAP_LEVELS, {
        from: { ...from, nodes: concatBytes(from.nodes, leavesOf(resumed, size)) },
        ommers: state.ommers,
        to: TREE_DEPTH,
        positions: [position],
      });
      const merged = siblings[0]!.map((node, level) => node ?? earlier[level]);
      t.deepEqual(merged, naivePath(size, position));
    }),
    { numRuns: runs(30, 150) },
  );
});

test('a sibling is final when it is what it will be in any larger tree, and not before', (t) => {
  fc.assert(
    fc.property(sizes, fc.nat(), (size, at) => {
      const position = at % size;
      const [now, later] = [naivePath(size, position), naivePath(256, position)];
      for (let level = 0; level < 8; level++) {
        t.is(isFinal(position, level, size), equalBytes(now[level]!, later[level]!), `level ${level}`);
      }
    }),
    { numRuns: runs(12, 60) },
  );
});

test('subtrees first and their roots afterwards lead to the same root, whatever their height', async (t) => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.integer({ min: 1, max: 5 }), async (size, at, height) => {
      const position = at % size;
      const width = 2 ** height;
      const index = Math.floor(position / width);
      const rootOf = async (subtree: number): Promise<Uint8Array> => {
        const end = Math.min(size, (subtree + 1) * width);
        const from = { level: 0, first: subtree * width, nodes: leavesOf(subtree * width, end) };
        return (await climb(CHEAP_LEVELS, { from, ommers: [], to: height, positions: [] })).top.nodes;
      };
      const from = {
        level: 0,
        first: index * width,
        nodes: leavesOf(index * width, Math.min(size, (index + 1) * width)),
      };
      const lower = await climb(CHEAP_LEVELS, { from, ommers: [], to: height, positions: [position] });
      t.is(lower.top.first, index);
      const roots = await Promise.all(Array.from({ length: Math.ceil(size / width) }, (_, i) => rootOf(i)));
      const upper = await climb(CHEAP_LEVELS, {
        from: { level: height, first: 0, nodes: concatBytes(...roots) },
        ommers: [],
        to: TREE_DEPTH,
        positions: [position],
      });
      t.deepEqual([...lower.siblings[0]!, ...upper.siblings[0]!], naivePath(size, position));
    }),
    { numRuns: runs(20, 100) },
  );
});

test('positions beyond 2^31 have siblings, too', async (t) => {
  const first = 2 ** 32 - 2;
  const ommers = Array.from({ length: 32 }, (_, level) => leafOf(level));
  const { siblings, top } = await climb(CHEAP_LEVELS, {
    from: { level: 0, first, nodes: leavesOf(0, 2) },
    ommers,
    to: TREE_DEPTH,
    positions: [first + 1],
  });
  t.deepEqual(siblings[0], [leafOf(0), ...ommers.slice(1)]);
  t.deepEqual(
    await rootsOfPaths(CHEAP_LEVELS, [
      { leaf: leafOf(1), position: first + 1, siblings: siblings[0] as Uint8Array[] },
    ]),
    [top.nodes],
  );
});

test('a root to the left that is missing is reported, not made up', async (t) => {
  const from = { level: 0, first: 1, nodes: leafOf(1) };
  await t.throwsAsync(climb(CHEAP_LEVELS, { from, ommers: [], to: 2, positions: [] }), {
    instanceOf: RangeError,
  });
});

test('tree states are written as they were read, but for parents that are not there', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (size) => {
      const state = stateOf(size);
      const written = writeTreeState(state);
      t.deepEqual(readTreeState(written), { ...state, ommers: readTreeState(written).ommers });
      t.deepEqual(
        readTreeState(written).ommers.filter((ommer) => ommer !== undefined),
        state.ommers.filter((ommer) => ommer !== undefined),
      );
      const parents = size < 3 ? 0 : Math.floor(Math.log2(size - (size % 2 === 0 ? 2 : 1)));
      t.is(written[(size === 0 ? 2 : 34) + (size > 0 && size % 2 === 0 ? 32 : 0)], parents);
    }),
    { numRuns: runs(12, 60) },
  );
});

const node = '11'.repeat(32);
for (const [state, why] of [
  ['000100', 'cut short'],
  [`0001${node}00`, 'a right leaf alone'],
  [`000001${`01${node}`}`, 'a parent without a leaf'],
  [`01${node}0020${'00'.repeat(32)}`, 'too deep'],
  [`02${node}0000`, 'a flag of 2'],
  [`01${node}000000`, 'more bytes'],
  [`01${node}00fdffff`, 'a count without room'],
] as const) {
  test(`a tree state that is malformed is refused: ${why}`, (t) => {
    t.throws(() => readTreeState(hexToBytes(state)), { name: 'FormatError' });
  });
}

testEachCase<{ leaves: string[]; paths: string[][]; root: string }>(
  'orchard_merkle_tree',
  'Orchard paths, climbed',
  async (t, { leaves, paths, root }) => {
    const depth = paths[0]!.length;
    const { top, siblings } = await climb(PLAIN_LEVEL_HASH.orchard, {
      from: { level: 0, first: 0, nodes: concatBytes(...leaves.map(hexToBytes)) },
      ommers: [],
      to: depth,
      positions: leaves.map((_, i) => i),
    });
    t.is(bytesToHex(top.nodes), root);
    t.deepEqual(
      siblings.map((path) => path.map((sibling) => bytesToHex(sibling!))),
      paths,
    );
  },
);

interface RecordedState {
  readonly [pool: string]: {
    readonly commitments: { readonly finalRoot: string; readonly finalState: string };
  };
}

test("the states of a real node have the roots that it gave, and its blocks' leaves lead there", async (t) => {
  const recorded = readFixtureJson<Record<string, RecordedState>>(
    'known-seed',
    'zebra-recorded',
    'treestates.json',
  );
  const blocks = readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').map(parseBlock);
  for (const pool of POOLS) {
    const hash = PLAIN_LEVEL_HASH[POOL[pool].protocol];
    const reported = (height: number) => recorded[height]?.[pool]?.commitments;
    for (const [height, states] of Object.entries(recorded)) {
      if (states[pool] === undefined) continue;
      const { finalRoot, finalState } = states[pool].commitments;
      const state = readTreeState(hexToBytes(finalState));
      const root = await rootOfState(hash, state, await lastSubtree(hash, state));
      // zebrad shows the Sapling root as the block header had it.
      t.is(bytesToHex(pool === 'sapling' ? root.toReversed() : root), finalRoot, `${pool} at ${height}`);
    }
    const before = readTreeState(hexToBytes(reported(20)?.finalState ?? ''));
    const leaves = blocks
      .slice(20)
      .flatMap(({ transactions }) =>
        transactions.flatMap((transaction) =>
          pool === 'sapling'
            ? Array.from(
                { length: transaction.sapling.outputs.count },
                (_, i) => saplingOutput(transaction.sapling, i).cmu,
              )
            : Array.from(
                { length: transaction[pool].actions.count },
                (_, i) => orchardAction(transaction[pool], i).cmx,
              ),
        ),
      );
    const from = lastRow(before);
    const positions = leaves.map((_, i) => before.size + i);
    const { top, siblings } = await climb(hash, {
      from: { ...from, nodes: concatBytes(from.nodes, ...leaves) },
      ommers: before.ommers,
      to: TREE_DEPTH,
      positions,
    });
    const shown = pool === 'sapling' ? top.nodes.toReversed() : top.nodes;
    t.is(bytesToHex(shown), reported(127)!.finalRoot, pool);
    const folded = await rootsOfPaths(
      hash,
      leaves.map((leaf, i) => ({ leaf, position: positions[i]!, siblings: siblings[i] as Uint8Array[] })),
    );
    t.true(folded.every((root) => equalBytes(root, top.nodes)));
  }
});
