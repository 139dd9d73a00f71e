// The journal as it is kept: in order, whole, and one that knows its own places from those of every other.

import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import type { JournalPage, JournalPlace } from '../../../src/actors/wallet/ports/journal.ts';
import type { NoteDatabase } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import {
  journalEntry,
  loaded,
  MASTER_KEY,
  note,
  noteDatabases,
  rescanEntry,
  state,
} from './support/noteDatabase.ts';

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const entries = (from: number, to: number) => range(to - from, (i) => journalEntry(from + i));

function read(store: NoteDatabase, after?: JournalPlace, limit = 1_000): JournalPage {
  const page = store.readJournal(after, limit);
  if (typeof page === 'string') throw new Error(page);
  return page;
}

function opened(t: ExecutionContext, folder = temporaryFolder(t), keptEntries?: number): NoteDatabase {
  const store = createNoteDatabases({
    dataDir: folder,
    randomBytes: (length) => new Uint8Array(length).map(() => Math.floor(Math.random() * 256)),
    ...(keptEntries !== undefined && { keptEntries }),
  }).open(MASTER_KEY);
  t.teardown(() => store.close());
  return store;
}

const numbers = ({ entries: reported }: JournalPage): number[] => reported.map(({ sequence }) => sequence);

test('entries come in the order in which they were written, in pages of any size, across restarts', (t) => {
  const folder = temporaryFolder(t);
  const written = [entries(0, 1), entries(1, 64), entries(64, 65), entries(65, 65), entries(65, 300)];
  for (const journal of written) {
    const store = noteDatabases(folder).open(MASTER_KEY);
    store.commit({ state: state(1), journal });
    store.close();
  }
  const store = opened(t, folder);
  const all = read(store);
  t.deepEqual(
    all.entries.map(({ sequence: _, ...entry }) => entry),
    entries(0, 300),
  );
  t.deepEqual(
    numbers(all),
    range(300, (i) => i + 1),
  );
  t.false(all.hasMore);
  for (const limit of [1, 7, 63, 64, 65, 128, 299, 300]) {
    const found: number[] = [];
    let after: JournalPlace | undefined;
    for (let more = true; more; ) {
      const page = read(store, after, limit);
      found.push(...numbers(page));
      after = page.next;
      more = page.hasMore;
    }
    t.deepEqual(found, numbers(all), `${limit}`);
    t.deepEqual(read(store, after), { ...all, entries: [], next: all.next });
  }
});

test('the entries of a commit that fails are not reported', (t) => {
  const store = opened(t);
  store.commit({ state: state(1), journal: entries(0, 60) });
  const { next } = read(store);
  t.throws(() =>
    store.commit({
      state: state(2),
      journal: (function* () {
        yield* entries(60, 90);
        throw new Error('no more');
      })(),
    }),
  );
  t.deepEqual(read(store, next).entries, []);
  // It is sealed after the pages were written.
  const unwritable = {
    ...state(2),
    toJSON: () => {
      throw new Error('no state');
    },
  };
  t.throws(() => store.commit({ state: unwritable, journal: entries(60, 90) }));
  t.deepEqual(read(store, next).entries, []);
  store.commit({ state: state(2), journal: entries(90, 91) });
  t.like(read(store, next).entries, [{ sequence: 61, ...journalEntry(90) }]);
});

test('the newest entry about a note is found, wherever it lies', (t) => {
  const store = opened(t);
  store.commit({ state: state(1), journal: [...entries(0, 200), journalEntry(5)] });
  const key = (i: number, kind: 'received' | 'spent' = 'received') => ({ kind, note: note(i) });
  t.deepEqual(store.findReported([key(5), key(0), key(199), key(7, 'spent'), key(5)]), [
    201,
    1,
    200,
    null,
    201,
  ]);
});

test('forgetting everything leaves what was reported', (t) => {
  const folder = temporaryFolder(t);
  const store = opened(t, folder);
  store.commit({ state: state(1), putNotes: [note(1)], journal: entries(0, 3) });
  const { next } = read(store);
  const page = { page: 4, rescanEntries: [rescanEntry(1)] };
  store.commit({ state: state(0), clear: true, putRescanPages: [page], journal: entries(3, 4) });
  t.deepEqual(numbers(read(store, next)), [4]);
  const again = noteDatabases(folder).open(MASTER_KEY);
  t.deepEqual(
    [...again.load()].flatMap(({ rescanEntries = [] }) => rescanEntries),
    [page],
  );
  again.close();
});

test('an older copy that was put back is recognised: by number, and by what was reported since', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'ledger.db');
  const first = noteDatabases(folder).open(MASTER_KEY);
  first.commit({ state: state(1), journal: entries(0, 70) });
  first.close();
  const copy = fs.readFileSync(file);
  const second = noteDatabases(folder).open(MASTER_KEY);
  const before = read(second).next;
  second.commit({ state: state(2), journal: entries(70, 80) });
  const after = read(second).next;
  second.close();

  for (const [since, isSame] of [
    [entries(70, 80), true],
    [entries(71, 82), false],
  ] as const) {
    fs.writeFileSync(file, copy);
    const store = noteDatabases(folder).open(MASTER_KEY);
    t.is(store.readJournal(after, 10), 'unknown', 'ahead of it');
    t.deepEqual(read(store, before).entries, []);
    store.commit({ state: state(3), journal: since });
    const answer = store.readJournal(after, 10);
    t.is(answer === 'unknown', !isSame);
    store.close();
  }
});

test('the end of the journal is a place to go on from, at every length', (t) => {
  const store = opened(t);
  for (let length = 0; length <= 130; length++) {
    if (length > 0) store.commit({ state: state(length), journal: entries(length - 1, length) });
    const end = store.readJournal('end', 10);
    if (typeof end === 'string') return t.fail(end);
    t.is(end.entries.length, 0);
    t.is(end.next.sequence, length);
    t.false(end.hasMore);
    t.deepEqual(end.next, read(store, undefined, 1000).next);
  }
  const { next } = read(store, undefined, 1000);
  store.commit({ state: state(200), journal: entries(130, 133) });
  t.is(read(store, next).entries.length, 3);
});

test('the place of another store is none of this one', (t) => {
  const [one, other] = [opened(t), opened(t)];
  for (const store of [one, other]) store.commit({ state: state(1), journal: entries(0, 10) });
  t.is(one.readJournal(read(other).next, 10), 'unknown');
  t.is(one.readJournal(read(other, undefined, 1).next, 10), 'unknown');
  t.notDeepEqual(read(one).id, read(other).id);
});

test('a change of password goes on with the same journal', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({
    state: state(1),
    journal: entries(0, 150),
    putRescanPages: [{ page: 2, rescanEntries: [rescanEntry(1)] }],
  });
  const before = read(store);
  const place = read(store, undefined, 70).next;
  const next = new Uint8Array(32).fill(9);
  for (const _ of store.reseal(next));
  store.close();
  const resealed = noteDatabases(folder).open(next);
  t.teardown(() => resealed.close());
  t.deepEqual(read(resealed), before);
  t.is(read(resealed, place).entries.length, 80);
  t.is([...resealed.load()].flatMap(({ rescanEntries = [] }) => rescanEntries).length, 1);
});

test('the oldest pages go, and a reader who has not read them learns that', (t) => {
  const folder = temporaryFolder(t);
  const store = opened(t, folder, 200);
  store.commit({ state: state(1), journal: entries(0, 10) });
  const old = read(store).next;
  let place = old;
  for (let i = 10; i < 1_000; i += 30) {
    store.commit({ state: state(1), journal: entries(i, i + 30) });
    t.is(read(store, place).entries.length, 30);
    place = read(store, place).next;
  }
  t.is(store.readJournal(old, 10), 'dropped');
  const kept = read(store);
  t.true(kept.entries.length >= 200 && kept.entries.length < 264, `${kept.entries.length}`);
  t.is(kept.entries[0]!.sequence, kept.oldest);
  t.is(kept.next.sequence, 1_000);
  const edge = read(store, undefined, 1);
  t.is(read(store, edge.next).entries[0]!.sequence, kept.oldest + 1);
  t.deepEqual(store.findReported([{ kind: 'received', note: note(0) }]), [null]);
});

test('a page of an older copy, one too few and one too many are noticed when the journal is used', async (t) => {
  const edits = {
    'an older page':
      'UPDATE journal SET sealed = (SELECT sealed FROM older.journal AS o WHERE o.name = journal.name) WHERE name IN (SELECT name FROM older.journal)',
    'a page too few': 'DELETE FROM journal WHERE rowid = 1',
    'all of it': 'DELETE FROM journal',
    'a page too many': "INSERT INTO journal VALUES (x'000102030405060708090a0b0c0d0e0f', x'00')",
    'rescan entries that were settled':
      'INSERT OR REPLACE INTO rescan_entries SELECT * FROM older.rescan_entries',
    'no rescan entries': 'DELETE FROM rescan_entries',
  };
  for (const [what, sql] of Object.entries(edits)) {
    const folder = temporaryFolder(t);
    const file = path.join(folder, 'ledger.db');
    const older = path.join(temporaryFolder(t), 'older.db');
    for (const [i, page] of [0, 1].entries()) {
      const store = noteDatabases(folder).open(MASTER_KEY);
      store.commit({
        state: state(i),
        journal: entries(i * 100, i * 100 + 100),
        putRescanPages: [
          { page: 0, rescanEntries: [] },
          { page, rescanEntries: [rescanEntry(i)] },
        ],
      });
      store.close();
      if (i === 0) fs.copyFileSync(file, older);
    }
    const database = openDatabase(file);
    database.exec(`ATTACH '${older}' AS older`);
    database.exec(sql);
    database.close();
    const store = noteDatabases(folder).open(MASTER_KEY);
    await failureOf(t, 'WALLET_CORRUPT', () => {
      if (what.includes('rescan entries')) t.log(what, loaded(store).notes.length);
      else t.log(what, store.readJournal(undefined, 1));
    });
    if (!what.includes('rescan entries')) {
      await failureOf(t, 'WALLET_CORRUPT', () => store.commit({ state: state(3), journal: entries(0, 1) }));
      t.notThrows(() => loaded(store), 'the journal is not read when the store is opened');
    }
    store.close();
  }
});
