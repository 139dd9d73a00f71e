import fs from 'node:fs';
import path from 'node:path';
import type { CompactStoreStep } from '@wallet-companion/chain/store';
import { inspectDatabase, openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { compactServerId } from '../../../src/storage/files/dataFiles.ts';
import { chain, place } from './support/compact.ts';

const adding = (from: number): CompactStoreStep => ({
  from,
  to: from + 1,
  migrate: (database) => database.exec(`CREATE TABLE companion_made_up_${from}(height INTEGER)`),
});
const STEPS = [adding(1), adding(2)];

const BLOCKS = chain({ start: 1, end: 30 });
/** Version 3 of the main network. */
const STAMP = 3 * 16;

function makeStore(folder: string, dbPath?: string): string {
  const stores = createCompactStores();
  const store = stores.open(dbPath, place(folder));
  store.put(BLOCKS);
  const file = store.summary().path;
  stores.close();
  return file;
}

function formatOf(file: string): unknown {
  const database = openDatabase(file, { readOnly: true });
  try {
    return database.prepare('SELECT format FROM companion_store').get()?.['format'];
  } finally {
    database.close();
  }
}

test('an earlier store is brought up to date when it is opened; its copy goes with the first commit', (t) => {
  for (const dbPath of [undefined, 'mine/blocks.sqlite3']) {
    const folder = temporaryFolder(t);
    const file = makeStore(folder, dbPath);
    const stores = createCompactStores({ migrations: STEPS });
    const store = stores.find(dbPath, place(folder))!;
    t.deepEqual(store.read({ start: 1, end: 30 }, 1e9), BLOCKS);
    t.deepEqual(fs.readdirSync(path.dirname(file)).sort(), [
      path.basename(file),
      `${path.basename(file)}.v1`,
    ]);
    t.like(inspectDatabase(`${file}.v1`), { userVersion: 16 });
    store.put(chain({ start: 31, end: 32 }));
    stores.close();
    t.deepEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)]);
    t.like(inspectDatabase(file), { userVersion: STAMP });
    t.is(formatOf(file), 3);
    const again = createCompactStores({ migrations: STEPS });
    t.deepEqual(
      again.find(dbPath, place(folder))?.read({ start: 1, end: 32 }, 1e9),
      chain({ start: 1, end: 32 }),
    );
    again.close();
  }
});

test('a step that fails leaves the store to the earlier program', async (t) => {
  const folder = temporaryFolder(t);
  makeStore(folder);
  const failing: CompactStoreStep = {
    from: 3,
    to: 4,
    migrate: () => {
      throw new Error('a step that fails');
    },
  };
  await failureOf(t, 'STORAGE_FAILED', () =>
    createCompactStores({ migrations: [...STEPS, failing] }).find(undefined, place(folder)),
  );
  const stores = createCompactStores();
  t.deepEqual(stores.find(undefined, place(folder))?.read({ start: 1, end: 30 }, 1e9), BLOCKS);
  stores.close();
});

test('a store of another chain, or of a newer program, is not touched', async (t) => {
  const folder = temporaryFolder(t);
  makeStore(folder);
  const before = fingerprintsOf(folder);
  const elsewhere = place(folder, { genesisHash: '00'.repeat(32) });
  await failureOf(t, 'NETWORK_MISMATCH', () =>
    createCompactStores({ migrations: STEPS }).find(undefined, elsewhere),
  );
  t.deepEqual(fingerprintsOf(folder), before);

  const newer = createCompactStores({ migrations: STEPS });
  newer.find(undefined, place(folder));
  newer.close();
  const migrated = fingerprintsOf(folder);
  const error = await failureOf(t, 'INVALID_DB_PATH', () =>
    createCompactStores().open(undefined, place(folder)),
  );
  t.regex(error.message, /a newer format; it was left as it is/);
  t.deepEqual(fingerprintsOf(folder), migrated);
});

test('a new store has the latest version from the start', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores({ migrations: STEPS });
  const { path: file } = stores.open(undefined, place(folder)).summary();
  stores.close();
  t.like(inspectDatabase(file), { userVersion: STAMP });
  t.is(formatOf(file), 3);
  t.deepEqual(fs.readdirSync(folder), ['compact-main.db']);
});

test('the copy of a store that makes way for others goes with it', (t) => {
  const folder = temporaryFolder(t);
  const servers = [1, 2, 3, 4, 5].map((i) => `http://server${i}.example:9067`);
  const of = (server: string) => place(folder, { server });
  const stores = createCompactStores();
  for (const server of servers.slice(0, 4)) stores.open(undefined, of(server));
  stores.close();
  const oldest = path.join(folder, `compact-main-${compactServerId(servers[0]!)}.db`);
  const newer = createCompactStores({ migrations: STEPS });
  newer.find(undefined, of(servers[0]!));
  t.true(fs.existsSync(`${oldest}.v1`));
  fs.utimesSync(oldest, 1, 1);
  newer.open(undefined, of(servers[4]!));
  newer.close();
  t.deepEqual(
    fs.readdirSync(folder).filter((name) => name.startsWith(path.basename(oldest))),
    [],
  );
});
