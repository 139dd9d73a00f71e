import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { runs } from '@wallet-companion/base/test/atLength';
import type { StoredCompactBlock } from '@wallet-companion/chain/ports';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { fingerprintsOf, permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import fc from 'fast-check';
import { BLOCK_ORIGINS_SCHEMA, BlockOrigins } from '#chain/store/blockOrigins';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { hasSqliteShell } from '../../helpers/sqliteShell.ts';
import { nextMessage, startChild } from '../support/child.ts';
import { chain, chainBlock, everything, place } from './support/compact.ts';

test('what is put can be read back, byte for byte, after a restart', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  stores.open(undefined, place(folder)).put(chain({ start: 100, end: 399 }));
  stores.close();
  const store = stores.open(undefined, place(folder));
  t.deepEqual(store.read({ start: 100, end: 399 }, 1e9), chain({ start: 100, end: 399 }));
  t.deepEqual(store.hashAt(250), chainBlock(250).hash);
  t.is(store.hashAt(99), undefined);
  t.deepEqual(store.summary(), {
    path: path.join(folder, 'compact-main.db'),
    firstHeight: 100,
    lastHeight: 399,
    blockCount: 300,
    missingRanges: [],
  });
  stores.close();
  t.deepEqual(fs.readdirSync(folder), ['compact-main.db']);
  if (process.platform !== 'win32') t.is(permissions(path.join(folder, 'compact-main.db')), 0o600);
});

test('an empty store says so', (t) => {
  const stores = createCompactStores();
  const store = stores.open('blocks.db', place(temporaryFolder(t)));
  const { path: _, ...summary } = store.summary();
  t.deepEqual(summary, { firstHeight: null, lastHeight: null, blockCount: 0, missingRanges: [] });
  t.deepEqual(store.read(everything, 1e9), []);
  store.put([]);
  store.remove(everything);
  stores.close();
});

test('gaps are visible until they are closed', (t) => {
  const stores = createCompactStores();
  const store = stores.open(undefined, place(temporaryFolder(t)));
  store.put(chain({ start: 50, end: 59 }));
  store.put(chain({ start: 10, end: 19 }));
  store.put(chain({ start: 30, end: 39 }));
  t.deepEqual(store.summary().missingRanges, [
    { start: 20, end: 29 },
    { start: 40, end: 49 },
  ]);
  t.is(store.summary().blockCount, 30);
  t.is(store.read({ start: 30, end: 100 }, 1e9).at(-1)?.height, 39, 'reading ends at a gap');
  t.deepEqual(store.read({ start: 20, end: 100 }, 1e9), [], 'and does not begin in one');
  store.put(chain({ start: 20, end: 49 }));
  t.deepEqual(store.summary().missingRanges, []);
  t.is(store.read(everything, 1e9).length, 0);
  t.is(store.read({ start: 10, end: 1000 }, 1e9).length, 50);
  stores.close();
});

test('reading stops at the size asked for, after at least one block', (t) => {
  const stores = createCompactStores();
  const store = stores.open(undefined, place(temporaryFolder(t)));
  store.put(chain({ start: 1, end: 300 }));
  t.is(store.read({ start: 1, end: 300 }, 0).length, 1);
  t.is(store.read({ start: 1, end: 300 }, 80).length, 2);
  t.is(store.read({ start: 1, end: 300 }, 119).length, 2);
  t.is(store.read({ start: 1, end: 300 }, 40 * 250).length, 250);
  t.is(store.read({ start: 1, end: 7 }, 1e9).length, 7);
  stores.close();
});

const BAD_CHAINS: readonly (readonly [title: string, blocks: readonly StoredCompactBlock[]])[] = [
  ['a height is skipped', [chainBlock(20), chainBlock(22)]],
  ['a height is repeated', [chainBlock(20), chainBlock(20)]],
  ['heights fall', [chainBlock(21), chainBlock(20)]],
  ['a block does not follow the one before it', [chainBlock(20), chainBlock(21, "'")]],
  ['the first does not follow the stored one below', [chainBlock(20, "'")]],
  ['the last is not what the stored one above follows', [chainBlock(29, "'", 28)]],
  ['another block is stored at that height', [chainBlock(19, "'", 18)]],
  ['the last of many is wrong', [...chain({ start: 20, end: 27 }), chainBlock(28, "'")]],
];

for (const [title, blocks] of BAD_CHAINS) {
  test(`blocks are refused as a whole when ${title}`, async (t) => {
    const stores = createCompactStores();
    const store = stores.open(undefined, place(temporaryFolder(t)));
    store.put(chain({ start: 10, end: 19 }));
    store.put(chain({ start: 30, end: 39 }));
    const before = store.summary();
    await failureOf(t, 'COMPACT_SERVER_BAD_RESPONSE', () => store.put(blocks));
    t.deepEqual(store.summary(), before);
    t.deepEqual(store.read({ start: 10, end: 19 }, 1e9), chain({ start: 10, end: 19 }));
    t.is(store.hashAt(20), undefined);
    stores.close();
  });
}

test('the same block again replaces its bytes: a newer server may know more of it', (t) => {
  const stores = createCompactStores();
  const store = stores.open(undefined, place(temporaryFolder(t)));
  store.put(chain({ start: 10, end: 19 }));
  const fuller = { ...chainBlock(15), data: new Uint8Array(100).fill(9) };
  store.put([fuller]);
  t.deepEqual(store.read({ start: 15, end: 15 }, 1e9), [fuller]);
  t.is(store.summary().blockCount, 10);
  stores.close();
});

test('a stale branch is removed down to the fork and the new one put in its place', (t) => {
  const stores = createCompactStores();
  const store = stores.open(undefined, place(temporaryFolder(t)));
  store.put(chain({ start: 10, end: 30 }));
  store.remove({ start: 25, end: 2 ** 31 - 1 });
  t.is(store.summary().lastHeight, 24);
  store.put(chain({ start: 25, end: 31 }, "'", 24));
  t.deepEqual(store.hashAt(31), chainBlock(31, "'", 24).hash);
  t.deepEqual(store.summary().missingRanges, []);
  stores.close();
});

test('any sequence of puts and removals equals the model', (t) => {
  const range = fc.tuple(fc.nat(60), fc.nat(12)).map(([start, more]) => ({ start, end: start + more }));
  const step = fc.record({ range, remove: fc.boolean(), restart: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), range, (steps, wanted) => {
      const folder = temporaryFolder(t);
      const stores = createCompactStores();
      const model = new Set<number>();
      for (const {
        range: { start, end },
        remove,
        restart,
      } of steps) {
        const store = stores.open(undefined, place(folder));
        if (remove) store.remove({ start, end });
        else store.put(chain({ start, end }));
        for (let height = start; height <= end; height++) remove ? model.delete(height) : model.add(height);
        if (restart) stores.close();
      }
      const heights = [...model].sort((a, b) => a - b);
      const store = stores.open(undefined, place(folder));
      const { firstHeight, lastHeight, blockCount, missingRanges } = store.summary();
      const missing = new Set(
        missingRanges.flatMap(({ start, end }) => chain({ start, end }).map((b) => b.height)),
      );
      t.is(firstHeight, heights[0] ?? null);
      t.is(lastHeight, heights.at(-1) ?? null);
      t.is(blockCount, heights.length);
      for (let height = 0; height <= 80; height++) {
        const between = firstHeight !== null && height > firstHeight && height < (lastHeight ?? 0);
        t.is(missing.has(height), between && !model.has(height));
        t.is(store.hashAt(height) !== undefined, model.has(height));
      }
      const expected: number[] = [];
      for (let height = wanted.start; height <= wanted.end && model.has(height); height++)
        expected.push(height);
      t.deepEqual(
        store.read(wanted, 1e9).map((b) => b.height),
        expected,
      );
      stores.close();
    }),
    { numRuns: runs(7, 30) },
  );
});

test('finding a store creates nothing, and looking into one changes nothing', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  t.is(stores.find(undefined, place(folder)), undefined);
  t.is(stores.find('other.db', place(folder)), undefined);
  t.deepEqual(fs.readdirSync(folder), []);
  stores.open(undefined, place(folder)).put(chain({ start: 1, end: 5 }));
  stores.close();
  const before = fingerprintsOf(folder);
  const found = stores.find(undefined, place(folder));
  t.is(found?.summary().blockCount, 5);
  t.is(found?.read({ start: 1, end: 5 }, 1e9).length, 5);
  t.deepEqual(fingerprintsOf(folder), before);
  stores.close();
  t.deepEqual(fingerprintsOf(folder), before);
});

test('a store is opened once, however it is named', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  const store = stores.open('blocks.db', place(folder));
  t.is(stores.open(path.join(folder, 'blocks.db'), place(folder)), store);
  t.is(stores.open('./blocks.db', place(folder)), store);
  t.is(stores.find('blocks.db', place(folder)), store);
  stores.close();
});

test('a store that was deleted behind our back is gone, and may be made anew', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  stores.open('blocks.db', place(folder)).put(chain({ start: 1, end: 5 }));
  for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name));
  t.is(stores.find('blocks.db', place(folder)), undefined);
  t.is(stores.open('blocks.db', place(folder)).summary().blockCount, 0);
  stores.close();
});

test('a store whose file alone was deleted is gone too, and may be made anew', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  stores.open('blocks.db', place(folder)).put(chain({ start: 1, end: 5 }));
  fs.rmSync(path.join(folder, 'blocks.db'));
  t.is(stores.find('blocks.db', place(folder)), undefined);
  t.deepEqual(fs.readdirSync(folder), []);
  stores.open('blocks.db', place(folder)).put(chain({ start: 1, end: 5 }));
  fs.rmSync(path.join(folder, 'blocks.db'));
  t.is(stores.open('blocks.db', place(folder)).summary().blockCount, 0);
  stores.close();
});

test('a store of another network is refused and not touched, open or closed', async (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  stores.open('blocks.db', place(folder)).put(chain({ start: 1, end: 5 }));
  const other = place(folder, { network: 'test', genesisHash: 'ff'.repeat(32) });
  await failureOf(t, 'INVALID_DB_PATH', () => stores.open('blocks.db', other));
  stores.close();
  const before = fingerprintsOf(folder);
  await failureOf(t, 'INVALID_DB_PATH', () => stores.open('blocks.db', other));
  await failureOf(t, 'INVALID_DB_PATH', () => stores.find('blocks.db', other));
  await failureOf(t, 'INVALID_DB_PATH', () => stores.find('blocks.db', place(folder, { genesisHash: 'aa' })));
  t.deepEqual(fingerprintsOf(folder), before);
});

test('a file that is not a store is refused and not touched', async (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'empty.db'), '');
  fs.writeFileSync(path.join(folder, 'text.db'), 'some notes of mine\n'.repeat(100));
  const foreign = openDatabase(path.join(folder, 'foreign.db'));
  foreign.exec('CREATE TABLE compactblocks(height INTEGER PRIMARY KEY, data BLOB NOT NULL)');
  foreign.close();
  fs.mkdirSync(path.join(folder, 'folder.db'));
  const before = fingerprintsOf(folder);
  const stores = createCompactStores();
  for (const name of ['empty.db', 'text.db', 'foreign.db', 'folder.db']) {
    await failureOf(t, 'INVALID_DB_PATH', () => stores.open(name, place(folder)));
    await failureOf(t, 'INVALID_DB_PATH', () => stores.find(name, place(folder)));
  }
  t.deepEqual(fingerprintsOf(folder), before);
  t.is(fs.readdirSync(folder).length, 4);
});

(hasSqliteShell() ? test : test.skip)(
  'the sqlite3 tool sees the blocks of the wire, byte for byte, open or closed',
  (t) => {
    const folder = temporaryFolder(t);
    const stores = createCompactStores();
    const blocks = chain({ start: 1_000, end: 1_040 });
    stores.open(undefined, place(folder)).put(blocks);
    const expected = blocks.map(
      ({ height, data }) => `${height}|${Buffer.from(data).toString('hex').toUpperCase()}`,
    );
    const query = (sql: string): string[] =>
      execFileSync('sqlite3', [path.join(folder, 'compact-main.db'), sql], { encoding: 'utf8' })
        .trim()
        .split('\n');
    const all = 'SELECT height, hex(data) FROM compactblocks ORDER BY height';
    t.deepEqual(query(all), expected);
    stores.close();
    t.deepEqual(query(all), expected);
    t.deepEqual(query('PRAGMA integrity_check'), ['ok']);
    t.deepEqual(query("SELECT sql FROM sqlite_master WHERE name = 'compactblocks'"), [
      'CREATE TABLE compactblocks(height INTEGER PRIMARY KEY, data BLOB NOT NULL)',
    ]);
  },
);

test('damage is noticed where it is read, as STORAGE_FAILED or not a store; bytes never come back changed', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'compact-main.db');
  const blocks = chain({ start: 1, end: 60 });
  const stores = createCompactStores();
  stores.open(undefined, place(folder)).put(blocks);
  stores.close();
  const whole = fs.readFileSync(file);
  const outcomes = new Map<string, number>();
  const outcome = (): string => {
    const damaged = createCompactStores();
    try {
      const store = damaged.find(undefined, place(folder));
      const read = store?.read({ start: 1, end: 60 }, 1e9) ?? [];
      const intact = read.every((block, i) => Buffer.from(blocks[i]!.data).equals(block.data));
      return intact ? 'intact' : 'changed';
    } catch (error) {
      return String((error as { readonly code?: string }).code);
    } finally {
      damaged.close();
    }
  };
  const attempt = (bytes: Uint8Array): void => {
    fs.writeFileSync(file, bytes);
    const seen = outcome();
    outcomes.set(seen, (outcomes.get(seen) ?? 0) + 1);
    for (const ending of ['-wal', '-shm', '-journal']) fs.rmSync(file + ending, { force: true });
  };
  for (let page = 0; page < whole.length; page += 16_384) {
    for (let i = 0; i < 40; i++) {
      const damaged = Buffer.from(whole);
      const at = page + (i < 20 ? i : (i * 811 + 97) % 16_384);
      damaged[at]! ^= 1 << (i % 8);
      attempt(damaged);
    }
    attempt(whole.subarray(0, page + 50));
  }
  const allowed = ['intact', 'STORAGE_FAILED', 'INVALID_DB_PATH', 'NETWORK_MISMATCH'];
  t.deepEqual(
    [...outcomes.keys()].filter((seen) => !allowed.includes(seen)),
    [],
  );
  t.true((outcomes.get('STORAGE_FAILED') ?? 0) > 20);
});

test('rows that another program changed are not handed out', async (t) => {
  const folder = temporaryFolder(t);
  for (const sql of [
    'UPDATE compactblocks SET data = zeroblob(40) WHERE height = 7',
    'DELETE FROM compactblocks WHERE height = 7',
    'UPDATE companion_links SET hash = zeroblob(32) WHERE height = 7',
    'DELETE FROM companion_links WHERE height > 3',
    "UPDATE compactblocks SET data = 'text' WHERE height = 7",
    'DROP TABLE companion_links',
    'DELETE FROM companion_store',
  ]) {
    const stores = createCompactStores();
    const name = `${sql.length}.db`;
    stores.open(name, place(folder)).put(chain({ start: 1, end: 9 }));
    stores.close();
    const database = openDatabase(path.join(folder, name));
    database.exec(sql);
    database.close();
    const code = sql.includes('companion_store') ? 'INVALID_DB_PATH' : 'STORAGE_FAILED';
    await failureOf(t, code, () => stores.open(name, place(folder)).read({ start: 1, end: 9 }, 1e9));
    stores.close();
  }
});

test('stores take blocks at least as fast as the wire may bring them', async (t) => {
  // In a process of its own: the time of this one is that of every test that runs meanwhile.
  const microseconds = Number(await nextMessage(startChild(t, 'compactPace', temporaryFolder(t))));
  const perMinute = (10_000 * 60e6) / microseconds;
  t.log(`${Math.round(perMinute)} blocks a minute of processor time`);
  // 100,000 blocks a minute with one core, most of which the download and the links take.
  t.true(perMinute > 100_000);
});

test('who gave which blocks is remembered, also when others take their place', (t) => {
  const stores = createCompactStores();
  const folder = temporaryFolder(t);
  const store = stores.open(undefined, place(folder));
  t.deepEqual(store.origins(everything), []);
  store.put(chain({ start: 10, end: 19 }), 'a:1');
  store.put(chain({ start: 20, end: 29 }), 'a:1');
  store.put(chain({ start: 30, end: 39 }), 'b:2');
  store.put(chain({ start: 50, end: 59 }));
  t.deepEqual(store.origins(everything), [
    { start: 10, end: 29, server: 'a:1' },
    { start: 30, end: 39, server: 'b:2' },
  ]);
  t.deepEqual(store.origins({ start: 25, end: 31 }), [
    { start: 25, end: 29, server: 'a:1' },
    { start: 30, end: 31, server: 'b:2' },
  ]);
  store.put(chain({ start: 15, end: 34 }), 'b:2');
  t.throws(() => store.put([chainBlock(12, "'")], 'b:2'));
  stores.close();
  const again = stores.open(undefined, place(folder));
  t.deepEqual(again.origins(everything), [
    { start: 10, end: 14, server: 'a:1' },
    { start: 15, end: 39, server: 'b:2' },
  ]);
  again.remove({ start: 12, end: 36 });
  t.deepEqual(again.origins(everything), [
    { start: 10, end: 11, server: 'a:1' },
    { start: 37, end: 39, server: 'b:2' },
  ]);
  again.put(chain({ start: 37, end: 39 }));
  t.deepEqual(again.origins(everything), [{ start: 10, end: 11, server: 'a:1' }]);
  stores.close();
});

test('origins are those of a plain list, whatever happens', (t) => {
  const steps = fc.array(
    fc.record({ start: fc.nat(30), length: fc.nat(12), server: fc.constantFrom('a:1', 'b:2', undefined) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(steps, (made) => {
      const database = openDatabase(':memory:');
      database.exec(BLOCK_ORIGINS_SCHEMA);
      const origins = new BlockOrigins(database);
      const expected: (string | undefined)[] = [];
      for (const { start, length, server } of made) {
        origins.set({ start, end: start + length }, server);
        for (let height = start; height <= start + length; height++) expected[height] = server;
      }
      const seen: (string | undefined)[] = [];
      const found = origins.within(everything);
      for (const { start, end, server } of found) {
        for (let height = start; height <= end; height++) seen[height] = server;
      }
      for (let height = 0; height < 50; height++) t.is(seen[height], expected[height]);
      for (const [i, { start, server }] of found.slice(1).entries()) {
        t.false(found[i]!.end + 1 === start && found[i]!.server === server, 'neighbours are joined');
      }
      database.close();
    }),
    { numRuns: runs(25, 100) },
  );
});
