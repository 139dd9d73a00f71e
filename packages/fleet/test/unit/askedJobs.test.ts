// Which jobs go to a second worker, and when.

import { setImmediate as turn } from 'node:timers/promises';
import { MAIN } from '@wallet-companion/zcash/network';
import type { ScanKeys } from '@wallet-companion/zcash/scan';
import test from 'ava';
import { AskedJobs } from '../../src/fleet/companion/askedJobs.ts';
import type { JobQueue, QueuePlace } from '../../src/fleet/ports/jobQueue.ts';
import type { Sealing } from '../../src/fleet/ports/sealing.ts';
import { FleetSeal } from '../../src/fleet/sealed/fleetSeal.ts';
import { ManualClock } from '../helpers/manualClock.ts';
import { seededBytes } from '../helpers/seededBytes.ts';

/** Without keys, so that canaries take no time. */
const KEYS: ScanKeys = { incoming: [], outgoing: [], heights: { network: 'main', ...MAIN.activation } };

/** What is sealed does not matter here, and sealing thousands takes seconds. */
const UNSEALED: Sealing = {
  deriveSubkey: (key) => key,
  seal: (_key, plaintext) => Uint8Array.from(plaintext),
  unseal: (_key, sealed) => sealed,
};

interface Run {
  readonly id: string;
  readonly place: QueuePlace | undefined;
  readonly answer: () => void;
}

function open(doubleJobs: number, seed: string) {
  const seal = new FleetSeal(new Uint8Array(32), UNSEALED);
  const [runs, dropped]: [Run[], string[]] = [[], []];
  const queue: JobQueue = {
    workers: async () => 2,
    run: (id, _job, place) =>
      new Promise((resolve) => {
        runs.push({ id, place, answer: () => resolve(seal.seal('result', id, new Uint8Array(9))) });
      }),
    drop: (id) => dropped.push(id),
    close: async () => undefined,
  };
  const clock = new ManualClock();
  const after = (ms: number, strike: () => void) => clock.after(ms, strike);
  return {
    runs,
    dropped,
    jobs: new AskedJobs({ queue, seal, randomBytes: seededBytes(seed), after, doubleJobs }),
  };
}

const jobsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ start: i * 10, end: i * 10 + 9 }));

for (const share of [0, 0.02, 0.3, 1])
  test(`with a share of ${share} about so many jobs go to two workers`, async (t) => {
    const count = 4_000;
    const { runs, jobs } = open(share, `share ${share}`);
    jobs.only(jobsOf(count), KEYS);
    for (const { answer } of [...runs]) answer();
    await turn();
    const doubled = runs.length - count;
    // Four standard deviations; none where there is no choice.
    t.true(Math.abs(doubled - count * share) <= 4 * Math.sqrt(count * share * (1 - share)), String(doubled));
    t.is(new Set(runs.map(({ id }) => id)).size, runs.length);
  });

test('a copy is sent when the first answer is there, and before all jobs that wait', async (t) => {
  const { runs, dropped, jobs } = open(1, 'when');
  jobs.only(jobsOf(2), KEYS);
  await turn();
  t.deepEqual(
    runs.map(({ place }) => place),
    ['last', 'last'],
  );
  runs[1]!.answer();
  await turn();
  t.is(runs.length, 3);
  t.is(runs[2]!.place, 'first');
  jobs.dropAll();
  t.deepEqual([...dropped].sort(), runs.map(({ id }) => id).sort());
  // What is no longer wanted is not sent again.
  runs[0]!.answer();
  await turn();
  t.is(runs.length, 3);
});
