// Summaries make a large store quick to load. They may be missing, old or damaged: what is loaded is always what was
// committed. Here they are made of three rows already.

import fs from 'node:fs';
import path from 'node:path';
import { runs } from '@wallet-companion/base/test/atLength';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import fc from 'fast-check';
import type { NoteDatabase, NoteStoreChange } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
import {
  loaded,
  MASTER_KEY,
  NoteStoreModel,
  note,
  noteDatabases,
  ordered,
  sentOutput,
  state,
  transaction,
} from './support/noteDatabase.ts';

const ROWS = 3;
const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const CHANGE: NoteStoreChange = {
  state: state(140),
  putNotes: range(20, (i) => note(i)),
  putSentOutputs: range(7, sentOutput),
  putTransactions: range(20, transaction),
};

const open = (folder: string): NoteDatabase => noteDatabases(folder, ROWS).open(MASTER_KEY);

/** A store that was loaded once, with its summaries. */
function summarised(folder: string): NoteStoreModel {
  const store = open(folder);
  const model = new NoteStoreModel();
  for (const commit of [CHANGE, { state: state(141), putNotes: [note(4, { value: 7 })] }]) {
    store.commit(commit);
    model.commit(commit);
  }
  loaded(store);
  store.close();
  return model;
}

function edit(folder: string, sql: string): void {
  const database = openDatabase(path.join(folder, 'ledger.db'));
  database.exec(sql);
  database.close();
}

function count(folder: string, where = 'true'): number {
  const database = openDatabase(path.join(folder, 'ledger.db'), { readOnly: true });
  const row = database.prepare(`SELECT count(*) AS n FROM summaries WHERE ${where}`).get();
  database.close();
  return Number(row?.['n']);
}

const loadedFrom = (folder: string) => {
  const store = open(folder);
  try {
    return ordered(loaded(store));
  } finally {
    store.close();
  }
};

test('any sequence of commits and clears, with loads in between, equals the model', (t) => {
  const entries = fc.uniqueArray(fc.nat(15), { maxLength: 9 });
  const change: fc.Arbitrary<NoteStoreChange> = fc.record(
    {
      state: fc.nat(1000).map(state),
      putNotes: fc.array(
        fc.tuple(fc.nat(15), fc.nat(3)).map(([i, value]) => note(i, { value })),
        { maxLength: 9 },
      ),
      deleteNotes: entries.map((list) => list.map((i) => note(i))),
      putSentOutputs: entries.map((list) => list.map(sentOutput)),
      deleteSentOutputs: entries.map((list) => list.map(sentOutput)),
      putTransactions: entries.map((list) => list.map(transaction)),
      deleteTransactions: entries.map((list) => list.map(transaction)),
    },
    { requiredKeys: ['state'] },
  );
  const step = fc.oneof(
    { weight: 6, arbitrary: change },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
    { weight: 4, arbitrary: fc.constantFrom('load' as const, 'restart' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const folder = fs.mkdtempSync(path.join(temporaryFolder(t), 'run-'));
      const model = new NoteStoreModel();
      let store = open(folder);
      for (const action of [...steps, 'restart' as const, 'load' as const]) {
        if (action === 'clear') {
          for (const all of [store, model]) all.commit({ state: state(1), clear: true });
        } else if (action === 'load') {
          t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
        } else if (action === 'restart') {
          store.close();
          store = open(folder);
        } else {
          store.commit(action);
          model.commit(action);
        }
      }
      store.close();
    }),
    { numRuns: runs(15, 60) },
  );
});

test('a loaded note goes into another row with its memo, also when its own row is deleted in the same change', (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  const store = open(folder);
  const known = [...store.load()]
    .flatMap(({ notes = [] }) => notes)
    .find(({ txid }) => txid === note(1).txid)!;
  const moved = { ...known, txid: note(50).txid };
  store.commit({ state: state(142), deleteNotes: [known], putNotes: [moved] });
  model.commit({ state: state(142), deleteNotes: [note(1)], putNotes: [note(1, { txid: note(50).txid })] });
  t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
  store.close();
});

test('a store is summarised when it is loaded, and only the rows that came since are opened', async (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  t.true(count(folder) >= 3);
  // A bit of each sealed text, but not of its tag: such a row cannot be opened.
  edit(
    folder,
    'UPDATE notes SET sealed = CAST(substr(sealed, 1, 30) || zeroblob(20) || substr(sealed, 51) AS BLOB)',
  );
  const store = open(folder);
  const notes = [...store.load()].flatMap(({ notes: some = [] }) => some);
  const values = (list: readonly { readonly value: number }[]) => list.map(({ value }) => value).sort();
  t.deepEqual(values(notes), values(model.snapshot().notes));
  const withMemo = notes.find(({ memo }) => memo !== null)!;
  await failureOf(t, 'WALLET_CORRUPT', () => withMemo.memo!.read());
  store.close();
  edit(folder, 'DELETE FROM summaries');
  await failureOf(t, 'WALLET_CORRUPT', () => loadedFrom(folder));
});

test('what a scan finds is summarised while it is written, so that the first load opens few rows', (t) => {
  const folder = temporaryFolder(t);
  const store = open(folder);
  const model = new NoteStoreModel();
  for (let i = 0; i < 6; i++) {
    const change = { state: state(140 + i), putNotes: [note(2 * i), note(2 * i + 1)] };
    store.commit(change);
    model.commit(change);
  }
  store.close();
  t.is(count(folder, "summarised = 'notes'"), 4);
  edit(
    folder,
    'UPDATE notes SET sealed = CAST(substr(sealed, 1, 30) || zeroblob(20) || substr(sealed, 51) AS BLOB)',
  );
  const reopened = open(folder);
  const notes = [...reopened.load()].flatMap(({ notes: some = [] }) => some);
  reopened.close();
  const reported = (list: readonly { readonly txid: string; readonly value: number }[]) =>
    list.map(({ txid, value }) => `${txid} ${value}`).sort();
  t.deepEqual(reported(notes), reported(model.snapshot().notes));
});

test('what was not committed is in no summary', async (t) => {
  const folder = temporaryFolder(t);
  const store = open(folder);
  store.commit({ state: state(140), putNotes: [note(1)] });
  // Transactions are written after notes.
  const broken = { ...transaction(3), height: 3n as unknown as number };
  const failing = { state: state(141), putNotes: [note(2), note(4)], putTransactions: [broken] };
  await t.throwsAsync(async () => store.commit(failing));
  store.commit({ state: state(141), putNotes: [note(5), note(6)] });
  t.deepEqual(
    loaded(store)
      .notes.map(({ txid }) => txid)
      .sort(),
    [note(1), note(5), note(6)].map(({ txid }) => txid).sort(),
  );
  store.close();
});

test('a row that is gone, put back or exchanged is noticed although it is summarised', async (t) => {
  const folder = temporaryFolder(t);
  summarised(folder);
  const file = path.join(folder, 'ledger.db');
  const copy = fs.readFileSync(file);
  const second = '(SELECT rowid FROM notes LIMIT 1 OFFSET 1)';
  for (const sql of [
    `DELETE FROM notes WHERE rowid = ${second}`,
    'DELETE FROM transactions',
    `UPDATE notes SET sealed = (SELECT sealed FROM notes LIMIT 1) WHERE rowid = ${second}`,
    "UPDATE notes SET sealed = 'text'",
    'INSERT INTO notes VALUES (zeroblob(16), zeroblob(100))',
  ]) {
    edit(folder, sql);
    await failureOf(t, 'WALLET_CORRUPT', () => loadedFrom(folder));
    fs.writeFileSync(file, copy);
  }
});

test('summaries that are damaged, exchanged, of old or gone change nothing, and are made anew', (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  // As a load makes them.
  edit(folder, 'DELETE FROM summaries');
  loadedFrom(folder);
  const whole = count(folder);
  const first = 'id = (SELECT min(id) FROM summaries)';
  for (const sql of [
    'DELETE FROM summaries',
    'UPDATE summaries SET sealed = zeroblob(500)',
    `UPDATE summaries SET sealed = zeroblob(3) WHERE ${first}`,
    `UPDATE summaries SET sealed = (SELECT sealed FROM summaries ORDER BY id DESC LIMIT 1) WHERE ${first}`,
    "UPDATE summaries SET summarised = 'notes'",
    'UPDATE notes SET rowid = rowid + 1000',
    'UPDATE notes SET rowid = 100000 - rowid',
  ]) {
    edit(folder, sql);
    t.deepEqual(loadedFrom(folder), ordered(model.snapshot()), sql);
    t.true(count(folder) >= whole - 3, sql);
    t.is(count(folder, 'length(sealed) < 1000'), 0, sql);
  }
});

test('old summaries put back beside newer rows change nothing', (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  edit(folder, 'CREATE TABLE old AS SELECT * FROM summaries');
  const store = open(folder);
  const change = {
    state: state(150),
    deleteNotes: [note(2), note(5)],
    putNotes: [note(3, { value: 99 }), note(30), note(31), note(32), note(33)],
  };
  store.commit(change);
  model.commit(change);
  store.close();
  t.deepEqual(loadedFrom(folder), ordered(model.snapshot()));
  edit(folder, 'DELETE FROM summaries; INSERT INTO summaries SELECT * FROM old');
  t.deepEqual(loadedFrom(folder), ordered(model.snapshot()));
});

test('summaries of rows that are gone make way', (t) => {
  const folder = temporaryFolder(t);
  summarised(folder);
  for (let round = 0; round < 8; round++) {
    const store = open(folder);
    store.commit({ state: state(150), putNotes: range(20, (i) => note(i, { value: round })) });
    loaded(store);
    store.close();
  }
  t.true(count(folder, "summarised = 'notes'") <= 8, `${count(folder)}`);
  const store = open(folder);
  store.commit({ state: state(1), clear: true });
  store.close();
  t.is(count(folder), 0);
});

test('a store that cannot be written to is loaded all the same', (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  edit(folder, 'DELETE FROM summaries');
  // Where this is taken, no write-ahead log can be used.
  fs.mkdirSync(path.join(folder, 'ledger.db-shm'));
  t.deepEqual(loadedFrom(folder), ordered(model.snapshot()));
  t.is(count(folder), 0);
});

test('a flipped bit anywhere in the file is noticed or without effect', (t) => {
  const folder = temporaryFolder(t);
  const model = summarised(folder);
  t.deepEqual(loadedFrom(folder), ordered(model.snapshot()));
  const intact = JSON.stringify(loadedFrom(folder));
  const file = path.join(folder, 'ledger.db');
  const whole = fs.readFileSync(file);
  for (let place = 0; place < whole.length; place += 1_999) {
    const damaged = Buffer.from(whole);
    damaged[place]! ^= 1 << (place % 8);
    fs.writeFileSync(file, damaged);
    try {
      t.true(JSON.stringify(loadedFrom(folder)) === intact, `byte ${place}`);
    } catch (error) {
      t.true(error instanceof CompanionError && error.code === 'WALLET_CORRUPT', `byte ${place}: ${error}`);
    }
    for (const ending of ['-wal', '-shm', '-journal']) fs.rmSync(file + ending, { force: true });
  }
});
