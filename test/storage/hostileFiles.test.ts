// Databases that carry our stamp, but were made by somebody else: refused before anything in them is queried, and left
// as they are. What would never end is only safe to refuse: a query of it would hang this test.

import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createCompactStores } from '../../src/storage/blocks/compactStores.ts';
import { chain, place } from './blocks/support/compact.ts';
import { block, loaded, MASTER_KEY, noteDatabases, state } from './notes/support/noteDatabase.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

const hostileEdits = (table: string, column: string): Readonly<Record<string, string>> => ({
  'a view that never ends': `DROP TABLE ${table}; CREATE VIEW ${table} AS ${ENDLESS} SELECT i AS ${column} FROM n WHERE i < 0`,
  'a view beside': `CREATE VIEW other AS ${ENDLESS} SELECT i FROM n`,
  'a trigger that undoes': `CREATE TRIGGER t AFTER INSERT ON ${table} BEGIN DELETE FROM ${table}; END`,
  'a trigger on a table beside': `CREATE TABLE other(x); CREATE TRIGGER t AFTER INSERT ON other BEGIN DELETE FROM ${table}; END`,
  'a virtual table': 'CREATE VIRTUAL TABLE other USING fts5(x)',
  'other columns': `DROP TABLE ${table}; CREATE TABLE ${table}(${column}, more)`,
  'a computed column': `DROP TABLE ${table}; CREATE TABLE ${table}(x, ${column} AS (zeroblob(100000000)))`,
  'an index that computes': `CREATE INDEX i ON ${table}(length(${column}))`,
  'another spelling': `DROP TABLE ${table}; CREATE TABLE ${table.toUpperCase()}(${column} TEXT)`,
  'an endless number of tables': Array.from({ length: 300 }, (_, i) => `CREATE TABLE t${i}(x)`).join(';'),
});

function edit(file: string, sql: string): void {
  const database = openDatabase(file);
  database.exec(sql);
  database.close();
}

test('a note store with anything that is not ours is WALLET_CORRUPT and stays as it is', async (t) => {
  const edits = [hostileEdits('owner', 'proof'), hostileEdits('notes', 'name')].flatMap(
    Object.values<string>,
  );
  for (const sql of edits) {
    const folder = temporaryFolder(t);
    const store = noteDatabases(folder).open(MASTER_KEY);
    store.commit({ state: state(1), putBlocks: [block(1)] });
    store.close();
    edit(path.join(folder, 'ledger.db'), sql);
    const before = fingerprintsOf(folder);
    await failureOf(t, 'WALLET_CORRUPT', () => noteDatabases(folder).open(MASTER_KEY));
    t.deepEqual(fingerprintsOf(folder), before, sql);
  }
});

test('a compact store with anything that is not ours is INVALID_DB_PATH and stays as it is', async (t) => {
  const edits: readonly [string | undefined, Readonly<Record<string, string>>][] = [
    [undefined, hostileEdits('companion_store', 'genesis_hash')],
    ['mine.db', hostileEdits('compactblocks', 'data')],
  ];
  for (const [dbPath, hostile] of edits) {
    for (const sql of Object.values(hostile)) {
      const folder = temporaryFolder(t);
      const stores = createCompactStores();
      const store = stores.open(dbPath, place(folder));
      store.put(chain({ start: 1, end: 3 }));
      const file = store.summary().path;
      stores.close();
      edit(file, sql);
      const before = fingerprintsOf(folder);
      await failureOf(t, 'INVALID_DB_PATH', () => stores.find(dbPath, place(folder)));
      await failureOf(t, 'INVALID_DB_PATH', () => stores.open(dbPath, place(folder)));
      t.deepEqual(fingerprintsOf(folder), before, sql);
      stores.close();
    }
  }
});

test('a plain table that a later program may have added is left alone', (t) => {
  const folder = temporaryFolder(t);
  noteDatabases(folder).open(MASTER_KEY).close();
  edit(path.join(folder, 'ledger.db'), 'CREATE TABLE later(x); CREATE INDEX later_x ON later(x)');
  const store = noteDatabases(folder).open(MASTER_KEY);
  store.commit({ state: state(1) });
  t.is(loaded(store).state?.lastScanHeight, 1);
  store.close();
  t.deepEqual(fs.readdirSync(folder), ['ledger.db']);
});
