// Recent money first: whatever the order, the balance is the same in the end, and until then nothing is called complete.

import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import { scanReach } from '../../../../src/actors/wallet/noteViews/scanReach.ts';
import {
  OUTPUTS_ABOVE_GAPS,
  outputsAboveGaps,
  planNewestFirst,
} from '../../../../src/actors/wallet/sync/newestFirst.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { Blocks, type Made, World } from '../../../truth/support/world.ts';

const position = {
  lastScanHeight: 99,
  missing: [],
  saplingActivation: 1,
  tip: 5_000,
  maxBlocks: 1_000,
  outputsAboveGaps: 0,
};

test('a wallet far below the tip begins at the tip', (t) => {
  t.deepEqual(planNewestFirst(position), {
    start: 4_001,
    ranges: [{ start: 4_001, end: 5_000 }],
    coversRequest: false,
    next: { start: 3_001, end: 4_000 },
  });
});

test('new blocks come before what is missing, and that from its top down', (t) => {
  const missing = [
    { start: 10, end: 20 },
    { start: 100, end: 4_000 },
  ];
  const later = { ...position, lastScanHeight: 5_000, missing };
  t.deepEqual(planNewestFirst({ ...later, tip: 5_002 }).ranges, [{ start: 5_001, end: 5_002 }]);
  t.deepEqual(planNewestFirst(later).ranges, [{ start: 3_001, end: 4_000 }]);
  t.deepEqual(planNewestFirst({ ...later, maxBlocks: 64 }).ranges, [{ start: 3_937, end: 4_000 }]);
  t.deepEqual(planNewestFirst({ ...later, maxBlocks: 0 }).ranges, []);
});

test('what comes next is announced as far as the same piece goes', (t) => {
  const missing = [
    { start: 10, end: 20 },
    { start: 2_500, end: 4_000 },
  ];
  const later = { ...position, lastScanHeight: 5_000, missing };
  t.deepEqual(planNewestFirst(later).next, { start: 2_500, end: 3_000 });
  t.is(planNewestFirst({ ...later, missing: [{ start: 10, end: 1_009 }] }).next, undefined);
  const full = { ...later, outputsAboveGaps: OUTPUTS_ABOVE_GAPS, missing: [{ start: 10, end: 2_900 }] };
  t.deepEqual(planNewestFirst(full).next, { start: 1_010, end: 2_009 });
  t.is(planNewestFirst({ ...later, maxBlocks: 0 }).next, undefined);
});

test('what is kept for the gaps has an end: then they close from below', (t) => {
  const missing = [{ start: 100, end: 4_000 }];
  const full = { ...position, lastScanHeight: 5_000, missing, outputsAboveGaps: OUTPUTS_ABOVE_GAPS };
  t.deepEqual(planNewestFirst(full).ranges, [{ start: 100, end: 1_099 }]);
  t.deepEqual(planNewestFirst({ ...full, outputsAboveGaps: OUTPUTS_ABOVE_GAPS - 1 }).ranges, [
    { start: 3_001, end: 4_000 },
  ]);
  // New blocks are scanned all the same.
  t.deepEqual(planNewestFirst({ ...full, tip: 5_001 }).ranges, [{ start: 5_001, end: 5_001 }]);
});

test('only a request after which nothing is left covers everything', (t) => {
  const later = { ...position, lastScanHeight: 5_000 };
  t.deepEqual(planNewestFirst(later), { start: 5_001, ranges: [], coversRequest: true });
  t.true(planNewestFirst({ ...later, missing: [{ start: 1, end: 1_000 }] }).coversRequest);
  t.false(planNewestFirst({ ...later, missing: [{ start: 1, end: 1_001 }] }).coversRequest);
  t.false(planNewestFirst({ ...later, tip: 5_001, missing: [{ start: 1, end: 1 }] }).coversRequest);
  t.deepEqual(planNewestFirst({ ...position, lastScanHeight: 0, saplingActivation: 5_001 }).ranges, []);
});

const BIRTHDAY = 3;
const ACCOUNTS = [{ index: 0, birthdayHeight: BIRTHDAY }];
const made: fc.Arbitrary<Made> = fc.record({
  notes: fc.array(fc.record({ account: fc.constant(0), value: fc.integer({ min: 1, max: 9 }) }), {
    maxLength: 2,
  }),
  spends: fc.array(fc.nat(30), { maxLength: 2 }),
});

function newStore() {
  const database = new MemoryNoteDatabase();
  const noteStore = new NoteStore(database, ACCOUNTS, BIRTHDAY);
  const apply = (world: World, start: number, end: number) =>
    noteStore.apply(world.chain.slice(start - 1, end).map(({ scanned }) => scanned));
  const notes = () =>
    [...noteStore.notes].map(({ nullifier, value, spent }) => `${nullifier} ${value} ${spent?.txid}`).sort();
  return { database, noteStore, apply, notes };
}

test('the newest first in pieces of any size, cut and grown meanwhile, ends where the order of heights ends', (t) => {
  const schedule = fc.record({
    chain: fc.array(made, { minLength: 5, maxLength: 90 }),
    grown: fc.array(made, { maxLength: 8 }),
    maxBlocks: fc.integer({ min: 1, max: 25 }),
    /** After how many outputs above the gaps they close from below. */
    room: fc.nat(40),
    cuts: fc.array(fc.nat(24), { maxLength: 12 }),
  });
  let fromBelow = 0;
  fc.assert(
    fc.property(schedule, ({ chain, grown, maxBlocks, room, cuts }) => {
      const world = new World(new Blocks());
      world.mine(chain);
      const wallet = newStore();
      for (let round = 0; ; round++) {
        const above = outputsAboveGaps(wallet.noteStore);
        const used = above > room ? OUTPUTS_ABOVE_GAPS : 0;
        if (used > 0) fromBelow += 1;
        const { ranges, coversRequest } = planNewestFirst({
          lastScanHeight: wallet.noteStore.lastScanHeight,
          missing: wallet.noteStore.missing(),
          saplingActivation: 1,
          tip: world.tip,
          maxBlocks,
          outputsAboveGaps: used,
        });
        const [range] = ranges;
        if (range === undefined) break;
        const end = Math.max(range.start, range.end - (cuts[round] ?? 0));
        wallet.apply(world, range.start, end);
        const { complete } = scanReach(wallet.noteStore);
        const isLast = coversRequest && end === range.end;
        if (complete && !isLast && wallet.noteStore.lastScanHeight === world.tip)
          throw new Error('complete too early');
        if (!complete && isLast) throw new Error('not complete at the end');
        if (round === 2) world.mine(grown);
        if (round > 2_000) throw new Error('comes to no end');
      }
      const inOrder = newStore();
      inOrder.apply(world, BIRTHDAY, world.tip);
      t.deepEqual(wallet.notes(), inOrder.notes());
      t.deepEqual(wallet.noteStore.missing(), []);
      t.is(wallet.noteStore.lastScanHeight, world.tip);
    }),
    { numRuns: runs(60, 300) },
  );
  t.true(fromBelow > runs(0, 20));
});

test('outputs above gaps are those of every stretch above the lowest one, by the trees', (t) => {
  const world = new World(new Blocks());
  world.mine(Array.from({ length: 60 }, () => ({ notes: [{ account: 0, value: 1 }], spends: [] })));
  const { noteStore, apply } = newStore();
  t.is(outputsAboveGaps(noteStore), 0);
  apply(world, BIRTHDAY, 10);
  t.is(outputsAboveGaps(noteStore), 0);
  apply(world, 51, 60);
  t.is(outputsAboveGaps(noteStore), 9);
  apply(world, 31, 40);
  t.is(outputsAboveGaps(noteStore), 18);
  apply(world, 41, 50);
  t.is(outputsAboveGaps(noteStore), 29);
  apply(world, 11, 30);
  t.is(outputsAboveGaps(noteStore), 0);
});
