// Canaries: which go into a job, and what an answer must show of them.

import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { MAIN } from '@wallet-companion/zcash/network';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';
import { bareOutputSize, type ScanKeys } from '@wallet-companion/zcash/scan';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { Canaries, type Canary, withoutCanaries } from '../../src/fleet/companion/canaries.ts';
import { compareHits, type ReportedHit, type ScanResult } from '../../src/fleet/sealed/scanResult.ts';
import { seededBytes } from '../helpers/seededBytes.ts';

const key = (protocol: 'sapling' | 'orchard', account: number): ScanKeys['incoming'][number] => ({
  protocol,
  account,
  scope: 'external',
  ivk: Uint8Array.from({ length: 32 }, (_, i) => (i < 31 ? account + 1 : 0)),
  dk: new Uint8Array(32),
});
const keysOf = (...incoming: ScanKeys['incoming']): ScanKeys => ({
  incoming,
  outgoing: [],
  heights: { network: 'main', ...MAIN.activation },
});
const JOB = { start: 2_000_000, end: 2_000_063 };

test('each job has two for each protocol whose keys are in it, one where the keys are many', (t) => {
  const count = (...incoming: ScanKeys['incoming']) =>
    new Canaries(keysOf(...incoming), seededBytes('count')).of(JOB).length;
  const many = (n: number) => Array.from({ length: n }, (_, i) => key('orchard', i));
  t.is(count(), 0);
  t.is(count(key('sapling', 0)), 2);
  t.is(count(key('sapling', 0), key('orchard', 0)), 4);
  t.is(count(...many(32)), 2);
  t.is(count(...many(33)), 1);
});

test('they belong to keys, pools and blocks of the job, in turn to all of them, and are seldom made anew', (t) => {
  const keys = keysOf(key('sapling', 0), key('orchard', 1), key('orchard', 2));
  const canaries = new Canaries(keys, seededBytes('turn'));
  const all = Array.from({ length: 200 }, () => canaries.of(JOB)).flat();
  for (const { pool, key: index, height, bytes } of all) {
    t.is(POOL[pool].protocol, keys.incoming[index]!.protocol);
    t.true(height >= JOB.start && height <= JOB.end);
    t.is(bytes.length, bareOutputSize(pool));
  }
  const different = <T>(of: (canary: Canary) => T) => new Set(all.map(of)).size;
  t.is(
    different(({ key: index, pool }) => `${index} ${pool}`),
    5,
  );
  t.is(
    different(({ height }) => height),
    64,
  );
  const made = different(({ bytes }) => bytes);
  t.true(made > 24 && made < 24 + (2 * all.length) / 16, String(made));
});

test('before Canopy a canary has the lead byte of its time', (t) => {
  const canaries = new Canaries(keysOf(key('sapling', 0)), seededBytes('before'));
  const before = canaries.of({ start: 500_000, end: 500_000 });
  const after = canaries.of(JOB);
  t.false(before.some(({ bytes }) => after.some((other) => other.bytes === bytes)));
});

const HEIGHT = 101;
const canary = (pool: Pool, index: number): Canary => ({
  height: HEIGHT,
  pool,
  key: index,
  bytes: new Uint8Array(bareOutputSize(pool)),
});
const hit = (pool: Pool, index: number, position: number): ReportedHit => ({
  height: HEIGHT,
  key: index,
  pool,
  position,
});
/** Two blocks; the second ends with ten outputs in the tree of Sapling and none in the others. */
const answer = (...hits: readonly ReportedHit[]): ScanResult => ({
  worker: new Uint8Array(8),
  sizesBefore: { ...EMPTY_TREES, sapling: 4 },
  blocks: [4, 10].map((sapling, i) => ({
    height: HEIGHT - 1 + i,
    hash: asBlockHash(new Uint8Array(32)),
    prevHash: asBlockHash(new Uint8Array(32)),
    time: 0,
    treeSizes: { ...EMPTY_TREES, sapling },
    outputCount: 0,
    notes: [],
    nullifiers: [],
  })),
  hits: [...hits].sort(compareHits),
});
const hitsLeft = (canaries: readonly Canary[], ...hits: readonly ReportedHit[]) =>
  withoutCanaries(answer(...hits), canaries)?.hits;

test('a canary and a note of one key in one block are distinguished', (t) => {
  const note = hit('sapling', 0, 9);
  t.deepEqual(hitsLeft([canary('sapling', 0)], note, hit('sapling', 0, 10)), [note]);
  t.deepEqual(hitsLeft([canary('sapling', 0)], hit('sapling', 0, 10)), []);
  // The note alone does not count as the canary.
  t.is(hitsLeft([canary('sapling', 0)], note), undefined);
});

test('canaries of one block are each to be found, by pool, key and place', (t) => {
  const canaries = [canary('sapling', 0), canary('orchard', 1), canary('sapling', 2)];
  const found = [hit('sapling', 0, 10), hit('orchard', 1, 0), hit('sapling', 2, 11)];
  t.deepEqual(hitsLeft(canaries, ...found), []);
  for (const missed of found) t.is(hitsLeft(canaries, ...found.filter((one) => one !== missed)), undefined);
  t.is(hitsLeft(canaries, hit('sapling', 0, 10), hit('orchard', 1, 0), hit('sapling', 1, 11)), undefined);
  t.is(hitsLeft(canaries, hit('sapling', 0, 11), hit('orchard', 1, 0), hit('sapling', 2, 10)), undefined);
  t.is(hitsLeft(canaries, hit('sapling', 0, 10), hit('ironwood', 1, 0), hit('sapling', 2, 11)), undefined);
  t.is(hitsLeft([{ ...canary('sapling', 0), height: HEIGHT - 1 }], hit('sapling', 0, 10)), undefined);
});

test('a job without canaries needs none, and hits beyond the outputs of a block count for nothing', (t) => {
  t.deepEqual(hitsLeft([], hit('sapling', 0, 9), hit('sapling', 0, 10)), [hit('sapling', 0, 9)]);
});
