import fs from 'node:fs';
import path from 'node:path';
import { oneIn, runs } from '@wallet-companion/base/test/atLength';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { contentsOf, fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import type { Nullifier, TxId } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import fc from 'fast-check';
import type { NoteStoreChange } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../src/protocol/errors.ts';
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

const range = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const FULL_CHANGE: NoteStoreChange = {
  state: state(140),
  putNotes: range(30, (i) => note(i)),
  putSentOutputs: range(10, sentOutput),
  putTransactions: range(30, transaction),
  putBlocks: range(40, (i) => block(100 + i)),
  sightings: range(50, (i) => kept(i, 120 + (i % 10))),
};

test('a new note store is empty', (t) => {
  const store = noteDatabases(temporaryFolder(t)).open(MASTER_KEY);
  t.deepEqual(loaded(store), { state: undefined, notes: [], sentOutputs: [], transactions: [], blocks: [] });
  t.deepEqual(store.findSightings([kept(1, 1)]), [undefined]);
  store.close();
});

test('the log of a killed process is gone when one that only reads has closed the store', (t) => {
  const [folder, left] = [temporaryFolder(t), temporaryFolder(t)];
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({ state: state(7) });
  for (const name of fs.readdirSync(folder)) fs.copyFileSync(path.join(folder, name), path.join(left, name));
  store.close();
  t.true(fs.existsSync(path.join(left, 'ledger.db-wal')));
  const next = noteDatabases(left).open(MASTER_KEY);
  t.deepEqual(loaded(next).state, state(7));
  next.close();
  t.deepEqual(fs.readdirSync(left), ['ledger.db']);
});

test('what was committed is there after a restart, in every detail', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(FULL_CHANGE);
  store.close();
  store.close();
  const model = new NoteStoreModel();
  model.commit(FULL_CHANGE);
  const again = noteDatabases(folder).open(MASTER_KEY);
  t.deepEqual(ordered(loaded(again)), ordered(model.snapshot()));
  const wanted = [kept(3, 0), kept(99, 0), kept(7, 0)];
  t.deepEqual(again.findSightings(wanted), [kept(3, 123), undefined, kept(7, 127)]);
  again.close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
  if (process.platform !== 'win32') t.is(permissions(path.join(folder, 'ledger.db')), 0o600);
});

test('its working files are for the owner alone, too', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(FULL_CHANGE);
  const modes = fs.readdirSync(folder).map((name) => permissions(path.join(folder, name)));
  t.deepEqual(new Set(modes), process.platform === 'win32' ? new Set(modes) : new Set([0o600]));
  store.close();
});

test('nothing of ours can be found in the files', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder, 8).open(MASTER_KEY);
  const spent = note(1, { spent: { txid: note(5).txid, height: 133, txIndex: 2 } });
  store.commit({ ...FULL_CHANGE, putNotes: [...FULL_CHANGE.putNotes!, spent] });
  t.is(loaded(store).notes.length, 30);
  const ours = [...FULL_CHANGE.putNotes!, ...FULL_CHANGE.putSentOutputs!].flatMap((entry) => [
    entry.txid,
    ...('nullifier' in entry && entry.nullifier !== null ? [entry.nullifier] : []),
    ...('recipient' in entry ? [entry.recipient] : []),
  ]);
  const needles = ours.flatMap((hex) => {
    const bytes = Buffer.from(hex, 'hex');
    return [bytes, Buffer.from(bytes).reverse(), Buffer.from(hex)];
  });
  needles.push(
    Buffer.from('memo 1'),
    Buffer.from('recipient 1'),
    Buffer.from('external'),
    Buffer.from(MASTER_KEY),
  );
  for (const [name, contents] of contentsOf(folder)) {
    for (const needle of needles) t.is(contents.indexOf(needle), -1, name);
  }
  store.close();
});

test('the same notes leave other rows in another store: names and seals reveal nothing', (t) => {
  const rowsOf = (fill: number): string[] => {
    const folder = temporaryFolder(t);
    const store = noteDatabases(folder).open(new Uint8Array(32).fill(fill));
    store.commit({ state: state(1), putNotes: [note(1), note(2)] });
    store.close();
    const database = openDatabase(path.join(folder, 'ledger.db'), { readOnly: true });
    const rows = database.prepare('SELECT hex(name) AS name, hex(sealed) AS sealed FROM notes').all();
    database.close();
    return rows.flatMap(({ name, sealed }) => [String(name), String(sealed)]);
  };
  const all = [...rowsOf(1), ...rowsOf(2)];
  t.is(new Set(all).size, 8);
});

test('any sequence of commits, clearing ones too, with restarts in between, equals the model', (t) => {
  const entries = fc.uniqueArray(fc.nat(12), { maxLength: 6 });
  const heights = fc.nat(130).map((height) => height + 90);
  const change: fc.Arbitrary<NoteStoreChange> = fc.record(
    {
      state: fc.nat(1000).map(state),
      putNotes: fc.array(
        fc.tuple(fc.nat(12), fc.nat(3)).map(([i, value]) => note(i, { value })),
        { maxLength: 6 },
      ),
      deleteNotes: entries.map((list) => list.map((i) => note(i))),
      putSentOutputs: entries.map((list) => list.map(sentOutput)),
      deleteSentOutputs: entries.map((list) => list.map(sentOutput)),
      putTransactions: entries.map((list) => list.map(transaction)),
      deleteTransactions: entries.map((list) => list.map(transaction)),
      putBlocks: fc.tuple(heights, fc.constantFrom('', "'")).map(([h, b]) => [block(h, b), block(h + 1, b)]),
      deleteBlocks: fc.array(heights, { maxLength: 20 }),
      clear: fc.boolean(),
      deleteBlocksAbove: heights,
      sightings: fc.tuple(entries, heights).map(([list, h]) => list.map((i) => kept(i, h + (i % 5)))),
      deleteNullifiers: fc.array(
        fc.tuple(heights, heights).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) })),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['state'] },
  );
  const step = fc.oneof(
    { weight: 8, arbitrary: change },
    { weight: 2, arbitrary: fc.constant('restart' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      const folder = fs.mkdtempSync(path.join(temporaryFolder(t), 'run-'));
      const model = new NoteStoreModel();
      let store = noteDatabases(folder).open(MASTER_KEY);
      for (const action of steps) {
        if (action === 'restart') {
          store.close();
          store = noteDatabases(folder).open(MASTER_KEY);
        } else {
          store.commit(action);
          model.commit(action);
        }
      }
      t.deepEqual(ordered(loaded(store)), ordered(model.snapshot()));
      const wanted = range(13, (i) => kept(i, 0));
      t.deepEqual(
        store.findSightings(wanted),
        wanted.map((nullifier) => model.find(nullifier)),
      );
      store.close();
    }),
    { numRuns: runs(6, 40) },
  );
});

test('a commit that fails half-way changes nothing, and the next one works', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(FULL_CHANGE);
  const before = loaded(store);
  const broken = {
    ...kept(1, 125),
    txid: 'not bytes' as unknown as TxId,
    nullifier: null as unknown as Nullifier,
  };
  t.throws(
    () =>
      store.commit({
        state: state(200),
        deleteNotes: [note(1)],
        putNotes: [note(55)],
        sightings: [broken],
      }),
    { instanceOf: CompanionError },
  );
  t.deepEqual(loaded(store), before);
  store.commit({ state: state(141), putNotes: [note(56)] });
  t.is(loaded(store).notes.length, 31);
  store.close();
});

test('with another master key the store is reported as another wallet’s, and not touched', async (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(FULL_CHANGE);
  store.close();
  const before = fingerprintsOf(folder);
  const error = await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(new Uint8Array(32)));
  t.regex(error.message, /belongs to another wallet/);
  t.deepEqual(fingerprintsOf(folder), before);
});

test('retiring moves the store aside, as often as it takes, and keeps it whole', (t) => {
  const folder = temporaryFolder(t);
  const stores = noteDatabases(folder);
  stores.retire();
  t.deepEqual(fs.readdirSync(folder), []);
  for (const fill of [1, 2]) {
    const store = stores.open(new Uint8Array(32).fill(fill));
    store.commit(FULL_CHANGE);
    store.close();
    stores.retire();
  }
  t.deepEqual(fs.readdirSync(folder).sort(), ['ledger-retired-1.db', 'ledger-retired-2.db']);
  fs.renameSync(path.join(folder, 'ledger-retired-1.db'), path.join(folder, 'ledger.db'));
  const back = stores.open(new Uint8Array(32).fill(1));
  t.is(loaded(back).notes.length, 30);
  back.close();
});

test('a journal left without its database is not replayed into the next one', (t) => {
  const folder = temporaryFolder(t);
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit(FULL_CHANGE);
  const journal = fs.readFileSync(path.join(folder, 'ledger.db-wal'));
  store.close();
  t.true(journal.length > 0);
  fs.rmSync(path.join(folder, 'ledger.db'));
  fs.writeFileSync(path.join(folder, 'ledger.db-wal'), journal);
  const fresh = noteDatabases(folder).open(MASTER_KEY);
  t.is(loaded(fresh).state, undefined);
  fresh.close();
});

test('a file that is no note store is WALLET_CORRUPT and stays as it is', async (t) => {
  for (const contents of [
    '',
    'x',
    'SQLite format 3\0',
    `SQLite format 3\0${'\0'.repeat(5000)}`,
    'y'.repeat(50_000),
  ]) {
    const folder = temporaryFolder(t);
    fs.writeFileSync(path.join(folder, 'ledger.db'), contents);
    await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(MASTER_KEY));
    t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
    t.is(fs.readFileSync(path.join(folder, 'ledger.db'), 'utf8'), contents);
  }
});

test('a store of a newer format says so', async (t) => {
  const folder = temporaryFolder(t);
  noteDatabases(folder).open(MASTER_KEY).close();
  const file = path.join(folder, 'ledger.db');
  const contents = fs.readFileSync(file);
  contents.writeUInt32BE(9, 60);
  fs.writeFileSync(file, contents);
  const error = await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(MASTER_KEY));
  t.regex(error.message, /format 9/);
});

/** A small store: enough rows that every table has a page. */
const smallStore = (folder: string): Buffer => {
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({ ...FULL_CHANGE, sightings: [] });
  store.close();
  return fs.readFileSync(path.join(folder, 'ledger.db'));
};

/** What opening a damaged store may end in: the contents as they were, or WALLET_CORRUPT. Never other contents. */
function outcomeOf(folder: string): string {
  try {
    const store = noteDatabases(folder).open(MASTER_KEY);
    try {
      return JSON.stringify(ordered(loaded(store)));
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof CompanionError && error.code === 'WALLET_CORRUPT') return 'WALLET_CORRUPT';
    return `${error} <- ${(error as Error).cause}`;
  }
}

test('flipped bits are noticed or without effect: no note ever vanishes or changes in silence', (t) => {
  const folder = temporaryFolder(t);
  const whole = smallStore(folder);
  const file = path.join(folder, 'ledger.db');
  const intact = outcomeOf(folder);
  let noticed = 0;
  let runs = 0;
  // The structures of each page (headers, cell pointers, the last cells) flip one by one, the rest by sample.
  for (let page = 0; page < whole.length; page += 16_384) {
    const places = new Set([
      ...oneIn(
        2,
        range(20, (i) => i),
      ),
      ...oneIn(
        3,
        range(20, (i) => (i * 811 + 97) % 16_384),
      ),
    ]);
    for (const place of places) {
      const damaged = Buffer.from(whole);
      damaged[page + place]! ^= 1 << ((page + place) % 8);
      fs.writeFileSync(file, damaged);
      const outcome = outcomeOf(folder);
      runs++;
      if (outcome === 'WALLET_CORRUPT') noticed++;
      else if (outcome !== intact) t.fail(`byte ${page + place}: ${outcome.slice(0, 200)}`);
      for (const ending of ['-wal', '-shm', '-journal']) fs.rmSync(file + ending, { force: true });
    }
  }
  t.true(noticed > runs / 10, `${noticed} of ${runs}`);
});

test('a truncated store is WALLET_CORRUPT and stays as it is', (t) => {
  const folder = temporaryFolder(t);
  const whole = smallStore(folder);
  const file = path.join(folder, 'ledger.db');
  for (const length of [0, 1, 99, 100, 101, 1000, 16_384, 16_385, whole.length - 16_384, whole.length - 1]) {
    fs.writeFileSync(file, whole.subarray(0, length));
    t.is(outcomeOf(folder), 'WALLET_CORRUPT', `${length} bytes`);
    t.true(fs.readFileSync(file).equals(whole.subarray(0, length)));
  }
});

test('a row exchanged for an older one, moved or dropped is noticed', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'ledger.db');
  smallStore(folder);
  const tamper = (sql: string): string => {
    const copy = fs.readFileSync(file);
    const database = openDatabase(file);
    database.exec(sql);
    database.close();
    const outcome = outcomeOf(folder);
    fs.writeFileSync(file, copy);
    return outcome;
  };
  const first = 'rowid = (SELECT min(rowid) FROM notes)';
  t.is(tamper(`DELETE FROM notes WHERE ${first}`), 'WALLET_CORRUPT');
  t.is(
    tamper(`UPDATE notes SET sealed = (SELECT sealed FROM notes LIMIT 1 OFFSET 1) WHERE ${first}`),
    'WALLET_CORRUPT',
  );
  t.is(tamper('INSERT INTO transactions SELECT * FROM notes LIMIT 1'), 'WALLET_CORRUPT');
  t.is(tamper('DELETE FROM state'), 'WALLET_CORRUPT');
  t.is(tamper(`UPDATE notes SET sealed = 'text' WHERE ${first}`), 'WALLET_CORRUPT');
  t.is(tamper('UPDATE blocks SET hash = zeroblob(32) WHERE height = 101'), 'WALLET_CORRUPT');
  t.is(tamper('UPDATE blocks SET time = time + 1 WHERE height = 101'), 'WALLET_CORRUPT');
  t.is(tamper(`UPDATE blocks SET time = ${2n ** 60n} WHERE height = 101`), 'WALLET_CORRUPT');
  t.is(tamper(`UPDATE notes SET rowid = ${2n ** 60n} WHERE ${first}`), 'WALLET_CORRUPT');
  t.is(tamper('DROP TABLE blocks'), 'WALLET_CORRUPT');
  t.is(tamper('DELETE FROM owner'), 'WALLET_CORRUPT');
});

test('a folder that cannot be written is STORAGE_FAILED', async (t) => {
  const folder = path.join(temporaryFolder(t), 'missing');
  await failureOf(t, 'STORAGE_FAILED', () => noteDatabases(folder).open(MASTER_KEY));
});
