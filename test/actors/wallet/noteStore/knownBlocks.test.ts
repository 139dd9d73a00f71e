// What must be read before scanned blocks are scanned again, against the plain rule: no scanned block in or beside the
// range may stay without a hash.

import { runs } from '@wallet-companion/base/test/atLength';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import fc from 'fast-check';
import { KnownBlocks } from '../../../../src/actors/wallet/noteStore/book/knownBlocks.ts';
import { addRange, type HeightSet, includes } from '../../../../src/actors/wallet/noteStore/book/ranges.ts';

const hash = (height: number, chain = 1) =>
  asBlockHash(
    new Uint8Array(32)
      .fill(chain)
      .with(0, height % 256)
      .with(1, height >> 8),
  );
const link = (height: number, chain = 1) => ({
  height,
  hash: hash(height, chain),
  prevHash: hash(height - 1, chain),
});
const links = (start: number, end: number, chain = 1) =>
  Array.from({ length: end - start + 1 }, (_, i) => link(start + i, chain));
const kept = (heights: readonly number[]) =>
  new KnownBlocks(heights.map((height) => ({ ...link(height), time: 0, treeSizes: EMPTY_TREES })));

const span = fc.tuple(fc.integer({ min: 2, max: 300 }), fc.nat(60)).map(([start, more]) => ({
  start,
  end: start + more,
}));
const scannedSet: fc.Arbitrary<HeightSet> = fc
  .array(span, { maxLength: 4 })
  .map((spans) => spans.reduce<HeightSet>(addRange, []));

test('after the proof every scanned block in or beside the range has a hash, and what it reads ends below a kept block', (t) => {
  fc.assert(
    fc.property(scannedSet, fc.array(fc.nat(360), { maxLength: 20 }), span, (scanned, some, range) => {
      const ends = scanned.flatMap(({ start, end }) => [start, end]);
      const heights = [...new Set([...ends, ...some.filter((height) => includes(scanned, height))])];
      const blocks = kept(heights);
      const run = blocks.toProve(range, scanned);
      if (run === undefined) {
        for (let height = range.start - 1; height <= range.end + 1; height++)
          if (includes(scanned, height)) t.true(heights.includes(height));
        return;
      }
      t.true(heights.includes(run.end + 1));
      blocks.prove(links(run.start, run.end));
      t.is(blocks.toProve(range, scanned), undefined);
      // Of another chain no block there is taken.
      for (let height = range.start; height <= range.end; height++)
        if (includes(scanned, height)) t.false(blocks.fits([link(height, 2)]));
    }),
    { numRuns: runs(100, 500) },
  );
});

test('a rewind forgets what was proved above it', (t) => {
  const scanned = [{ start: 10, end: 60 }];
  const blocks = kept([10, 60]);
  t.deepEqual(blocks.toProve({ start: 20, end: 25 }, scanned), { start: 19, end: 59 });
  blocks.prove(links(19, 59));
  t.false(blocks.fits([link(40, 2)]));
  blocks.deleteAbove(30);
  t.false(blocks.fits([link(25, 2)]));
  t.true(blocks.fits([link(40, 2)]));
});

test('requests that scan upwards prove no block twice, and far below the newest proof hashes are dropped', (t) => {
  const scanned = [{ start: 1, end: 9_000 }];
  const blocks = kept([1, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 9_000]);
  t.deepEqual(blocks.toProve({ start: 1, end: 700 }, scanned), { start: 2, end: 999 });
  blocks.prove(links(2, 999));
  t.deepEqual(blocks.toProve({ start: 701, end: 1_400 }, scanned), { start: 1_001, end: 1_999 });
  for (const start of [1_001, 2_001, 3_001, 4_001]) blocks.prove(links(start, start + 998));
  t.deepEqual(blocks.toProve({ start: 100, end: 200 }, scanned), { start: 99, end: 999 });
});
