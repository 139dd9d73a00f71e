// Several wallets that read the same blocks: fetched once, each at its own pace, and none held up by another.

import type { BlockStream, CompactStore, ScannedBefore, ServedBatch } from '@wallet-companion/chain/ports';
import type { BlockHash } from '@wallet-companion/zcash/identifiers';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test from 'ava';
import { KEPT, type RunSource } from '#chain/ranges/rangeRun';
import {
  KEPT_AFTER_END_MS,
  KEPT_AHEAD_MS,
  type RangeReader,
  SharedRanges,
  type WantedRange,
} from '#chain/ranges/sharedRanges';

const PER_BATCH = 4;
const hashOf = (height: number): BlockHash =>
  Uint8Array.from({ length: 32 }, () => height % 251) as BlockHash;
const sizesBefore = (height: number) => poolSizes({ sapling: height });
const beforeOf = (height: number): ScannedBefore => ({
  hash: hashOf(height - 1),
  treeSizes: sizesBefore(height),
});

/** Each block is one byte, its height. */
function batchOf(start: number, end: number, hash = hashOf): BlockBatch {
  const heights = Array.from({ length: end - start + 1 }, (_, i) => start + i);
  return {
    format: 'raw',
    buffer: Uint8Array.from(heights).buffer,
    blocks: heights.map((height, offset) => ({
      height,
      hash: hash(height),
      prevHash: hash(height - 1),
      offset,
      length: 1,
      treeSizes: sizesBefore(height),
      outputCount: 1,
    })),
  };
}

interface Opened {
  readonly start: number;
  readonly end: number;
  readonly before: ScannedBefore | undefined;
  closed: number;
}

class Bed {
  readonly opened: Opened[] = [];
  /** Heights that were given out, as often as they were. */
  readonly fetched: number[] = [];
  readonly timers: { readonly ms: number; readonly strike: () => void }[] = [];
  readonly place = {};
  several = false;
  failAt = Number.MAX_SAFE_INTEGER;
  /** Of the source's chain, for what is opened from now on. */
  hash = hashOf;
  readonly ranges = new SharedRanges(
    () => this.several,
    (ms, strike) => {
      this.timers.push({ ms, strike });
      return () => undefined;
    },
  );

  open(
    start: number,
    end: number,
    more: Partial<WantedRange> & { readonly place?: object } = {},
  ): RangeReader {
    const { place = this.place, ...range } = more;
    const tip = { height: 1_000, hash: hashOf(1_000) };
    return this.ranges.open(
      { start, end, tip, ...range },
      { place, offline: false, held: {}, open: (from, to, before) => this.#source(from, to, before) },
    );
  }

  #source(start: number, end: number, before: ScannedBefore | undefined): BlockStream {
    const opened = { start, end, before, closed: 0 };
    this.opened.push(opened);
    let next = start;
    // As it is now: what is opened later may do better.
    const { failAt, hash } = this;
    return {
      next: async () => {
        if (next > end) return null;
        if (next >= failAt) throw new Error('the node is gone');
        const batch = batchOf(next, Math.min(end, next + PER_BATCH - 1), hash);
        next += batch.blocks.length;
        this.fetched.push(...batch.blocks.map(({ height }) => height));
        return batch;
      },
      close: () => {
        opened.closed += 1;
      },
    };
  }

  get starts(): string[] {
    return this.opened.map(({ start, end }) => `${start}-${end}`);
  }
}

/** Checks that bytes and references agree. */
function heightsIn(batch: ServedBatch | null): number[] {
  if (batch === null) return [];
  const bytes = new Uint8Array(batch.buffer);
  return batch.blocks.map(({ height, offset, length }) => {
    if (length !== 1 || bytes[offset] !== height)
      throw new Error(`block ${height} is not where it is said to be`);
    return height;
  });
}

async function readAll(reader: RangeReader): Promise<number[]> {
  const heights: number[] = [];
  for (let batch = await reader.next(); batch !== null; batch = await reader.next())
    heights.push(...heightsIn(batch));
  reader.close();
  return heights;
}

const from = (start: number, end: number): number[] =>
  Array.from({ length: end - start + 1 }, (_, i) => start + i);

test('who reads alone gets what the source gave, and nothing is kept', async (t) => {
  const bed = new Bed();
  const before = beforeOf(1);
  const reader = bed.open(1, 10, { before });
  t.is(bed.opened.length, 1, 'fetching begins at once');
  t.is(bed.opened[0]?.before, before);
  const first = await reader.next();
  t.is(first?.shared, undefined);
  t.deepEqual([...heightsIn(first), ...(await readAll(reader))], from(1, 10));
  t.deepEqual(bed.timers, []);
  t.deepEqual(await readAll(bed.open(1, 10)), from(1, 10));
  t.deepEqual(bed.starts, ['1-10', '1-10']);
  t.true(bed.opened.every(({ closed }) => closed > 0));
});

test('wallets that ask for the same range read it once, each a copy of its own', async (t) => {
  const bed = new Bed();
  const [a, b, c] = [bed.open(1, 20), bed.open(1, 20), bed.open(1, 12)];
  const firsts = await Promise.all([a.next(), b.next(), c.next()]);
  t.is(new Set(firsts.map((batch) => batch?.buffer)).size, 3);
  t.deepEqual(
    firsts.map((batch) => batch?.shared?.wallets),
    [3, 2, 1],
  );
  for (const part of ['stream', 'id'] as const)
    t.is(new Set(firsts.map((batch) => batch?.shared?.[part])).size, 1, part);
  structuredClone(firsts[0]?.buffer, { transfer: [firsts[0]!.buffer] });
  for (const batch of firsts.slice(1)) t.deepEqual(heightsIn(batch), from(1, 4));
  t.deepEqual(await Promise.all([a, b, c].map(readAll)), [from(5, 20), from(5, 20), from(5, 12)]);
  t.deepEqual(bed.fetched, from(1, 20));
});

test('who wants no more than a part of a batch is not waited for', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.open(1, 8), bed.open(1, 6)];
  const [first, both] = [await a.next(), await a.next()];
  t.deepEqual([first?.shared?.wallets, both?.shared?.wallets], [2, 1]);
  t.is((await b.next())?.shared?.id, first?.shared?.id);
  const part = await b.next();
  t.deepEqual(heightsIn(part), from(5, 6));
  t.not(part?.shared?.id, both?.shared?.id);
});

test('a wallet that comes later joins at the next batch, and where it wants more goes on by itself', async (t) => {
  const bed = new Bed();
  const first = bed.open(1, 12);
  await first.next();
  const late = bed.open(5, 20);
  t.deepEqual(await Promise.all([readAll(first), readAll(late)]), [from(5, 12), from(5, 20)]);
  t.deepEqual(bed.fetched, from(1, 20));
  t.deepEqual(bed.starts, ['1-12', '13-20']);
});

test('a wallet that begins below reads up to where the other one began, and joins there', async (t) => {
  const bed = new Bed();
  bed.several = true;
  const upper = bed.open(10, 40);
  await upper.next();
  await upper.next();
  const lower = bed.open(1, 40);
  t.deepEqual(await readAll(lower), from(1, 40));
  t.deepEqual(await readAll(upper), from(18, 40));
  t.deepEqual(
    [...bed.fetched].sort((x, y) => x - y),
    from(1, 40),
  );
  t.deepEqual(bed.starts, ['10-40', '1-9']);
});

test('in the middle of a batch it is given the part that it wants', async (t) => {
  const bed = new Bed();
  bed.several = true;
  const first = bed.open(1, 12);
  await first.next();
  const late = bed.open(3, 6, { before: beforeOf(3) });
  t.deepEqual(await readAll(late), from(3, 6));
  t.deepEqual(await readAll(first), from(5, 12));
  t.deepEqual(bed.fetched, from(1, 12));
});

test('a slow reader goes on alone from where it is, and delays no other', async (t) => {
  const bed = new Bed();
  const count = PER_BATCH * (KEPT.batches + 2);
  const [quick, slow] = [bed.open(1, count), bed.open(1, count)];
  t.deepEqual(heightsIn(await slow.next()), from(1, 4));
  t.deepEqual(await readAll(quick), from(1, count));
  t.deepEqual(bed.starts, [`1-${count}`]);
  t.deepEqual(await readAll(slow), from(5, count));
  t.deepEqual(bed.starts, [`1-${count}`, `5-${count}`]);
  t.deepEqual(bed.opened[1]?.before, beforeOf(5));
});

test('what was read is kept for a while for wallets that look later, unless the chain has moved', async (t) => {
  const bed = new Bed();
  bed.several = true;
  const tip = { height: 200, hash: hashOf(200) };
  const look = (more: object = {}) => readAll(bed.open(198, 200, { tip, ...more }));
  t.deepEqual(await look(), [198, 199, 200]);
  t.deepEqual(await look(), [198, 199, 200]);
  t.deepEqual(bed.fetched, [198, 199, 200], 'fetched once');
  await look({ tip: { height: 200, hash: hashOf(7) } });
  t.is(bed.opened.length, 2, 'another chain');
  await look({ place: {} });
  t.is(bed.opened.length, 3, 'another server');
  for (const { ms, strike } of bed.timers) {
    t.is(ms, KEPT_AFTER_END_MS);
    strike();
  }
  await look();
  t.is(bed.opened.length, 4, 'not kept any longer');
});

test('what does not follow what a wallet scanned before is not taken from others', async (t) => {
  const bed = new Bed();
  bed.several = true;
  const first = bed.open(1, 12);
  await first.next();
  const before = { hash: hashOf(99), treeSizes: sizesBefore(5) };
  const other = bed.open(5, 12, { before });
  await other.next();
  t.deepEqual(bed.starts, ['1-12', '5-12']);
  t.is(bed.opened[1]?.before, before, 'the source holds it against what it gives');
});

test('a failure comes to all who read, after the blocks before it, and to none who comes later', async (t) => {
  const bed = new Bed();
  bed.failAt = 5;
  const [a, b] = [bed.open(1, 12), bed.open(1, 12)];
  for (const reader of [a, b]) {
    t.deepEqual(heightsIn(await reader.next()), from(1, 4));
    await t.throwsAsync(reader.next(), { message: 'the node is gone' });
    await t.throwsAsync(reader.next(), { message: 'the node is gone' });
  }
  bed.failAt = 1_000;
  t.deepEqual(await readAll(bed.open(1, 12)), from(1, 12));
});

test('who leaves in the middle takes nothing from the others; the last one ends the fetching', async (t) => {
  const bed = new Bed();
  const [a, b] = [bed.open(1, 40), bed.open(1, 40)];
  await a.next();
  const waiting = a.next();
  a.close();
  t.is(await waiting, null);
  t.is(await a.next(), null);
  t.is(bed.opened[0]?.closed, 0);
  t.deepEqual(heightsIn(await b.next()), from(1, 4));
  b.close();
  t.is(bed.opened[0]?.closed, 1);
});

test('what comes next is begun with the last batch of a range, and taken by the first call for it', async (t) => {
  const bed = new Bed();
  const first = bed.open(1, 8, { next: { start: 9, end: 16 } });
  t.deepEqual(heightsIn(await first.next()), from(1, 4));
  t.deepEqual(bed.starts, ['1-8']);
  t.deepEqual(heightsIn(await first.next()), from(5, 8));
  t.deepEqual(bed.starts, ['1-8', '9-16']);
  t.is(await first.next(), null);
  first.close();
  t.is(bed.opened[1]?.closed, 0);
  t.deepEqual(await readAll(bed.open(9, 14, { before: beforeOf(9) })), from(9, 14));
  t.deepEqual(bed.starts, ['1-8', '9-16']);
  for (const { strike } of bed.timers) strike();
  t.is(bed.opened[1]?.closed, 1, 'nobody wants the rest');
});

test('what is not requested is dropped, at once where something else is read ahead', async (t) => {
  const bed = new Bed();
  await readAll(bed.open(1, 4, { next: { start: 5, end: 8 } }));
  await readAll(bed.open(21, 24, { next: { start: 25, end: 28 } }));
  t.deepEqual(bed.starts, ['1-4', '5-8', '21-24', '25-28']);
  t.is(bed.opened[1]?.closed, 1);
  t.is(bed.opened[3]?.closed, 0);
  for (const { ms, strike } of bed.timers) if (ms === KEPT_AHEAD_MS) strike();
  t.is(bed.opened[3]?.closed, 1);
  t.deepEqual(await readAll(bed.open(25, 28)), from(25, 28));
  t.is(bed.starts.at(-1), '25-28');
});

test('what failed while it was read ahead, or does not follow, is read anew', async (t) => {
  const bed = new Bed();
  bed.failAt = 13;
  await readAll(bed.open(1, 8, { next: { start: 9, end: 16 } }));
  bed.failAt = 1_000;
  t.deepEqual(await readAll(bed.open(9, 16)), from(9, 16));
  t.deepEqual(bed.starts, ['1-8', '9-16', '13-16']);

  await readAll(bed.open(1, 8, { next: { start: 9, end: 16 } }));
  const before = { hash: hashOf(99), treeSizes: sizesBefore(9) };
  await bed.open(9, 16, { before }).next();
  t.is(bed.opened.at(-1)?.before, before, 'the source holds it against what it gives');
});

/** Another chain from block 7 on. */
const movedHash = (height: number): BlockHash => (height < 7 ? hashOf(height) : hashOf(height + 100));

test('what was read ahead of a chain that has moved since is not taken, however far below the tip', async (t) => {
  for (const start of [3, 9, 11]) {
    const bed = new Bed();
    await readAll(bed.open(1, 8, { next: { start: 9, end: 16 } }));
    bed.hash = movedHash;
    const moved = bed.open(start, 16, { tip: { height: 1_001, hash: movedHash(1_001) } });
    for (let last: BlockHash | undefined; moved.height <= 16; ) {
      const { blocks } = (await moved.next())!;
      t.deepEqual(blocks[0]!.prevHash, last ?? movedHash(blocks[0]!.height - 1));
      last = blocks.at(-1)!.hash;
    }
    moved.close();
  }
});

test('what another wallet reads of a chain that has moved since is left where it does not follow', async (t) => {
  const bed = new Bed();
  bed.several = true;
  const other = bed.open(9, 30);
  await other.next();
  bed.hash = movedHash;
  const moved = bed.open(3, 16, { tip: { height: 1_001, hash: movedHash(1_001) } });
  const seen: BlockHash[] = [];
  for (let batch = await moved.next(); batch !== null; batch = await moved.next())
    seen.push(...batch.blocks.map(({ hash }) => hash));
  t.deepEqual(seen, from(3, 16).map(movedHash));
});

test('nothing is read ahead for several wallets, and what is reported of a store is what is read from it', async (t) => {
  const bed = new Bed();
  bed.several = true;
  await readAll(bed.open(1, 8, { next: { start: 9, end: 16 } }));
  t.deepEqual(bed.starts, ['1-8']);
  bed.several = false;
  const store = {} as CompactStore;
  const source: RunSource = {
    place: bed.place,
    offline: false,
    held: { store },
    open: () => ({ next: async () => batchOf(31, 34), close: () => undefined }),
  };
  const reader = bed.ranges.open({ start: 31, end: 34, next: { start: 35, end: 38 } }, source);
  await reader.next();
  t.deepEqual(bed.ranges.heightsAheadIn(store), [{ start: 35, end: 38 }]);
  t.deepEqual(bed.ranges.heightsAheadIn({} as CompactStore), []);
  for (const { ms, strike } of bed.timers) if (ms === KEPT_AHEAD_MS) strike();
  t.deepEqual(bed.ranges.heightsAheadIn(store), []);
});
