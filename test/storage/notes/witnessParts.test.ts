// What is kept for witnesses: sealed, gone with the blocks that it is of, and nothing that a note store depends on.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import test from 'ava';
import type { NoteStoreState } from '../../../src/actors/wallet/ports/noteDatabase.ts';
import { createNoteDatabases } from '../../../src/storage/notes/noteDatabase.ts';
import { temporaryFolder } from '../../helpers/temporaryFolder.ts';
import { seededRandom } from '../../helpers/walletHarness.ts';

const KEY = new Uint8Array(32).fill(5);
const STATE: NoteStoreState = {
  scanned: {},
  verified: [],
  floors: {},
  lastScanHeight: 100,
  exportedScanHeight: 100,
  exportCount: 1,
  confirmedUpTo: -1,
};

function openStore(folder: string) {
  return createNoteDatabases({ dataDir: folder, randomBytes: seededRandom('parts') }).open(KEY);
}

const part = (height: number, key = `path:ironwood:${height}`) => ({
  key,
  height,
  value: { leaf: `leaf-of-${height}` },
});

test('parts come back as they were kept, also after the store was closed; nothing of them is in clear', (t) => {
  const folder = temporaryFolder(t);
  const store = openStore(folder);
  t.is(store.witnessPart('path:ironwood:7'), undefined);
  store.commit({ state: STATE });
  store.keepWitnessParts([part(7), part(8)]);
  store.keepWitnessParts([{ ...part(7), value: { leaf: 'leaf-of-another' } }]);
  store.close();
  const again = openStore(folder);
  t.deepEqual(
    [...again.load()].flatMap(({ notes = [] }) => notes),
    [],
  );
  t.deepEqual(again.witnessPart('path:ironwood:7')?.value, { leaf: 'leaf-of-another' });
  t.deepEqual(again.witnessPart('path:ironwood:8'), part(8));
  t.is(again.witnessPart('path:orchard:8'), undefined);
  again.close();
  const file = readFileSync(path.join(folder, 'ledger.db')).toString('latin1');
  for (const clear of ['leaf-of', 'ironwood:']) t.false(file.includes(clear));
});

test('a reorganisation drops what is of blocks above the fork, a rescan everything', (t) => {
  const store = openStore(temporaryFolder(t));
  store.commit({ state: STATE });
  const heights = Array.from({ length: 450 }, (_, i) => i);
  store.keepWitnessParts(heights.map((height) => part(height)));
  store.commit({ state: STATE, deleteBlocksAbove: 300 });
  for (const height of heights) t.is(store.witnessPart(part(height).key) === undefined, height > 300);
  store.commit({ state: STATE, clear: true });
  t.is(store.witnessPart(part(3).key), undefined);
  store.close();
});

test('lasting parts are kept with a commit or alone, sealed, through a reorganisation and a change of password', (t) => {
  const folder = temporaryFolder(t);
  const store = openStore(folder);
  const bytes = new TextEncoder().encode('leaves-of-a-chunk');
  const lasting = (key: string) => ({ key, bytes });
  store.commit({ state: STATE, lasting: { put: [lasting('leaves:1'), lasting('leaves:2')], drop: [] } });
  // A part of the same name is another one.
  store.keepWitnessParts([part(7, 'leaves:1')]);
  store.commit({ state: STATE, deleteBlocksAbove: 3 });
  t.is(store.witnessPart('leaves:1'), undefined);
  t.deepEqual(store.lastingPart('leaves:1'), bytes);
  store.changeLasting({ put: [lasting('leaves:3')], drop: ['leaves:2', 'leaves:9'] });
  const other = new Uint8Array(32).fill(6);
  for (const _ of store.reseal(other));
  store.close();
  for (const clear of ['leaves-of', 'leaves:'])
    t.false(readFileSync(path.join(folder, 'ledger.db')).toString('latin1').includes(clear));
  const again = createNoteDatabases({ dataDir: folder, randomBytes: seededRandom('parts') }).open(other);
  t.deepEqual(again.lastingPart('leaves:1'), bytes);
  t.deepEqual(again.lastingPart('leaves:3'), bytes);
  t.is(again.lastingPart('leaves:2'), undefined);
  again.commit({ state: STATE, clear: true });
  t.is(again.lastingPart('leaves:1'), undefined);
  again.close();
});

test('a rewind that is not committed drops nothing', (t) => {
  const folder = temporaryFolder(t);
  const store = openStore(folder);
  store.commit({ state: STATE });
  store.keepWitnessParts([part(7)]);
  const journal = {
    [Symbol.iterator]: (): Iterator<never> => {
      throw new Error('in the middle of it');
    },
  };
  t.throws(() => store.commit({ state: STATE, deleteBlocksAbove: 3, journal }));
  t.deepEqual(store.witnessPart(part(7).key), part(7));
  store.close();
});

test('a part that was damaged, moved or is of another key is as good as none, and the store opens', (t) => {
  const folder = temporaryFolder(t);
  const store = openStore(folder);
  store.commit({ state: STATE });
  store.keepWitnessParts([part(7), part(8), part(9)]);
  store.close();
  const database = openDatabase(path.join(folder, 'ledger.db'));
  const names = database.prepare('SELECT name, sealed FROM witness_parts ORDER BY name').all();
  const [first, second, third] = names.map(({ name, sealed }) => ({ name, sealed }));
  const put = database.prepare('UPDATE witness_parts SET sealed = ? WHERE name = ?');
  put.run(second!.sealed!, first!.name!);
  put.run(Uint8Array.of(1, 2, 3), second!.name!);
  database.close();
  const again = openStore(folder);
  const found = [7, 8, 9].flatMap((height) => again.witnessPart(part(height).key) ?? []);
  t.is(found.length, 1);
  t.truthy(third);
  again.commit({ state: STATE, deleteBlocksAbove: 8 });
  t.true(found[0]!.height <= 8 || again.witnessPart(part(9).key) === undefined);
  again.close();
});

test('a table of that name that somebody else made is refused', (t) => {
  const folder = temporaryFolder(t);
  openStore(folder).close();
  const database = openDatabase(path.join(folder, 'ledger.db'));
  database.exec(
    'DROP TABLE witness_parts; CREATE TABLE witness_parts(name BLOB PRIMARY KEY, sealed BLOB NOT NULL DEFAULT (hex(1)))',
  );
  database.close();
  t.throws(() => openStore(folder), { code: 'WALLET_CORRUPT' });
});
