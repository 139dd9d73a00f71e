// A wallet that a fleet scans for has the same notes as one that scans for itself, whatever becomes of the jobs.

import { setImmediate as turn } from 'node:timers/promises';
import { decodeJob, decodeResult, encodeResult, type ScanResult } from '@wallet-companion/fleet/jobs';
import { JobLost } from '@wallet-companion/fleet/pool';
import { asBlockHash } from '@wallet-companion/shielded/identifiers';
import test from 'ava';
import { oneIn } from '#shielded-test/atLength';
import { fleetSeal } from '../../src/workers/fleetSeal.ts';
import {
  EMPTY_BLOCKS,
  FLEET_KEY,
  type Fleet,
  type FleetBed,
  fundsOf,
  layFleetBed,
} from '../helpers/fleetBed.ts';
import { seededRandom } from '../helpers/walletHarness.ts';

async function syncBoth(
  { alone, withFleet }: FleetBed,
  source: 'compact' | 'node' = 'compact',
): Promise<void> {
  await alone.call('sync.run', { source });
  await withFleet.call('sync.run', { source });
}

/** Workers that have the fleet's key and change what they found. */
function lying(change: (result: ScanResult) => ScanResult): Fleet['answer'] {
  const seal = fleetSeal(FLEET_KEY, seededRandom('liar'));
  return async (id, sealed, work) => {
    const outcome = await work(id, sealed);
    if (typeof outcome === 'string') throw new JobLost('refused');
    const { start, end, keys } = decodeJob(seal.open('job', id, sealed));
    const result = decodeResult(seal.open('result', id, outcome), { start, end, keyCount: keys.length });
    return seal.seal('result', id, encodeResult(change(result)));
  };
}

for (const source of ['compact', 'node'] as const)
  test(`a fleet finds what one process finds, from the ${source} source, and only blocks of ours are scanned here`, async (t) => {
    const bed = await layFleetBed(t, { source });
    await syncBoth(bed, source);
    t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
    t.deepEqual(bed.fleet.troubles, []);
    t.true(bed.fleet.jobs.length >= 3);
    t.deepEqual([...new Set(bed.fleet.ownBlocks)].length, 4);
    const { notes } = await bed.withFleet.call('notes.list');
    t.true(notes.length >= 4);
    t.true(notes.some(({ spent }) => spent !== null));
  });

test('neither keys nor notes are readable in the queue, and no two jobs have one identity', async (t) => {
  const bed = await layFleetBed(t);
  await syncBoth(bed);
  const seal = fleetSeal(FLEET_KEY, seededRandom('reader'));
  const ivks = bed.fleet.jobs.flatMap(({ id, job }) => {
    const { keys } = decodeJob(seal.open('job', id, job));
    return keys.map(({ ivk }) => Buffer.from(ivk));
  });
  t.true(ivks.length > 0);
  for (const { job } of bed.fleet.jobs) t.false(ivks.some((ivk) => Buffer.from(job).includes(ivk)));
  t.is(new Set(bed.fleet.jobs.map(({ id }) => id)).size, bed.fleet.jobs.length);
});

test('answers that come in another order are applied in the order of heights', async (t) => {
  const bed = await layFleetBed(t);
  const waiting: (() => void)[] = [];
  const plain = bed.fleet.answer;
  bed.fleet.answer = async (id, job, work) => {
    const answer = await plain(id, job, work);
    // The first one that was asked for comes last.
    await new Promise<void>((resolve) => {
      waiting.unshift(resolve);
      if (waiting.length === 4) for (const go of waiting) go();
    });
    return answer;
  };
  await syncBoth(bed);
  t.is(bed.fleet.jobs.length, 4);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

test('a job that two workers do changes nothing', async (t) => {
  const bed = await layFleetBed(t);
  const plain = bed.fleet.answer;
  bed.fleet.answer = async (id, job, work) => {
    const [first, second] = await Promise.all([plain(id, job, work), plain(id, job, work)]);
    return bed.fleet.jobs.length % 2 === 0 ? first : second;
  };
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  t.deepEqual(bed.fleet.troubles, []);
});

for (const reason of oneIn(2, ['refused', 'no workers', 'away'] as const))
  test(`jobs that are lost (${reason}) are scanned here`, async (t) => {
    const bed = await layFleetBed(t);
    bed.fleet.answer = () => Promise.reject(new JobLost(reason));
    await syncBoth(bed);
    t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
    t.deepEqual(bed.fleet.troubles, [
      { refused: 'job refused', 'no workers': 'no workers', away: 'queue away' }[reason],
    ]);
  });

test('without a worker nothing is put into the queue', async (t) => {
  const bed = await layFleetBed(t);
  bed.fleet.workers = 0;
  await syncBoth(bed);
  t.deepEqual(bed.fleet.jobs, []);
  t.deepEqual(bed.fleet.troubles, ['no workers']);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

test('an answer to another job is not believed', async (t) => {
  const bed = await layFleetBed(t);
  const answers: Uint8Array[] = [];
  const plain = bed.fleet.answer;
  bed.fleet.answer = async (id, job, work) => {
    answers.push(await plain(id, job, work));
    return answers[0]!;
  };
  await syncBoth(bed);
  t.deepEqual(bed.fleet.troubles, ['answer not believed']);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

const LIES: Readonly<Record<string, (result: ScanResult) => ScanResult>> = {
  'another last block': (result) => ({
    ...result,
    blocks: result.blocks.map((block, i) =>
      i === result.blocks.length - 1 ? { ...block, hash: asBlockHash(new Uint8Array(32).fill(9)) } : block,
    ),
  }),
  'trees of other sizes': ({ sizesBefore, blocks, hits }) => ({
    sizesBefore,
    hits,
    blocks: blocks.map((block) => ({
      ...block,
      treeSizes: { ...block.treeSizes, sapling: block.treeSizes.sapling + 1 },
    })),
  }),
  'hits of notes that are not there': (result) => ({
    ...result,
    hits: [{ height: result.blocks[5]!.height, keys: [0, 1] }],
  }),
  'hits for another key': (result) => ({
    ...result,
    hits: result.hits.map(({ height, keys }) => ({ height, keys: keys.includes(0) ? [1] : [0] })),
  }),
};

for (const [lie, change] of oneIn(2, Object.entries(LIES)))
  test(`a worker that tells ${lie} is not believed, and its job is scanned here`, async (t) => {
    const bed = await layFleetBed(t);
    bed.fleet.answer = lying(change);
    await syncBoth(bed);
    t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
    t.true(bed.fleet.troubles.length >= 1);
    t.true(bed.fleet.troubles.every((trouble) => trouble === 'answer not believed'));
  });

test('a chain that moved after the workers read it is followed', async (t) => {
  const bed = await layFleetBed(t);
  const plain = bed.fleet.answer;
  let isMoved = false;
  bed.fleet.answer = async (id, job, work) => {
    const answer = await plain(id, job, work);
    if (!isMoved && bed.fleet.jobs.length === 4) {
      isMoved = true;
      bed.devnet.reorganise(10);
    }
    return answer;
  };
  await bed.withFleet.call('sync.run', { source: 'compact' });
  bed.fleet.answer = plain;
  await syncBoth(bed);
  t.true(isMoved);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

test('a fleet that gives no results is tried out with one job, and scans again when that is answered', async (t) => {
  const bed = await layFleetBed(t);
  const { fleet, clock, devnet, withFleet, alone, work } = bed;
  const plain = fleet.answer;
  const answers: (() => Promise<unknown>)[] = [];
  fleet.answer = (id, job) =>
    new Promise((resolve) => {
      answers.push(async () => resolve(await plain(id, job, work)));
    });
  const first = withFleet.call('sync.run', { source: 'compact' });
  await fleet.asked;
  await turn();
  clock.advance(119_000);
  await turn();
  t.deepEqual(fleet.troubles, []);
  clock.advance(1_000);
  t.like(await first, { range_complete: true });
  t.deepEqual(fleet.troubles, ['no results']);

  // Scanned here without another wait, and once only is a job asked for.
  const before = fleet.jobs.length;
  for (let i = 0; i < 2; i++) {
    devnet.mineEmpty(EMPTY_BLOCKS);
    t.like(await withFleet.call('sync.run', { source: 'compact' }), { range_complete: true });
  }
  t.is(fleet.jobs.length, before + 1);

  // A worker answers.
  fleet.answer = plain;
  const own = new Set(fleet.ownBlocks).size;
  await answers.at(-1)!();
  await turn();
  devnet.mineEmpty(EMPTY_BLOCKS);
  await withFleet.call('sync.run', { source: 'compact' });
  await alone.call('sync.run', { source: 'compact' });
  t.deepEqual(await fundsOf(withFleet), await fundsOf(alone));
  t.is(new Set(fleet.ownBlocks).size, own);
});

test('a cancelled scan ends while jobs are out, and drops them', async (t) => {
  const bed = await layFleetBed(t);
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  bed.fleet.answer = () => {
    asked();
    return new Promise(() => undefined);
  };
  const running = bed.withFleet.call('sync.run', { source: 'compact' });
  await isAsked;
  await bed.withFleet.call('sync.cancel');
  t.like(await running, { cancelled: true, blocks_scanned: 0 });
  t.is(bed.fleet.dropped.length, bed.fleet.jobs.length);
});
