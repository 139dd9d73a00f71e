// The note store under another master key, as a change of password makes it.

import fs from 'node:fs';
import path from 'node:path';
import { oneIn } from '@wallet-companion/base/test/atLength';
import { deriveSubkey, xchacha } from '@wallet-companion/disk/sealing';
import { bytesColumn, openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabase, NoteStoreChange } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { isOwnFileName } from '../../../src/storage/files/dataFiles.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { copyFolder } from '../../helpers/copyFolder.ts';
import {
  block,
  kept,
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

const NEXT_KEY = new Uint8Array(32).fill(8);
const NEXT_FILE = 'ledger-next.db';

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** More rows than are read, or passed on, at once. */
const FULL: NoteStoreChange = {
  state: state(900),
  putNotes: range(700, (i) => note(i)),
  putSentOutputs: range(20, sentOutput),
  putTransactions: range(600, transaction),
  putBlocks: range(30, (i) => block(871 + i)),
  sightings: range(3_000, (i) => kept(i, 300 + (i % 900))),
};
/** So that rows are gone, and the numbers of kept transactions do not begin at 1. */
const LATER: NoteStoreChange = {
  state: state(901),
  deleteNotes: range(50, (i) => note(3 * i)),
  putBlocks: [block(901)],
  deleteNullifiers: [{ start: 0, end: 320 }],
};

function filled(t: Pick<ExecutionContext, 'teardown'>): {
  folder: string;
  store: NoteDatabase;
  model: NoteStoreModel;
} {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder, 100).open(MASTER_KEY);
  t.teardown(() => store.close());
  const model = new NoteStoreModel();
  for (const change of [FULL, LATER]) {
    store.commit(change);
    model.commit(change);
  }
  return { folder, store, model };
}

const ends: (() => unknown)[] = [];
test.after.always(() => ends.forEach((end) => void end()));
let closed: string | undefined;

/** The files of a filled store that was closed; it is filled once. */
function filledFiles(t: ExecutionContext): string {
  if (closed === undefined) {
    const made = filled({ teardown: (end) => ends.push(end) });
    made.store.close();
    closed = made.folder;
  }
  const folder = temporaryFolder(t);
  copyFolder(closed, folder);
  return folder;
}

const resealAll = (store: NoteDatabase): void => {
  for (const _ of store.reseal(NEXT_KEY));
};

test('a store under another key holds the same, vouched for as before, and goes on', async (t) => {
  const { folder, store, model } = filled(t);
  resealAll(store);
  t.is(permissions(path.join(folder, NEXT_FILE)), 0o600);
  t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
  store.close();
  const next = noteDatabases(folder, 100).open(NEXT_KEY);
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
  t.deepEqual(ordered(loaded(next)), ordered(model.snapshot()));
  const asked = range(3_000, (i) => kept(i, 300 + (i % 900)));
  t.deepEqual(
    next.findSightings(asked),
    asked.map((sighting) => model.find(sighting)),
  );
  const more: NoteStoreChange = {
    state: state(902),
    putNotes: [note(1), note(800)],
    sightings: [kept(4_000, 950)],
  };
  next.commit(more);
  model.commit(more);
  next.commit({ state: state(902), deleteNullifiers: [{ start: 901, end: Number.MAX_SAFE_INTEGER }] });
  model.commit({ state: state(902), deleteNullifiers: [{ start: 901, end: Number.MAX_SAFE_INTEGER }] });
  next.close();
  const again = noteDatabases(folder).open(NEXT_KEY);
  t.deepEqual(ordered(loaded(again)), ordered(model.snapshot()));
  t.deepEqual(
    again.findSightings([...asked, kept(4_000, 950)]),
    [...asked, kept(4_000, 950)].map((sighting) => model.find(sighting)),
  );
  again.close();
  await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(MASTER_KEY));
});

test('an empty store, and one that was never written to, go under another key as well', (t) => {
  for (const change of [undefined, { ...FULL, clear: true }] as const) {
    const folder = temporaryFolder(t);
    const store = noteDatabases(folder).open(MASTER_KEY);
    if (change !== undefined) {
      store.commit(FULL);
      store.commit({ state: state(7), clear: true });
    }
    const before = loaded(store);
    resealAll(store);
    store.close();
    const next = noteDatabases(folder).open(NEXT_KEY);
    t.deepEqual(loaded(next), before);
    next.commit(FULL);
    next.close();
  }
});

test('neither a row nor a name of the old key is left in the file', (t) => {
  const { folder, store } = filled(t);
  const old = openDatabase(path.join(folder, 'ledger.db'));
  const rows = ['notes', 'sent_outputs', 'transactions', 'state', 'kept_sums'].flatMap((table) =>
    old.prepare(`SELECT name, sealed FROM ${table}`).all(),
  );
  old.close();
  resealAll(store);
  const bytes = fs.readFileSync(path.join(folder, NEXT_FILE));
  for (const row of rows) {
    t.false(bytes.includes(Buffer.from(bytesColumn(row, 'name'))));
    t.false(bytes.includes(Buffer.from(bytesColumn(row, 'sealed').subarray(-16))));
  }
  const key = deriveSubkey(MASTER_KEY, 'ledger/seal/1');
  const next = openDatabase(path.join(folder, NEXT_FILE));
  for (const table of ['notes', 'summaries', 'state']) {
    for (const row of next.prepare(`SELECT * FROM ${table}`).all()) {
      const sealed = bytesColumn(row, 'sealed');
      const name = row['name'] instanceof Uint8Array ? row['name'] : Buffer.from('summary/1');
      const context = Buffer.concat([Buffer.from(`${table}:`), name]);
      t.is(xchacha().decrypt(key, sealed.subarray(0, 24), sealed.subarray(24), context), undefined);
    }
  }
  next.close();
});

const edits: Readonly<Record<string, string>> = {
  'a note that is gone': 'DELETE FROM notes WHERE rowid = (SELECT max(rowid) FROM notes)',
  'a note that is damaged':
    "UPDATE notes SET sealed = sealed || x'00' WHERE rowid = (SELECT min(rowid) FROM notes)",
  'a transaction that is gone':
    'DELETE FROM transactions WHERE rowid = (SELECT min(rowid) FROM transactions)',
  'a block that is gone': 'DELETE FROM blocks WHERE height = 880',
  'a kept nullifier that is gone':
    'DELETE FROM kept_nullifiers WHERE nullifier = (SELECT max(nullifier) FROM kept_nullifiers)',
  'a kept transaction of another height': 'UPDATE kept_transactions SET height = height + 1',
  'rowSums that are gone': 'DELETE FROM kept_sums',
};

for (const [what, sql] of Object.entries(edits)) {
  test(`${what} is not vouched for anew`, async (t) => {
    const folder = filledFiles(t);
    const file = openDatabase(path.join(folder, 'ledger.db'));
    file.exec(sql);
    file.close();
    const edited = noteDatabases(folder).open(MASTER_KEY);
    await failureOf(t, 'WALLET_CORRUPT', () => resealAll(edited));
    t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
    edited.close();
  });
}

test('a disk that is full leaves the store as it was, and nothing beside it', async (t) => {
  const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  for (const rowsUntilFull of oneIn(2, [0, 1, 400, 1_300, 1_322])) {
    const folder = temporaryFolder(t);
    let left = Number.POSITIVE_INFINITY;
    const stores = createNoteDatabases({
      dataDir: folder,
      randomBytes: (length) => {
        if (left-- <= 0) throw full;
        return new Uint8Array(length).map(() => Math.floor(Math.random() * 256));
      },
    });
    const store = stores.open(MASTER_KEY);
    store.commit(FULL);
    store.close();
    const before = fingerprintsOf(folder);
    const again = stores.open(MASTER_KEY);
    left = rowsUntilFull;
    const { message } = await failureOf(t, 'STORAGE_FAILED', () => resealAll(again));
    t.regex(message, /ledger-next\.db could not be written \(ENOSPC\)/);
    left = Number.POSITIVE_INFINITY;
    again.close();
    t.deepEqual(fingerprintsOf(folder), before);
  }
});

test('given up in the middle, nothing lies beside', (t) => {
  const { folder, store } = filled(t);
  for (const _ of store.reseal(NEXT_KEY)) break;
  store.close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
});

test('a store beside of a change that was not made goes when the store is opened', (t) => {
  const { folder, store, model } = filled(t);
  resealAll(store);
  store.close();
  const opened = noteDatabases(folder).open(MASTER_KEY);
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
  t.deepEqual(ordered(loaded(opened)), ordered(model.snapshot()));
  opened.close();
});

test('with the wallet file of neither store nothing is touched', async (t) => {
  const { folder, store } = filled(t);
  resealAll(store);
  store.close();
  const before = fingerprintsOf(folder);
  await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(new Uint8Array(32)));
  t.deepEqual(fingerprintsOf(folder), before);
});

test('what SQLite left beside the old store is not replayed into the new one', (t) => {
  const { folder, store, model } = filled(t);
  resealAll(store);
  // As a killed process leaves them.
  for (const ending of ['', '-wal']) {
    const file = path.join(folder, `ledger.db${ending}`);
    fs.copyFileSync(file, `${file}~`);
  }
  store.close();
  for (const ending of ['', '-wal']) {
    const file = path.join(folder, `ledger.db${ending}`);
    fs.renameSync(`${file}~`, file);
  }
  const next = noteDatabases(folder).open(NEXT_KEY);
  t.deepEqual(ordered(loaded(next)), ordered(model.snapshot()));
  next.close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
});

test('something else beside, a file or a folder, does not keep the owner out', (t) => {
  for (const contents of ['', 'not a database'.repeat(100), undefined]) {
    const { folder, store, model } = filled(t);
    store.close();
    const beside = path.join(folder, NEXT_FILE);
    if (contents === undefined) fs.mkdirSync(beside);
    else fs.writeFileSync(beside, contents);
    const opened = noteDatabases(folder).open(MASTER_KEY);
    t.deepEqual(ordered(loaded(opened)), ordered(model.snapshot()));
    opened.close();
  }
});

test('when another wallet is made, both stores are put aside', (t) => {
  const { folder, store } = filled(t);
  resealAll(store);
  store.close();
  noteDatabases(folder).retire();
  t.deepEqual(fs.readdirSync(folder).sort(), ['ledger-retired-1.db', 'ledger-retired-2.db']);
});

test('no client may name the store beside', (t) => {
  t.true(isOwnFileName(NEXT_FILE));
  t.true(isOwnFileName(`${NEXT_FILE}-wal`));
});
