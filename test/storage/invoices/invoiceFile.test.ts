// invoices.db: what is written is there, whole or not at all, for the master key that the wallet file has.

import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import type { InvoiceFiles, InvoiceStore, StoredInvoice } from '../../../src/actors/wallet/ports/invoice.ts';
import { createInvoiceFiles } from '../../../src/storage/invoices/invoiceFile.ts';
import { copyFolder } from '../../helpers/copyFolder.ts';
import { madeUpInvoice as invoice } from '../../helpers/madeUpInvoice.ts';
import { seededRandom } from '../../helpers/walletHarness.ts';

const [KEY, NEXT, OTHER] = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

const filesIn = (dataDir: string, seed = 'invoices'): InvoiceFiles =>
  createInvoiceFiles({ dataDir, randomBytes: seededRandom(seed) });
const rowsOf = (store: InvoiceStore): StoredInvoice[] =>
  [...store.load()].flat().sort((a, b) => (a.id < b.id ? -1 : 1));
const read = (files: InvoiceFiles, key: Uint8Array) => {
  const store = files.open(key);
  try {
    return { rows: rowsOf(store), sequence: store.sequence, series: store.series };
  } finally {
    store.close();
  }
};

test('there is no file before the first invoice; then rows and number are there after a restart', (t) => {
  const folder = temporaryFolder(t);
  const files = filesIn(folder);
  t.deepEqual(read(files, KEY), { rows: [], sequence: 0, series: null });
  t.deepEqual(fs.readdirSync(folder), []);
  const store = files.open(KEY);
  store.put([invoice(1), invoice(2)], 2);
  store.put([invoice(1, 3)], 3);
  const { series } = store;
  store.close();
  t.deepEqual(fs.readdirSync(folder), ['invoices.db']);
  t.is(fs.statSync(path.join(folder, 'invoices.db')).mode & 0o777, 0o600);
  t.deepEqual(read(filesIn(folder), KEY), { rows: [invoice(1, 3), invoice(2)], sequence: 3, series });
  const text = fs.readFileSync(path.join(folder, 'invoices.db')).toString('latin1');
  for (const clear of ['order', 'thanks', 'u1example', '154742504910672534362390'])
    t.false(text.includes(clear));
});

test('a process that dies after a write leaves it; a write that fails leaves what was there', (t) => {
  const folder = temporaryFolder(t);
  const store = filesIn(folder).open(KEY);
  store.put([invoice(1)], 1);
  // Left open, as a killed process does: the next one reads the log beside it.
  const copy = temporaryFolder(t);
  copyFolder(folder, copy);
  t.deepEqual(read(filesIn(copy, 'b'), KEY).rows, [invoice(1)]);
  const unwritable = { ...invoice(2), metadata: { n: 1n as unknown } };
  t.throws(() => store.put([invoice(3), unwritable], 3));
  t.is(store.sequence, 1);
  store.put([invoice(4, 2)], 2);
  store.close();
  t.deepEqual(read(filesIn(folder), KEY).rows, [invoice(1), invoice(4, 2)]);
});

test('a change of password at any moment leaves a file that the key in force opens, and no other', (t) => {
  for (const isReplaced of [false, true]) {
    const folder = temporaryFolder(t);
    const store = filesIn(folder).open(KEY);
    store.put([invoice(1)], 1);
    const { series } = store;
    store.close();
    const files = filesIn(folder, 'later');
    files.addKey(KEY, NEXT);
    const [holds, fails] = isReplaced ? [NEXT, KEY] : [KEY, NEXT];
    const next = files.open(holds);
    next.put([invoice(2)], 2);
    next.close();
    t.deepEqual(read(files, holds), { rows: [invoice(1), invoice(2)], sequence: 2, series });
    t.like(
      t.throws(() => files.open(fails)),
      { code: 'WALLET_CORRUPT' },
    );
    t.like(
      t.throws(() => files.open(OTHER)),
      { code: 'WALLET_CORRUPT' },
    );
  }
});

test('the keys of an earlier copy open nothing that was written after the change of password', (t) => {
  const folder = temporaryFolder(t);
  const store = filesIn(folder).open(KEY);
  store.put([invoice(1)], 1);
  store.close();
  const before = openDatabase(path.join(folder, 'invoices.db'));
  const keys = before.prepare('SELECT name, sealed FROM keys').all();
  before.close();
  const files = filesIn(folder, 'later');
  files.addKey(KEY, NEXT);
  const next = files.open(NEXT);
  next.put([invoice(2)], 2);
  next.close();
  const after = openDatabase(path.join(folder, 'invoices.db'));
  for (const { name, sealed } of keys)
    after.prepare('INSERT INTO keys(name, sealed) VALUES (?, ?)').run(name!, sealed!);
  after.close();
  const error = t.throws(() => files.open(KEY));
  t.like(error, { code: 'WALLET_CORRUPT' });
});

test('a row that vanishes, changes or goes back is noticed, and the file is left as it is', (t) => {
  const damage: readonly ((database: ReturnType<typeof openDatabase>) => void)[] = [
    (database) => database.exec('DELETE FROM invoices WHERE rowid = 1'),
    (database) => database.exec("UPDATE invoices SET sealed = x'00' WHERE rowid = 1"),
    (database) => database.exec('DELETE FROM head'),
    (database) => database.exec('DELETE FROM keys'),
    (database) => database.exec('CREATE VIEW seen AS SELECT 1'),
    (database) => database.exec('PRAGMA user_version = 3'),
  ];
  for (const change of damage) {
    const folder = temporaryFolder(t);
    const store = filesIn(folder).open(KEY);
    store.put([invoice(1), invoice(2)], 2);
    store.close();
    const file = path.join(folder, 'invoices.db');
    const database = openDatabase(file);
    change(database);
    database.close();
    const bytes = fs.readFileSync(file);
    t.like(
      t.throws(() => read(filesIn(folder), KEY)),
      { code: 'WALLET_CORRUPT' },
    );
    t.deepEqual(fs.readFileSync(file), bytes);
  }
});

test('the invoices of an earlier wallet are put aside', (t) => {
  const folder = temporaryFolder(t);
  const files = filesIn(folder);
  files.retire();
  const store = files.open(KEY);
  store.put([invoice(1)], 1);
  store.close();
  files.retire();
  t.deepEqual(fs.readdirSync(folder), ['invoices-retired-1.db']);
  t.deepEqual(read(files, OTHER).rows, []);
});
