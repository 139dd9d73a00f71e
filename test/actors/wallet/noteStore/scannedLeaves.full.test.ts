// What a scan keeps of leaves, however its blocks came: held against the whole trees.

import { equalBytes } from '@wallet-companion/base/bytes';
import { POOLS, type Pool, perPool, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScannedBlock } from '@wallet-companion/zcash/scan';
import { addLeaves, EMPTY_TREES, NODE_BYTES, SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import fc from 'fast-check';
import {
  keptLeaves,
  keptOutput,
  LeafRecording,
  leafRuns,
  leavesCutTo,
  withoutRuns,
} from '../../../../src/actors/wallet/noteStore/leaves/scannedLeaves.ts';
import type { LastingChange } from '../../../../src/actors/wallet/ports/witnessPart.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';

/** The leaf at a position of a branch; never 0. */
const leafAt = (pool: Pool, position: number, branch: number): Uint8Array =>
  new Uint8Array(NODE_BYTES)
    .fill(1 + POOLS.indexOf(pool) + 3 * branch)
    .with(0, position & 0xff)
    .with(1, position >> 8);

const packed = (pool: Pool, start: number, end: number, branch = 0): Uint8Array =>
  Uint8Array.from(Array.from({ length: end - start }, (_, i) => [...leafAt(pool, start + i, branch)]).flat());

interface Chain {
  readonly blocks: readonly ScannedBlock[];
  /** By height: before the block. */
  readonly sizes: readonly TreeSizes[];
}

/** `counts`: the leaves of each block; the first height is 0. */
function chainOf(counts: readonly TreeSizes[], from: TreeSizes, branch = 0): Chain {
  const sizes = [from];
  for (const count of counts) sizes.push(addLeaves(sizes.at(-1)!, count));
  const blocks = counts.map((_, height) => {
    const [before, treeSizes] = [sizes[height]!, sizes[height + 1]!];
    return {
      height,
      treeSizes,
      leaves: perPool((pool) => packed(pool, before[pool], treeSizes[pool], branch)),
      notes: [],
      nullifiers: [],
    } as unknown as ScannedBlock;
  });
  return { blocks, sizes };
}

const counts = fc.array(fc.record({ sapling: fc.nat(3), orchard: fc.nat(700), ironwood: fc.nat(40) }), {
  minLength: 1,
  maxLength: 12,
});
/** Right below the end of a subtree, or anywhere. */
const begin = fc.constantFrom(EMPTY_TREES, {
  sapling: 511,
  orchard: SUBTREE_LEAVES - 300,
  ironwood: SUBTREE_LEAVES,
});

const perPoolOf = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ sapling: value, orchard: value, ironwood: value });

const keep = (store: MemoryNoteDatabase, ...changes: readonly LastingChange[]): void => {
  for (const change of changes) store.changeLasting(change);
};

test('pieces in any order and sizes: exactly the leaves of scanned blocks are there, and are counted', (t) => {
  fc.assert(
    fc.property(counts, begin, fc.infiniteStream(fc.nat()), (perBlock, from, random) => {
      const { blocks, sizes } = chainOf(perBlock, from);
      const next = (below: number): number => random.next().value! % below;
      const store = new MemoryNoteDatabase();
      const scanned = new Set<number>();
      for (let piece = 0; piece < 4; piece++) {
        const start = next(blocks.length);
        const end = start + 1 + next(blocks.length - start);
        const middle = start + next(end - start + 1);
        const recording = new LeafRecording(store);
        for (const [first, last] of [
          [start, middle],
          [middle, end],
        ] as const)
          if (first < last) keep(store, recording.add(blocks.slice(first, last), sizes[first]!));
        keep(store, recording.rest());
        for (let height = start; height < end; height++) scanned.add(height);
      }
      for (const pool of POOLS) {
        const runs = leafRuns(store).filter((run) => run.pool === pool);
        const known = [...scanned].reduce((sum, height) => sum + perBlock[height]![pool], 0);
        t.is(
          runs.reduce((sum, { count }) => sum + count, 0),
          known,
        );
        for (const { first, after } of runs) {
          // A run that begins with its subtree needs no tree before it.
          if (first % SUBTREE_LEAVES !== 0) t.is(sizes[after + 1]![pool], first);
        }
        for (const [height, { treeSizes }] of blocks.entries()) {
          const [start, end] = [sizes[height]![pool], treeSizes[pool]];
          if (start === end) continue;
          t.deepEqual(
            keptLeaves(store, pool, start, end),
            scanned.has(height) ? packed(pool, start, end) : undefined,
          );
        }
        const [start, end] = [from[pool], sizes.at(-1)![pool]];
        const isWhole = perBlock.every((count, height) => count[pool] === 0 || scanned.has(height));
        t.deepEqual(keptLeaves(store, pool, start, end), isWhole ? packed(pool, start, end) : undefined);
        t.is(keptLeaves(store, pool, start, end + 1), undefined);
      }
    }),
    { numRuns: 60 },
  );
});

test('a full subtree without notes is never kept once it is final; one with a note is kept then', (t) => {
  for (const hasNote of [false, true]) {
    const store = new MemoryNoteDatabase();
    // 700 a block: full after 94 blocks, final 100 later.
    const { blocks, sizes } = chainOf(
      Array.from({ length: 194 }, () => ({ sapling: 700, orchard: 0, ironwood: 1 })),
      EMPTY_TREES,
    );
    const output = {
      rho: new Uint8Array(0),
      commitment: leafAt('sapling', 3, 0),
      ephemeralKey: new Uint8Array(32).fill(8),
      ciphertext: new Uint8Array(52).fill(9),
    };
    const notes = hasNote ? [{ pool: 'sapling', position: 3, output }] : [];
    const recording = new LeafRecording(store);
    const kept = blocks.map((block, height) =>
      recording.add([(height === 0 ? { ...block, notes } : block) as never], sizes[height]!),
    );
    t.true(kept.slice(0, 193).every(({ put }) => put.length === 0));
    t.is(kept[193]!.put.length, hasNote ? 129 : 0);
    keep(store, ...kept, recording.rest());
    const subtrees = leafRuns(store).map(({ pool, subtree }) => `${pool} ${subtree}`);
    t.deepEqual(subtrees, [...(hasNote ? ['sapling 0'] : []), 'sapling 1', 'sapling 2', 'ironwood 0']);
    const whole = keptLeaves(store, 'sapling', 0, SUBTREE_LEAVES);
    t.deepEqual(whole, hasNote ? packed('sapling', 0, SUBTREE_LEAVES) : undefined);
    t.deepEqual(keptOutput(store, 'sapling', 3), hasNote ? output : undefined);
    const end = sizes.at(-1)!.sapling;
    t.deepEqual(keptLeaves(store, 'sapling', SUBTREE_LEAVES, end), packed('sapling', SUBTREE_LEAVES, end));
  }
});

test('another branch overwrites the leaves of its blocks', (t) => {
  const store = new MemoryNoteDatabase();
  const perBlock = Array.from({ length: 4 }, () => ({ sapling: 2, orchard: 300, ironwood: 1 }));
  const before = chainOf(perBlock, EMPTY_TREES);
  const first = new LeafRecording(store);
  keep(store, first.add(before.blocks, EMPTY_TREES), first.rest());
  const after = chainOf([{ sapling: 1, orchard: 310, ironwood: 0 }], before.sizes[2]!, 1);
  const second = new LeafRecording(store);
  keep(store, second.add(after.blocks, after.sizes[0]!), second.rest());
  t.deepEqual(keptLeaves(store, 'orchard', 0, 600), packed('orchard', 0, 600));
  t.deepEqual(keptLeaves(store, 'orchard', 600, 910), packed('orchard', 600, 910, 1));
  t.deepEqual(keptLeaves(store, 'sapling', 4, 5), packed('sapling', 4, 5, 1));
});

test('a cut leaves the trees up to its sizes, and nothing above', (t) => {
  const anySize = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(counts, begin, perPoolOf(anySize), (perBlock, from, parts) => {
      const { blocks, sizes } = chainOf(perBlock, from);
      const store = new MemoryNoteDatabase();
      const recording = new LeafRecording(store);
      keep(store, recording.add(blocks, from), recording.rest());
      const end = sizes.at(-1)!;
      const cut = perPool((pool) => from[pool] + Math.round(parts[pool] * (end[pool] - from[pool])));
      keep(store, leavesCutTo(store, cut));
      for (const pool of POOLS) {
        const runs = leafRuns(store).filter((run) => run.pool === pool);
        t.is(
          runs.reduce((sum, { count }) => sum + count, 0),
          cut[pool] - from[pool],
        );
        t.deepEqual(keptLeaves(store, pool, from[pool], cut[pool]), packed(pool, from[pool], cut[pool]));
        for (let position = cut[pool]; position < end[pool]; position++)
          t.is(keptLeaves(store, pool, position, position + 1), undefined);
      }
      // Another branch, whose last leaves were not kept: they are missing, and not those of the branch before.
      const other = chainOf([{ sapling: 3, orchard: 700, ironwood: 0 }], cut, 1);
      keep(store, new LeafRecording(store).add(other.blocks, cut));
      for (const pool of POOLS) {
        const [start, after] = [cut[pool], other.sizes[1]![pool]];
        for (let position = start; position < after; position++) {
          const leaf = keptLeaves(store, pool, position, position + 1);
          t.true(leaf === undefined || equalBytes(leaf, leafAt(pool, position, 1)));
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('a cut forgets the outputs above it', (t) => {
  const store = new MemoryNoteDatabase();
  const { blocks, sizes } = chainOf([{ sapling: 5, orchard: 0, ironwood: 0 }], EMPTY_TREES);
  const outputAt = (position: number) => ({
    rho: new Uint8Array(0),
    commitment: leafAt('sapling', position, 0),
    ephemeralKey: new Uint8Array(32).fill(8),
    ciphertext: new Uint8Array(52).fill(9),
  });
  const notes = [1, 3].map((position) => ({ pool: 'sapling', position, output: outputAt(position) }));
  const recording = new LeafRecording(store);
  keep(store, recording.add([{ ...blocks[0]!, notes } as never], sizes[0]!), recording.rest());
  keep(store, leavesCutTo(store, { ...EMPTY_TREES, sapling: 3 }));
  t.deepEqual(keptOutput(store, 'sapling', 1), outputAt(1));
  keep(store, leavesCutTo(store, EMPTY_TREES));
  t.is(keptOutput(store, 'sapling', 1), undefined);
  t.deepEqual(leafRuns(store), []);
});

test('outputs of notes come back; a subtree that is dropped leaves nothing behind', (t) => {
  const store = new MemoryNoteDatabase();
  const { blocks, sizes } = chainOf([{ sapling: 5, orchard: 5, ironwood: 5 }], EMPTY_TREES);
  const output = {
    rho: new Uint8Array(0),
    commitment: leafAt('sapling', 3, 0),
    ephemeralKey: new Uint8Array(32).fill(8),
    ciphertext: new Uint8Array(52).fill(9),
  };
  const notes = [{ pool: 'sapling', position: 3, output }] as unknown as ScannedBlock['notes'];
  const recording = new LeafRecording(store);
  keep(store, recording.add([{ ...blocks[0]!, notes }], sizes[0]!), recording.rest());
  t.deepEqual(keptOutput(store, 'sapling', 3), output);
  t.is(keptOutput(store, 'sapling', 2), undefined);
  keep(
    store,
    withoutRuns(
      store,
      leafRuns(store).filter(({ pool }) => pool === 'sapling'),
    ),
  );
  t.is(keptOutput(store, 'sapling', 3), undefined);
  t.is(keptLeaves(store, 'sapling', 0, 5), undefined);
  t.deepEqual(
    leafRuns(store).map(({ pool }) => pool),
    ['orchard', 'ironwood'],
  );
  t.deepEqual(keptLeaves(store, 'orchard', 0, 5), packed('orchard', 0, 5));
});
