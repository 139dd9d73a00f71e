// What the note store says in its journal: once, in order, and against what was said before. test/truth has the schedules
// that draw on all of it.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { feeOf } from '../../../../src/actors/wallet/noteStore/enhancement.ts';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import type { NumberedEntry } from '../../../../src/actors/wallet/ports/journal.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { Blocks, type Made, World } from '../../../truth/support/world.ts';

const ACCOUNTS = [{ index: 0, birthdayHeight: 1 }];
const paid = (value: number): Made => ({ notes: [{ account: 0, value }], spends: [] });
const spends: Made = { notes: [], spends: [0] };
const empty: Made = { notes: [], spends: [] };

function setUp(minConfirmations = 1, store = new MemoryNoteDatabase()) {
  const world = new World(new Blocks());
  const confirmations = { needed: minConfirmations };
  const noteStore = new NoteStore(store, ACCOUNTS, 1);
  noteStore.confirmAfter(() => confirmations.needed);
  const scan = (from = 1, to = world.tip) =>
    noteStore.apply(world.chain.slice(from - 1, to).map(({ scanned }) => scanned));
  let sequence = 0;
  /** What is new, as `kind value@height`. */
  const news = (): string[] => {
    const page = noteStore.readJournal(undefined, 10_000);
    if (typeof page === 'string') throw new Error(page);
    const fresh = page.entries.filter((entry) => entry.sequence > sequence);
    sequence = page.next.sequence;
    return fresh.map(({ kind, value, height, reverses }: NumberedEntry) =>
      [`${kind} ${value}@${height}`, ...(reverses === null ? [] : [`of ${reverses}`])].join(' '),
    );
  };
  return { world, noteStore, store, scan, news, confirmations };
}

test('a note is received before it is spent, and confirmed after both', (t) => {
  const { world, scan, news } = setUp();
  world.mine([paid(5), spends, paid(6)]);
  scan();
  t.deepEqual(news(), ['received 5@1', 'spent 5@2', 'received 6@3', 'confirmed 5@1', 'confirmed 6@3']);
  scan();
  scan(2, 2);
  t.deepEqual(news(), [], 'blocks applied twice say nothing');
});

test('confirmed is reported once for each receipt, whatever is asked for later', (t) => {
  const { world, scan, news, noteStore, confirmations } = setUp(3);
  world.mine([paid(1), empty]);
  scan();
  t.deepEqual(news(), ['received 1@1']);
  world.mine([paid(3)]);
  scan(3);
  t.deepEqual(news(), ['received 3@3', 'confirmed 1@1']);
  confirmations.needed = 10;
  world.mine([empty, empty]);
  scan(4);
  t.deepEqual(news(), []);
  confirmations.needed = 3;
  world.mine([empty]);
  scan(6);
  t.deepEqual(news(), ['confirmed 3@3']);
  noteStore.rewind(3);
  scan(4);
  t.deepEqual(news(), [], 'a fork above it that is too near takes nothing back');
  noteStore.rewind(2);
  t.deepEqual(news(), ['unreceived 3@3 of 2']);
  scan(3);
  t.deepEqual(news(), ['received 3@3', 'confirmed 3@3']);
});

test('a reorganisation takes back the spend, then the note, and says which', (t) => {
  const { world, scan, news, noteStore } = setUp(9);
  world.mine([paid(1), paid(2), spends, spends]);
  scan();
  t.deepEqual(news(), ['received 1@1', 'received 2@2', 'spent 2@3', 'spent 1@4']);
  noteStore.rewind(1);
  t.deepEqual(news(), ['unspent 1@4 of 4', 'unspent 2@3 of 3', 'unreceived 2@2 of 2']);
});

test('what is forgotten is taken back when its block was scanned again and is another one', (t) => {
  const { world, scan, news, noteStore } = setUp();
  world.mine([paid(1), paid(2), spends, paid(4)]);
  scan();
  t.is(news().length, 7);
  noteStore.restart();
  world.reorganise(2, [empty, empty]);
  t.deepEqual(news(), []);
  scan(1, 2);
  t.deepEqual(news(), []);
  scan(3, 3);
  t.deepEqual(news(), ['unspent 2@3 of 3']);
  scan(4, 4);
  t.deepEqual(news(), ['unreceived 4@4 of 4']);
});

test('rescan entries outlive a restart', (t) => {
  const store = new MemoryNoteDatabase();
  const { world, scan, noteStore } = setUp(1, store);
  world.mine([paid(1), paid(2), spends]);
  scan();
  noteStore.forget(2);
  const again = new NoteStore(store, ACCOUNTS, 1);
  again.apply(world.chain.slice(1).map(({ scanned }) => scanned));
  const page = again.readJournal(undefined, 100);
  t.is(typeof page === 'object' ? page.entries.length : 0, 5);
  t.deepEqual([...store.load()][0]?.rescanEntries, []);
});

test('a memo that comes to be known later is reported once, and not again after a rescan', (t) => {
  const { world, noteStore, news } = setUp();
  world.mine([paid(1)]);
  const compact = world.chain.map(({ scanned }) => ({
    ...scanned,
    notes: scanned.notes.map((note) => ({ ...note, memo: null })),
  }));
  const txid = txIdToHex(compact[0]!.notes[0]!.txid);
  const enhance = () =>
    noteStore.enhance([
      {
        txid,
        memos: [{ pool: 'orchard', account: 0, outputIndex: 0, memo: new Uint8Array(512).fill(65) }],
        sent: [],
      },
    ]);
  noteStore.apply(compact);
  t.deepEqual(news(), ['received 1@1', 'confirmed 1@1']);
  enhance();
  t.deepEqual(news(), ['memo 1@1']);
  enhance();
  noteStore.restart();
  noteStore.apply(compact);
  enhance();
  t.deepEqual(news(), []);
});

test('a fee is ours where all inputs are, by number or by worth', (t) => {
  const note = (value: number, outputIndex = 0) => ({ pool: 'orchard', outputIndex, value }) as never;
  const paidBy = (fee: number, inputs: number, leaving = fee) => ({ fee, inputs, leaving });
  // One note of 100 pays 60, 30 come back, 10 are left.
  t.is(feeOf(paidBy(10, 1), [note(30)], [note(100)], []), 10, 'by number');
  t.is(feeOf(paidBy(10, 2), [note(30)], [note(100)], [note(60, 1)]), 10, 'by worth');
  t.is(feeOf(paidBy(10, 2), [note(30)], [note(100)], [note(60, 1), note(30)]), 10, 'change counts once');
  t.is(feeOf(paidBy(10, 2, 70), [note(30)], [note(100)], []), 10, 'the rest went to transparent outputs');
  t.is(feeOf(paidBy(10, 2), [note(30)], [note(100)], []), undefined, 'an output that we cannot see');
  t.is(feeOf(paidBy(10, 2), [note(90)], [note(100)], [note(60, 1)]), undefined, 'somebody paid with us');
  t.is(feeOf(paidBy(10, 1), [note(30)], [], []), undefined, 'somebody paid us');
  t.is(feeOf(undefined, [note(30)], [note(100)], []), undefined, 'transparent inputs');
  t.is(feeOf(paidBy(-5, 1), [note(30)], [note(100)], []), undefined, 'no fee at all');
});
