// Witnesses by a node and by a compact server, on chains whose trees begin right below the end of a subtree.

import { inTurn } from '@wallet-companion/base/test/atLength';
import type { Source } from '@wallet-companion/chain/ports';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, type Pool, perPool } from '@wallet-companion/zcash/pools';
import { SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import {
  BED_START,
  checkWitnesses,
  notesIn,
  startWitnessBed,
  type WitnessBed,
} from '../../../helpers/witnessBed.ts';

const SOURCES: readonly Source[] = ['node', 'compact'];
const TRAFFIC = 4;

/** Orchard takes nothing in any more from Ironwood on. */
const paramsFor = (pool: Pool) => regtestParameters({ nu6_3: pool === 'ironwood' ? 1 : BED_START + 100 });

/** Blocks with four leaves each, the last three without any. */
function mineTraffic({ devnet }: WitnessBed, pool: Pool, blocks: number) {
  const mined = Array.from({ length: blocks }, () =>
    devnet.mine({ transactions: [devnet.traffic({ [pool]: TRAFFIC })] }),
  );
  devnet.mineEmpty(3);
  return mined;
}

/** Begins so far below the end of a subtree that the third block of traffic goes beyond it. */
const nearTheEnd = (pool: Pool) => ({
  params: paramsFor(pool),
  initialSizes: { [pool]: SUBTREE_LEAVES - 2 * TRAFFIC - 1 },
});

const countRanges = (bed: WitnessBed) => {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  const { openRange } = bed.chain;
  bed.chain.openRange = (query) => {
    ranges.push({ start: query.start, end: query.end });
    return openRange(query);
  };
  return ranges;
};

for (const source of SOURCES) {
  for (const pool of POOLS.filter((_, place) => inTurn(SOURCES, place).includes(source))) {
    test(`${source}, ${pool}: notes of a full subtree, and of the young one after it`, async (t) => {
      const bed = await startWitnessBed(t, nearTheEnd(pool));
      const mined = mineTraffic(bed, pool, 5);
      const ranges = countRanges(bed);
      const notes = mined.flatMap((block) => notesIn(block, pool));
      const full = notes.filter(({ position }) => position < SUBTREE_LEAVES);
      t.is(notes.length, 20);
      t.is(full.length, 9);
      checkWitnesses(t, bed, notes, await bed.make(notes, source));
      t.deepEqual(ranges, [
        { start: BED_START, end: BED_START + 2 },
        // From the block in which the one before it became full.
        { start: BED_START + 2, end: bed.devnet.tip.height - 2 },
      ]);

      // Paths in a full subtree are complete for good; the chain may grow.
      mineTraffic(bed, pool, 2);
      ranges.length = 0;
      checkWitnesses(t, bed, full, await bed.make(full, source));
      t.deepEqual(ranges, []);
      t.deepEqual(bed.faults, []);
    });
  }

  test(`${source}: notes of all pools at once, in one answer with the roots of all of them`, async (t) => {
    const bed = await startWitnessBed(t, { params: regtestParameters({ nu6_3: BED_START + 1 }) });
    const { devnet } = bed;
    const first = devnet.mine({ transactions: [devnet.traffic({ sapling: 3, orchard: 2 })] });
    const second = devnet.mine({ transactions: [devnet.traffic({ sapling: 1, ironwood: 2 })] });
    devnet.mineEmpty(3);
    const notes = [
      ...notesIn(second, 'ironwood'),
      ...notesIn(first, 'sapling'),
      ...notesIn(second, 'sapling'),
      ...notesIn(first, 'orchard'),
    ];
    checkWitnesses(t, bed, notes, await bed.make(notes, source));
    const none = await bed.make([], source);
    t.deepEqual(
      none.roots,
      perPool((pool) => devnet.trees[pool].rootAfter(devnet.blocks.at(none.anchorHeight)!)),
    );
  });

  test(`${source}: a note may be asked for at any anchor that has it, and at none that has not`, async (t) => {
    const bed = await startWitnessBed(t, { params: paramsFor('ironwood') });
    const [first, second] = mineTraffic(bed, 'ironwood', 4);
    const notes = notesIn(second!, 'ironwood');
    for (const anchor of [second!.height, second!.height + 1, bed.devnet.tip.height]) {
      checkWitnesses(t, bed, notes, await bed.make(notes, source, anchor));
    }
    // What was kept at a higher anchor does not help at a lower one, and does no harm either.
    checkWitnesses(t, bed, notes, await bed.make(notes, source, second!.height));
    for (const anchor of [first!.height, bed.devnet.tip.height + 1]) {
      t.throws(() => bed.make(notes, source, anchor), { code: 'INVALID_RANGE' });
    }
  });
}

test('a path that is not complete yet goes on from the last anchor, or from the rounded height below it', async (t) => {
  const bed = await startWitnessBed(t, { params: paramsFor('ironwood') });
  const { devnet } = bed;
  const [block] = mineTraffic(bed, 'ironwood', 2);
  const notes = notesIn(block!, 'ironwood');
  const first = await bed.make(notes, 'compact');
  checkWitnesses(t, bed, notes, first);
  devnet.mineEmpty(10_000 - devnet.tip.height);
  mineTraffic(bed, 'ironwood', 2);
  const ranges = countRanges(bed);
  checkWitnesses(t, bed, notes, await bed.make(notes, 'compact'));
  t.deepEqual(ranges, [{ start: first.anchorHeight + 1, end: devnet.tip.height - 2 }]);
  mineTraffic(bed, 'ironwood', 1);
  // The note store may lose it, or the block may be too old to be known.
  bed.kept.delete('trees:last');
  const third = await bed.make(notes, 'compact');
  checkWitnesses(t, bed, notes, third);
  t.deepEqual(ranges.slice(1), [{ start: 10_001, end: devnet.tip.height - 2 }]);
  // A note that came since needs no more, either.
  const [later] = mineTraffic(bed, 'ironwood', 1);
  const both = [...notes, ...notesIn(later!, 'ironwood')];
  checkWitnesses(t, bed, both, await bed.make(both, 'compact'));
  t.deepEqual(ranges.slice(2), [{ start: third.anchorHeight + 1, end: devnet.tip.height - 2 }]);
});

test('the other side is asked for trees at rounded heights and at the anchor alone', async (t) => {
  const bed = await startWitnessBed(t, { params: paramsFor('ironwood') });
  const blocks = mineTraffic(bed, 'ironwood', 4);
  const asked: number[] = [];
  const { treeStates } = bed.chain;
  bed.chain.treeStates = (query) => {
    asked.push(query.height);
    return treeStates(query);
  };
  await bed.make(notesIn(blocks[2]!, 'ironwood'), 'node');
  await bed.make(notesIn(blocks[1]!, 'ironwood'), 'node');
  const anchor = bed.devnet.tip.height - 2;
  t.deepEqual(asked, [anchor, BED_START - 1, anchor]);
});

test('once the session has ended nothing is handed out', async (t) => {
  const bed = await startWitnessBed(t, { params: paramsFor('ironwood') });
  const [block] = mineTraffic(bed, 'ironwood', 2);
  const { nextBatch } = bed.chain;
  bed.chain.nextBatch = async (query) => {
    const batch = await nextBatch(query);
    bed.sessions.current = undefined;
    return batch;
  };
  await t.throwsAsync(bed.make(notesIn(block!, 'ironwood'), 'node'), { code: 'WALLET_LOCKED' });
  t.false([...bed.kept.keys()].some((key) => key.startsWith('path:')));
});

test('a failure because the session has ended is reported as that', async (t) => {
  const bed = await startWitnessBed(t, { params: paramsFor('ironwood') });
  const [block] = mineTraffic(bed, 'ironwood', 2);
  bed.chain.nextBatch = async () => {
    bed.sessions.current = undefined;
    throw new CompanionError('THREAD_LOST', 'The scan workers ended.');
  };
  await t.throwsAsync(bed.make(notesIn(block!, 'ironwood'), 'node'), { code: 'WALLET_LOCKED' });
});

test('outputs come with the leaves, and are kept with the path', async (t) => {
  const bed = await startWitnessBed(t, nearTheEnd('ironwood'));
  const [block] = mineTraffic(bed, 'ironwood', 2);
  const [note] = notesIn(block!, 'ironwood');
  const ranges = countRanges(bed);
  const anchor = bed.devnet.tip.height - 2;
  const make = async () => {
    ranges.splice(0);
    const made = await bed.maker.witnesses(bed.session, [note!], anchor, { source: 'compact' });
    checkWitnesses(t, bed, [note!], made);
    return made.notes[0]!.output;
  };
  const read = await make();
  t.is(read.ciphertext.length, 52);
  t.deepEqual(read.commitment, block!.leaves('ironwood')[0]);
  t.is(ranges.length, 1);
  const kept = await make();
  for (const field of ['rho', 'commitment', 'ephemeralKey', 'ciphertext'] as const)
    t.deepEqual(kept[field], read[field]);
  t.deepEqual(ranges, []);
});
