import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CompactStore } from '@wallet-companion/chain/ports';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { chain, place } from './support/compact.ts';

/** Files below the folder that this process has open. */
const openBelow = (folder: string): number =>
  fs
    .readdirSync('/proc/self/fd')
    .map((descriptor) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return '';
      }
    })
    .filter((file) => file.startsWith(folder)).length;

/** Where SQLite is the package's, a closed file stays open until its statements are collected. */
async function collected(): Promise<void> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 3; round++) {
    runInNewContext('gc')();
    await setImmediate();
  }
}

const BLOCKS = chain({ start: 1, end: 5 });

(process.platform === 'linux' ? test : test.skip)(
  'of 400 stores a few are open, and each answers as before',
  async (t) => {
    const folder = temporaryFolder(t);
    const stores = createCompactStores();
    const held: CompactStore[] = [];
    for (let i = 0; i < 400; i++) {
      const store = stores.open(`store-${i}.db`, place(folder));
      if (i % 50 === 0) store.put(BLOCKS);
      held.push(store);
      if (i % 50 !== 49) continue;
      await collected();
      // A store in use may have its log and the log's index open beside it.
      t.true(openBelow(folder) <= 8 * 3, `${openBelow(folder)} after ${i}`);
    }
    t.deepEqual(held[50]?.read({ start: 1, end: 5 }, 1e9), BLOCKS);
    held[50]?.put(chain({ start: 6, end: 9 }));
    t.is(stores.find('store-50.db', place(folder)), held[50]);
    t.is(held[50]?.summary().blockCount, 9);
    t.is(held[51]?.summary().blockCount, 0);
    stores.close();
    await collected();
    t.is(openBelow(folder), 0);
  },
);

test('a store that was closed for others, and whose file is another one by now, is not read', async (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  const held = stores.open('first.db', place(folder));
  held.put(BLOCKS);
  for (let i = 0; i < 8; i++) stores.open(`store-${i}.db`, place(folder));
  fs.copyFileSync(path.join(folder, 'first.db'), path.join(folder, 'copy.db'));
  fs.renameSync(path.join(folder, 'copy.db'), path.join(folder, 'first.db'));
  await failureOf(t, 'STORAGE_FAILED', () => held.summary());
  t.is(stores.find('first.db', place(folder))?.summary().blockCount, 5);
  stores.close();
});

test('unused stores are closed, and open again with the next call', (t) => {
  const folder = temporaryFolder(t);
  const timers: (() => void)[] = [];
  const after = (_: number, strike: () => void) => {
    timers.push(strike);
    return () => void timers.splice(timers.indexOf(strike), 1);
  };
  const timePasses = () => timers.splice(0).forEach((strike) => void strike());
  const stores = createCompactStores({ after });
  const held = [1, 2, 3].map((i) => stores.open(`store-${i}.db`, place(folder)));
  const isOpen = () => fs.readdirSync(folder).filter((name) => name.endsWith('-wal')).length;
  for (const store of held) store.put(BLOCKS);
  t.is(timers.length, 1);
  // SQLite removes the log with its last connection.
  t.is(isOpen(), 3);
  timePasses();
  t.is(isOpen(), 3, 'used meanwhile');
  timePasses();
  t.is(isOpen(), 0);
  t.is(timers.length, 0);
  t.is(held[1]?.summary().blockCount, 5);
  held[1]?.put(chain({ start: 6, end: 9 }));
  t.is(isOpen(), 1);
  stores.close();
  t.is(timers.length, 0);
});
