// A wallet that a fleet scans for has the same notes as one that scans for itself, whatever becomes of the jobs.

import { setImmediate as turn } from 'node:timers/promises';
import { oneIn } from '@wallet-companion/base/test/atLength';
import {
  decodeJob,
  decodeResult,
  encodeJob,
  encodeResult,
  type ScanResult,
} from '@wallet-companion/fleet/jobs';
import { JobLost } from '@wallet-companion/fleet/pool';
import type { WorkOnJob } from '@wallet-companion/fleet/worker';
import { asBlockHash } from '@wallet-companion/zcash/identifiers';
import { makePlantedOutput } from '@wallet-companion/zcash/notes';
import { ReferenceDecryptor, scanBatch, type TrialDecryptor } from '@wallet-companion/zcash/scan';
import test from 'ava';
import type { ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { fleetSeal } from '../../src/workers/fleetSeal.ts';
import {
  EMPTY_BLOCKS,
  FLEET_KEY,
  type Fleet,
  type FleetBed,
  fundsOf,
  layFleetBed,
} from '../helpers/fleetBed.ts';
import { inlinePool } from '../helpers/inlinePool.ts';
import { PASSWORD, seededRandom } from '../helpers/walletHarness.ts';

async function syncBoth(
  { alone, withFleet }: FleetBed,
  source: 'compact' | 'node' = 'compact',
): Promise<void> {
  await alone.call('sync.run', { source });
  await withFleet.call('sync.run', { source });
}

/** Workers that have the fleet's key and change what they found: all, or these alone. */
function lying(change: (result: ScanResult) => ScanResult, liars?: readonly WorkOnJob[]): Fleet['answer'] {
  const seal = fleetSeal(FLEET_KEY, seededRandom('liar'));
  return async (id, sealed, work) => {
    const outcome = await work(id, sealed);
    if (typeof outcome === 'string') throw new JobLost('refused');
    if (liars?.includes(work) === false) return outcome;
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

type Hit = ScanResult['hits'][number];

const isCanary = ({ blocks }: ScanResult, { height, pool, position }: Hit): boolean =>
  position >= blocks[height - blocks[0]!.height]!.treeSizes[pool];

const inOrder = (hits: readonly Hit[]): Hit[] =>
  [...hits].sort((a, b) => a.height - b.height || a.key - b.key || a.position - b.position);

const LIES: Readonly<Record<string, (result: ScanResult) => ScanResult>> = {
  'another last block': (result) => ({
    ...result,
    blocks: result.blocks.map((block, i) =>
      i === result.blocks.length - 1 ? { ...block, hash: asBlockHash(new Uint8Array(32).fill(9)) } : block,
    ),
  }),
  'trees of other sizes': (result) => ({
    ...result,
    blocks: result.blocks.map((block) => ({
      ...block,
      treeSizes: { ...block.treeSizes, sapling: block.treeSizes.sapling + 1 },
    })),
    hits: result.hits.map((hit) => (hit.pool === 'sapling' ? { ...hit, position: hit.position + 1 } : hit)),
  }),
  'hits of notes that are not there': (result) => ({
    ...result,
    hits: inOrder([
      ...result.hits,
      { height: result.blocks[5]!.height, key: 0, pool: 'sapling', position: 0 },
    ]),
  }),
  'hits for another key': (result) => ({
    ...result,
    hits: inOrder(
      result.hits.map((hit) => (isCanary(result, hit) ? hit : { ...hit, key: hit.key === 0 ? 1 : 0 })),
    ),
  }),
};

for (const [lie, change] of oneIn(2, Object.entries(LIES)))
  test(`a worker that reports ${lie} is not believed, and its job is scanned here`, async (t) => {
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
  const { fleet, clock, devnet, withFleet, alone, works } = bed;
  const plain = fleet.answer;
  const answers: (() => Promise<unknown>)[] = [];
  fleet.answer = (id, job) =>
    new Promise((resolve) => {
      answers.push(async () => resolve(await plain(id, job, works[0]!)));
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

/** The note stays hidden, the canaries are found. */
const hidesNotes = (result: ScanResult): ScanResult => ({
  ...result,
  hits: result.hits.filter((hit) => isCanary(result, hit)),
});
const hidesSpends = (result: ScanResult): ScanResult => ({
  ...result,
  blocks: result.blocks.map((block) => ({ ...block, nullifiers: [] })),
});
const identityOf = (number: number): string => String(number).padStart(2, '0').repeat(8);

test('jobs that two honest workers do change nothing, and are not scanned here', async (t) => {
  const bed = await layFleetBed(t, { doubleJobs: 1 });
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  t.deepEqual(bed.fleet.troubles, []);
  t.deepEqual(bed.fleet.accused, []);
  t.is(bed.fleet.jobs.length, 8);
  t.is(new Set(bed.fleet.jobs.map(({ id }) => id)).size, 8);
  t.is(new Set(bed.fleet.ownBlocks).size, 4);
});

for (const [lie, change] of Object.entries({ 'hides a note': hidesNotes, 'hides a spend': hidesSpends }))
  test(`a worker that ${lie} is found where another one does its job, and no fleet is used any more`, async (t) => {
    const bed = await layFleetBed(t, { doubleJobs: 1 });
    const { fleet, works, devnet, withFleet, alone } = bed;
    fleet.answer = lying(change, [works[1]!]);
    await syncBoth(bed);
    t.deepEqual(await fundsOf(withFleet), await fundsOf(alone));
    t.is(fleet.accused.length, 1);
    t.like(fleet.accused[0], { worker: identityOf(2), offence: 'differs from our own scan' });
    const before = fleet.jobs.length;
    devnet.mineEmpty(EMPTY_BLOCKS);
    await syncBoth(bed);
    t.is(fleet.jobs.length, before);
    t.deepEqual(fleet.troubles, ['fleet not trusted']);
    t.deepEqual(await fundsOf(withFleet), await fundsOf(alone));
  });

test('without jobs for two workers a note can be hidden, and what was answered before is named when it shows', async (t) => {
  const bed = await layFleetBed(t);
  bed.fleet.answer = lying(hidesNotes);
  await syncBoth(bed);
  t.deepEqual(bed.fleet.troubles, []);
  t.deepEqual(bed.fleet.accused, []);
  t.notDeepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));

  // The workers answered from block 1 on, each under its identity.
  bed.fleet.answer = lying((result) => ({ ...result, hits: [] }));
  bed.devnet.mineEmpty(EMPTY_BLOCKS);
  await bed.withFleet.call('sync.run', { source: 'compact' });
  const [accused] = bed.fleet.accused;
  t.like(accused, { offence: 'missed a canary', fleetFrom: 1 });
  t.is(accused!.from! % 64, 1);
  await bed.withFleet.call('wallet.rescan', { password: PASSWORD, from_height: accused!.fleetFrom });
  await bed.withFleet.call('sync.run', { source: 'compact' });
  await bed.alone.call('sync.run', { source: 'compact' });
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

test('two answers of one worker show nothing: the job is scanned here, and the lie is found', async (t) => {
  const bed = await layFleetBed(t, { doubleJobs: 1 });
  const [only] = bed.works;
  const honest = bed.fleet.answer;
  const liar = lying(hidesNotes);
  bed.fleet.answer = (id, job) => liar(id, job, only!);
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  // Once for each copy of the job that showed it.
  t.deepEqual([...new Set(bed.fleet.accused.map(({ worker }) => worker))], [identityOf(1)]);

  // Also where an honest one reads full blocks, and the companion compact ones.
  const other = await layFleetBed(t, { doubleJobs: 1, source: 'node' });
  other.fleet.answer = (id, job) => honest(id, job, other.works[0]!);
  await syncBoth(other);
  t.deepEqual(await fundsOf(other.withFleet), await fundsOf(other.alone));
  t.deepEqual(other.fleet.accused, []);
  t.deepEqual(other.fleet.troubles, []);
  t.true(new Set(other.fleet.ownBlocks).size > 2 * EMPTY_BLOCKS);
});

test('two workers of one liar confirm each other', async (t) => {
  const bed = await layFleetBed(t, { doubleJobs: 1 });
  bed.fleet.answer = lying(hidesNotes);
  await syncBoth(bed);
  t.deepEqual(bed.fleet.accused, []);
  t.notDeepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
});

test('a copy that is lost has its job scanned here', async (t) => {
  const bed = await layFleetBed(t, { doubleJobs: 1 });
  const plain = bed.fleet.answer;
  bed.fleet.answer = async (id, job, work) => {
    if (bed.fleet.jobs.length > 4) throw new JobLost('refused');
    return plain(id, job, work);
  };
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  t.deepEqual(bed.fleet.accused, []);
  t.deepEqual(bed.fleet.troubles, []);
});

test('a worker that finds nothing at all misses its canaries', async (t) => {
  const bed = await layFleetBed(t);
  bed.fleet.answer = lying((result) => ({ ...result, hits: [] }), [bed.works[2]!]);
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  t.is(bed.fleet.accused.length, 1);
  t.like(bed.fleet.accused[0], { worker: identityOf(3), offence: 'missed a canary', fleetFrom: 1 });
});

test('a worker whose kernel is broken in a lane misses its canaries', async (t) => {
  const right = new ReferenceDecryptor();
  const broken: TrialDecryptor = {
    decrypt: (columns, keys) => right.decrypt(columns, keys).filter(({ row }) => row % 4 !== 0),
    decryptAll: (all, keys) => all.map((columns) => broken.decrypt(columns, keys)),
    encryptionKeys: (columns, key) => right.encryptionKeys(columns, key),
    open: (key, ciphertext) => right.open(key, ciphertext),
    recover: (...output) => right.recover(...output),
  };
  const workersPool: ScanPool = {
    ...inlinePool(),
    scan: async (batch, { incoming, heights }) => scanBatch(batch, incoming, heights, broken),
  };
  const bed = await layFleetBed(t, { workersPool });
  await syncBoth(bed);
  t.deepEqual(await fundsOf(bed.withFleet), await fundsOf(bed.alone));
  t.true(bed.fleet.accused.length >= 1);
  t.is(bed.fleet.accused[0]?.offence, 'missed a canary');
});

test('canaries in the blocks of payments, of the same keys, are reported beside the notes', async (t) => {
  const bed = await layFleetBed(t);
  await syncBoth(bed);
  const seal = fleetSeal(FLEET_KEY, seededRandom('companion of the test'));
  const [work] = bed.works;
  let pairs = 0;
  for (const { id, job } of bed.fleet.jobs) {
    const asked = decodeJob(seal.open('job', id, job));
    const answerTo = async (planted: typeof asked.planted): Promise<ScanResult> => {
      const outcome = await work!(id, seal.seal('job', id, encodeJob({ ...asked, planted })));
      if (typeof outcome === 'string') throw new Error(outcome);
      return decodeResult(seal.open('result', id, outcome), { ...asked, keyCount: asked.keys.length });
    };
    const without = await answerTo([]);
    const planted = without.hits.map(({ height, key, pool }) => ({
      height,
      pool,
      bytes: makePlantedOutput(pool, pool === 'ironwood' ? 3 : 2, asked.keys[key]!.ivk, seededRandom(id)),
    }));
    const withThem = await answerTo(planted);
    t.deepEqual(withThem.blocks, without.blocks);
    t.deepEqual(withThem.sizesBefore, without.sizesBefore);
    t.deepEqual(
      withThem.hits.filter((hit) => !isCanary(withThem, hit)),
      without.hits,
    );
    t.is(withThem.hits.length, 2 * without.hits.length);
    pairs += without.hits.length;
  }
  t.true(pairs >= 4);
});
