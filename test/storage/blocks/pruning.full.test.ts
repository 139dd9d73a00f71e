// What goes of a compact store and what stays: heights that were asked for, and the room on the disk.

import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { CompactStore, PrunedBlocks, StoredRange } from '@wallet-companion/chain/ports';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import { kill, nextMessage, startChild } from '../support/child.ts';
import { chain, chainBlock, everything, place } from './support/compact.ts';

/** All steps. */
function pruneAll(
  store: CompactStore,
  range: StoredRange,
): PrunedBlocks & { readonly steps: readonly number[] } {
  const steps: number[] = [];
  let bytes = 0;
  for (;;) {
    const pruned = store.prune(range);
    if (pruned.blocks === 0) return { blocks: steps.reduce((sum, blocks) => sum + blocks, 0), bytes, steps };
    steps.push(pruned.blocks);
    bytes += pruned.bytes;
  }
}

/** As large as a block of a crowded year. */
const bulky = ({ start, end }: StoredRange, bytes = 60_000) =>
  Array.from({ length: end - start + 1 }, (_, i) => chainBlock(start + i, '', -1, bytes));

test('each request is written down, whatever is stored of it and by whichever scan', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  const store = stores.open(undefined, place(folder));
  t.deepEqual(store.asked(), []);
  store.put(chain({ start: 1, end: 50 }));
  t.deepEqual(store.asked(), [], 'a scan asks for nothing');
  store.ask({ start: 11, end: 20 });
  store.ask({ start: 60, end: 69 });
  store.ask({ start: 21, end: 30 });
  store.ask({ start: 9, end: 8 });
  t.deepEqual(store.asked(), [
    { start: 11, end: 30 },
    { start: 60, end: 69 },
  ]);
  // A reorganisation takes blocks away, not what somebody wanted.
  store.remove({ start: 25, end: everything.end });
  stores.close();
  t.deepEqual(stores.find(undefined, place(folder))?.asked(), [
    { start: 11, end: 30 },
    { start: 60, end: 69 },
  ]);
  stores.close();
});

test('pruning takes the lowest blocks first, a bounded piece at a time, and their heights are not asked for any more', (t) => {
  const stores = createCompactStores();
  const store = stores.open('blocks.db', place(temporaryFolder(t)));
  store.put(chain({ start: 1, end: 600 }), 'a:1');
  store.ask({ start: 1, end: 600 });
  t.deepEqual(store.prune({ start: 100, end: 500 }), { blocks: 128, bytes: 128 * 40 });
  t.deepEqual(store.summary().missingRanges, [{ start: 100, end: 227 }]);
  t.like(pruneAll(store, { start: 100, end: 500 }), { blocks: 273, steps: [128, 128, 17] });
  t.deepEqual(store.summary().missingRanges, [{ start: 100, end: 500 }]);
  const left = [
    { start: 1, end: 99 },
    { start: 501, end: 600 },
  ];
  t.deepEqual(store.asked(), left);
  t.deepEqual(
    store.origins(everything),
    left.map((range) => ({ ...range, server: 'a:1' })),
  );
  t.is(store.hashAt(300), undefined);
  for (const range of left) t.deepEqual(store.read(range, 1e9), chain(range));
  t.deepEqual(store.prune({ start: 200, end: 300 }), { blocks: 0, bytes: 0 });
  // What is fetched again has to follow what stayed.
  store.put(chain({ start: 100, end: 500 }));
  t.deepEqual(store.read({ start: 1, end: 600 }, 1e9), chain({ start: 1, end: 600 }));
  stores.close();
});

test('a piece is bounded by bytes as well', (t) => {
  const stores = createCompactStores();
  const store = stores.open('blocks.db', place(temporaryFolder(t)));
  store.put(bulky({ start: 1, end: 100 }));
  const { steps, bytes } = pruneAll(store, everything);
  t.is(bytes, 6_000_000);
  t.deepEqual(steps, [18, 18, 18, 18, 18, 10]);
  stores.close();
});

test('the file shrinks by what was pruned, a little at a time, and is whole afterwards', (t) => {
  const folder = temporaryFolder(t);
  const stores = createCompactStores();
  const store = stores.open('blocks.db', place(folder));
  store.put(bulky({ start: 1, end: 300 }));
  const before = store.footprint();
  t.true(before.fileBytes > 18e6);
  t.true(before.freeBytes < 1e6);
  pruneAll(store, { start: 1, end: 270 });
  t.true(store.footprint().freeBytes > 16e6);
  t.false(store.giveBack(20e6), 'room that may be kept is');
  let steps = 0;
  for (let free = store.footprint().freeBytes; store.giveBack(0); steps++) {
    const { freeBytes } = store.footprint();
    t.true(free - freeBytes <= 2 ** 19, 'half a megabyte at once');
    free = freeBytes;
  }
  t.true(steps > 10);
  t.is(store.footprint().freeBytes, 0);
  const size = fs.statSync(path.join(folder, 'blocks.db')).size;
  t.is(size, store.footprint().fileBytes);
  t.true(size < 3e6, `${size} bytes`);
  t.true(isDeepStrictEqual(store.read({ start: 271, end: 300 }, 1e9), bulky({ start: 271, end: 300 })));
  stores.close();
});

test('a process that is killed while it prunes leaves a whole store', async (t) => {
  const folder = temporaryFolder(t);
  for (let round = 0; round < 3; round++) {
    const child = startChild(t, 'compactPruner', folder);
    for (let step = 0; step < 7 + round * 5; step++) await nextMessage(child);
    await kill(child);
    const stores = createCompactStores();
    const store = stores.find(undefined, place(folder))!;
    const { firstHeight, lastHeight, missingRanges } = store.summary();
    t.is(lastHeight, 200);
    t.deepEqual(missingRanges, []);
    const left = { start: firstHeight!, end: 200 };
    t.true(isDeepStrictEqual(store.read(left, 1e9), bulky(left, 20_000)));
    t.deepEqual(store.read({ start: 1, end: firstHeight! - 1 }, 1e9), []);
    stores.close();
  }
});
