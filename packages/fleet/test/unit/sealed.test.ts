// What goes through the queue: sealed for one job, padded, and read as hostile input on both sides.

import { FormatError } from '@wallet-companion/base/bytes';
import { asBlockHash, asTxId } from '@wallet-companion/zcash/identifiers';
import { POOL_UPGRADES, type TreeSizes } from '@wallet-companion/zcash/pools';
import type { ScanHeights } from '@wallet-companion/zcash/scan';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { FleetSeal } from '../../src/fleet/sealed/fleetSeal.ts';
import { decodeJob, encodeJob, isSameChain, type ScanJob } from '../../src/fleet/sealed/scanJob.ts';
import { decodeResult, encodeResult, type ScanResult } from '../../src/fleet/sealed/scanResult.ts';
import { countedSealing } from '../helpers/sealing.ts';

const KEY = new Uint8Array(32).fill(1);
const seal = new FleetSeal(KEY, countedSealing());
const bytes = (length: number, value = 3): Uint8Array => new Uint8Array(length).fill(value);

test('what was sealed for a job opens for that job alone, with the key', (t) => {
  const sealed = seal.seal('result', 'one', bytes(100));
  t.deepEqual(new FleetSeal(KEY, countedSealing()).open('result', 'one', sealed), bytes(100));
  t.throws(() => seal.open('result', 'two', sealed), { instanceOf: FormatError });
  t.throws(() => seal.open('job', 'one', sealed), { instanceOf: FormatError });
  t.throws(() => new FleetSeal(bytes(32, 2), countedSealing()).open('result', 'one', sealed), {
    instanceOf: FormatError,
  });
});

test('a bit that was changed, an end that was cut off and nothing at all do not open', (t) => {
  const sealed = seal.seal('job', 'one', bytes(100));
  for (const at of [0, 23, 24, 500, sealed.length - 1]) {
    const changed = Uint8Array.from(sealed);
    changed[at]! ^= 1;
    t.throws(() => seal.open('job', 'one', changed), { instanceOf: FormatError }, String(at));
  }
  for (const length of [0, 10, 39, 40, sealed.length - 1])
    t.throws(() => seal.open('job', 'one', sealed.subarray(0, length)), { instanceOf: FormatError });
});

test('the size reveals steps of 16 KiB only, the nonce is another each time, and what was sealed is wiped', (t) => {
  const sizes = [0, 1, 16_380, 16_381, 40_000].map((n) => seal.seal('job', 'one', bytes(n)).length - 40);
  t.deepEqual(sizes, [16_384, 16_384, 16_384, 32_768, 49_152]);
  t.notDeepEqual(seal.seal('job', 'one', bytes(5)), seal.seal('job', 'one', bytes(5)));
  const plain = bytes(50);
  seal.seal('job', 'one', plain);
  t.deepEqual(plain, new Uint8Array(50));
});

const job: ScanJob = {
  start: 100,
  end: 163,
  heights: {
    network: 'main',
    ...Object.fromEntries(POOL_UPGRADES.map((upgrade, i) => [upgrade, i + 1])),
  } as ScanHeights,
  keys: [
    { protocol: 'sapling', ivk: bytes(32, 1) },
    { protocol: 'orchard', ivk: bytes(32, 2) },
  ],
  planted: [
    { height: 163, pool: 'sapling', bytes: bytes(116, 4) },
    { height: 100, pool: 'ironwood', bytes: bytes(148, 5) },
  ],
};

test('a job is read as it was written, without what a worker has no use for', (t) => {
  const withMore = { ...job, keys: job.keys.map((key) => ({ ...key, dk: bytes(32, 9), nk: bytes(32, 9) })) };
  const encoded = encodeJob(withMore);
  t.deepEqual(decodeJob(encoded), job);
  t.false(encoded.includes(9));
});

test('a job that does not hold together is refused', (t) => {
  const good = encodeJob(job);
  for (let length = 0; length < good.length; length++)
    t.throws(() => decodeJob(good.subarray(0, length)), { instanceOf: FormatError }, String(length));
  t.throws(() => decodeJob(Uint8Array.of(...good, 0)), { instanceOf: FormatError });
  t.throws(() => decodeJob(Uint8Array.of(good[0]! - 1, ...good.subarray(1))), { instanceOf: FormatError });
  const refused = (changes: Partial<ScanJob>, message: RegExp) =>
    t.throws(() => decodeJob(encodeJob({ ...job, ...changes })), { instanceOf: FormatError, message });
  refused({ start: 200 }, /range/);
  refused({ end: 1_100 }, /range/);
  t.notThrows(() => decodeJob(encodeJob({ ...job, end: 1_099 })));
  const [planted] = job.planted;
  refused({ planted: [{ ...planted!, height: 99 }] }, /another job/);
  refused({ planted: [{ ...planted!, height: 164 }] }, /another job/);
  refused({ planted: Array.from({ length: 17 }, () => planted!) }, /too many/);
  refused({ planted: [{ ...planted!, bytes: bytes(117) }] }, /spare/);
  const unknownPool = Uint8Array.from(good);
  unknownPool[good.length - 149] = 9;
  t.throws(() => decodeJob(unknownPool), { instanceOf: FormatError, message: /unknown pool/ });
});

test('chains with an upgrade at another height are not the same', (t) => {
  t.true(isSameChain(job.heights, { ...job.heights }));
  t.false(isSameChain(job.heights, { ...job.heights, nu5: 4 }));
  t.false(isSameChain(job.heights, { ...job.heights, network: 'test' }));
});

const sizes = (sapling: number): TreeSizes => ({ ...EMPTY_TREES, sapling, orchard: 7, ironwood: 2 ** 32 });
const result: ScanResult = {
  worker: bytes(8, 6),
  sizesBefore: sizes(4),
  blocks: [0, 1, 2].map((i) => ({
    height: 100 + i,
    hash: asBlockHash(bytes(32, i + 1)),
    prevHash: asBlockHash(bytes(32, i)),
    time: 1_000 + i,
    treeSizes: sizes(4 + i),
    outputCount: i === 0 ? 0 : 1,
    notes: [],
    nullifiers:
      i === 1 ? [{ pool: 'orchard', txIndex: 2, txid: asTxId(bytes(32, 8)), nullifiers: bytes(64, 9) }] : [],
  })),
  hits: [
    { height: 101, key: 0, pool: 'sapling', position: 4 },
    { height: 101, key: 2, pool: 'sapling', position: 5 },
    { height: 101, key: 2, pool: 'orchard', position: 2 ** 32 - 1 },
  ],
};
const RANGE = { start: 100, end: 102, keyCount: 3 };

test('a result is read as it was written', (t) => {
  t.deepEqual(decodeResult(encodeResult(result), RANGE), result);
});

test('a result that does not hold together is refused', (t) => {
  const good = encodeResult(result);
  const refused = (given: Uint8Array, range = RANGE) =>
    t.throws(() => decodeResult(given, range), { instanceOf: FormatError });
  for (let length = 0; length < good.length; length += 7) refused(good.subarray(0, length));
  refused(Uint8Array.of(...good, 0));
  refused(good, { ...RANGE, end: 103 });
  refused(good, { ...RANGE, end: 101 });
  refused(good, { ...RANGE, keyCount: 2 });
  const hit = { height: 101, key: 1, pool: 'orchard', position: 3 } as const;
  const withHits = (...hits: ScanResult['hits']) => encodeResult({ ...result, hits });
  refused(withHits({ ...hit, height: 99 }));
  refused(withHits({ ...hit, height: 103 }));
  refused(withHits(hit, hit));
  refused(withHits({ ...hit, height: 102 }, hit));
  refused(withHits(hit, { ...hit, key: 0 }));
  refused(withHits(hit, { ...hit, pool: 'sapling' }));
  refused(withHits(hit, { ...hit, position: 2 }));
  const unknownPool = withHits(hit);
  unknownPool[unknownPool.length - 5] = 9;
  refused(unknownPool);
  refused(encodeResult({ ...result, sizesBefore: sizes(5) }));
  refused(encodeResult({ ...result, sizesBefore: { ...sizes(4), ironwood: 2 ** 32 + 1 } }));
});

test('a count that cannot be is refused before anything is made of it', (t) => {
  const good = encodeResult({ ...result, hits: [] });
  good.set([0xff, 0xff, 0xff, 0xff], good.length - 4);
  t.throws(() => decodeResult(good, RANGE), { instanceOf: FormatError, message: /count/ });
});
