// Orchard is left out once an account has nothing there: from which block on, and what brings back the blocks that were not searched.

import type { FoundNote, ScannedBlock } from '@wallet-companion/zcash/scan';
import { scanHeights } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import type { Verifier } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { Blocks, type Made, World } from '../../../truth/support/world.ts';

const WITHDRAW_ONLY_FROM = 10;
const HEIGHTS = scanHeights({ nu6_3: WITHDRAW_ONLY_FROM });
const ORCHARD = { account: 0, pool: 'orchard' } as const;
const PAID: Made = { notes: [{ account: 0, value: 7 }], spends: [] };
const EMPTY: Made = { notes: [], spends: [] };
/** In `spends`, 1 is a spend in Orchard that leaves change there. */
const SPENT: Made = { notes: [], spends: [0] };
const CHANGED: Made = { notes: [], spends: [1] };

/** Twenty blocks, with these among them. */
function chainWith(made: Readonly<Record<number, Made>>): World {
  const world = new World(new Blocks(), WITHDRAW_ONLY_FROM);
  world.mine(Array.from({ length: 20 }, (_, i) => made[i + 1] ?? EMPTY));
  return world;
}

function storeFrom(birthdayHeight: number, world: World) {
  const noteStore = new NoteStore(new MemoryNoteDatabase(), [{ index: 0, birthdayHeight }], birthdayHeight);
  const blocks = (start: number, end: number, kept: (note: FoundNote) => boolean): ScannedBlock[] =>
    world.chain
      .slice(start - 1, end)
      .map(({ scanned }) => ({ ...scanned, notes: scanned.notes.filter(kept) }));
  return {
    noteStore,
    emptiedAt: (from: number) => noteStore.emptiedPools(HEIGHTS, from),
    scan: (start: number, end: number, verifiedBy: Verifier = null) =>
      noteStore.apply(
        blocks(start, end, () => true),
        20,
        verifiedBy,
      ),
    skip: (start: number, end: number, verifiedBy: Verifier = null) =>
      noteStore.apply(
        blocks(start, end, ({ pool }) => pool !== 'orchard'),
        20,
        verifiedBy,
        undefined,
        [ORCHARD],
      ),
    get balance() {
      return [...noteStore.notes].reduce((sum, { spent, value }) => sum + (spent === null ? value : 0), 0);
    },
  };
}

test('an account born after the upgrade has nothing in Orchard, below its birthday nothing is known', (t) => {
  const { emptiedAt } = storeFrom(12, chainWith({}));
  t.deepEqual(emptiedAt(12), [ORCHARD]);
  t.deepEqual(emptiedAt(11), []);
});

test('before the upgrade, with a gap, or with money left, Orchard is searched', (t) => {
  const store = storeFrom(2, chainWith({ 3: PAID, 14: SPENT }));
  t.deepEqual(store.emptiedAt(10), [], 'nothing was scanned');
  store.scan(2, 8);
  store.scan(10, 12);
  t.deepEqual(store.emptiedAt(13), [], 'block 9 is missing');
  store.scan(9, 9);
  t.deepEqual(store.emptiedAt(13), [], '7 are left');
  store.scan(13, 15);
  t.deepEqual(store.emptiedAt(14), [], 'its last note is spent there');
  t.deepEqual(store.emptiedAt(15), [ORCHARD]);
  t.deepEqual(storeFrom(2, chainWith({})).emptiedAt(9), []);
});

test('an account without money there is empty from the upgrade on, and an account that is looked for never', (t) => {
  const store = storeFrom(2, chainWith({ 3: PAID, 5: SPENT }));
  store.scan(2, 9);
  t.deepEqual(store.emptiedAt(10), [ORCHARD]);
  store.noteStore.setAccounts([{ index: 0, birthdayHeight: 2, until: 15 }]);
  t.deepEqual(store.emptiedAt(10), []);
});

test('a note without value is nothing left', (t) => {
  const store = storeFrom(2, chainWith({ 3: { notes: [{ account: 0, value: 0 }], spends: [] } }));
  store.scan(2, 9);
  t.is([...store.noteStore.notes].length, 1);
  t.deepEqual(store.emptiedAt(10), [ORCHARD]);
  store.skip(10, 20);
  store.scan(3, 3, 'node');
  t.is(store.noteStore.unsearched(0).length, 1);
});

test('what was not searched is known, and a reorganisation or another scan takes it back', (t) => {
  const store = storeFrom(2, chainWith({}));
  const unsearched = () => store.noteStore.unsearched(0).flatMap(({ ranges }) => ranges);
  store.scan(2, 9);
  store.skip(10, 20);
  t.deepEqual(unsearched(), [{ start: 10, end: 20 }]);
  t.deepEqual(store.noteStore.missing(), []);
  store.noteStore.rewind(15);
  t.deepEqual(unsearched(), [{ start: 10, end: 15 }]);
  store.scan(12, 13);
  t.deepEqual(unsearched(), [
    { start: 10, end: 11 },
    { start: 14, end: 15 },
  ]);
  store.noteStore.restart();
  t.deepEqual(unsearched(), []);
});

test('full blocks that were not searched stay so when compact ones, which change nothing there, come', (t) => {
  const store = storeFrom(2, chainWith({}));
  store.scan(2, 9, 'node');
  store.skip(10, 20, 'node');
  store.scan(10, 20);
  t.deepEqual(store.noteStore.unsearched(0), [{ ...ORCHARD, ranges: [{ start: 10, end: 20 }] }]);
});

/** A compact server makes up a spend in block 5. */
function lyingTo(world: World) {
  const store = storeFrom(2, world);
  const { scanned: paid } = world.at(3)!;
  const nullifiers = [
    { pool: 'orchard', txIndex: 1, txid: paid.notes[0]!.txid, nullifiers: paid.notes[0]!.nullifier! },
  ] as const;
  store.scan(2, 4);
  store.noteStore.apply([{ ...world.at(5)!.scanned, nullifiers }], 20);
  store.scan(6, 9);
  return store;
}

test('a spend that a full block denies brings back what was not searched', (t) => {
  const store = lyingTo(chainWith({ 3: PAID }));
  t.deepEqual(store.emptiedAt(10), [ORCHARD]);
  store.skip(10, 20);
  t.deepEqual([store.balance, store.noteStore.missing()], [0, []]);
  store.scan(5, 5, 'node');
  t.deepEqual([store.balance, store.noteStore.unsearched(0)], [7, []]);
  t.deepEqual(store.noteStore.missing(), [{ start: 10, end: 20 }]);
});

test('a spend in blocks that were not searched brings them back at once', (t) => {
  const store = lyingTo(chainWith({ 3: PAID, 14: CHANGED }));
  store.skip(10, 20);
  t.deepEqual([store.balance, store.noteStore.missing()], [0, [{ start: 10, end: 20 }]]);
  t.deepEqual(store.emptiedAt(10), []);
  store.scan(10, 20);
  t.deepEqual([store.balance, store.noteStore.missing()], [7, []]);
});

test('a note below the birthday brings it back, above a gap too', (t) => {
  const store = storeFrom(12, chainWith({ 3: PAID, 17: CHANGED }));
  store.skip(12, 13);
  store.skip(16, 20);
  t.is(store.balance, 0);
  store.scan(2, 4);
  t.deepEqual(store.noteStore.missing(), [{ start: 5, end: 20 }]);
  store.scan(16, 20);
  store.scan(5, 15);
  t.deepEqual([store.balance, store.noteStore.missing()], [7, []]);
});

test('once everything is to be searched, what was not counts as missing, and so do all spends above it', (t) => {
  // Its birthday is wrong.
  const store = storeFrom(12, chainWith({ 3: PAID, 13: PAID, 14: CHANGED, 18: SPENT }));
  store.skip(12, 15);
  store.scan(16, 20);
  store.noteStore.searchAllPools();
  t.deepEqual(store.noteStore.missing(), [{ start: 12, end: 20 }]);
  t.is(store.balance, 7, 'what was found stays');
  store.scan(12, 15);
  t.is(store.balance, 14, 'the change is found');
  store.scan(16, 20);
  t.deepEqual([store.balance, store.noteStore.missing()], [7, []], 'and its spend');
});
