// Ranges as jobs: all blocks once, by work rather than by blocks, and always the same for the same range.

import { MAIN } from '@wallet-companion/zcash/network';
import test from 'ava';
import fc from 'fast-check';
import { cutJobs, rangesAhead } from '../../src/fleet/companion/jobPlan.ts';

const heights = { network: 'main' as const, ...MAIN.activation };

test('the jobs of a range are its blocks, each once and in order', (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 419_200, max: 4_000_000 }),
      fc.integer({ min: 0, max: 2_000 }),
      fc.constantFrom(1, 4, 400, 4_000),
      (start, more, keys) => {
        let next = start;
        for (const job of cutJobs({ start, end: start + more }, heights, keys)) {
          t.is(job.start, next);
          t.true(job.end >= job.start && job.end - job.start < 500);
          next = job.end + 1;
        }
        t.is(next, start + more + 1);
      },
    ),
  );
});

test('full blocks make short jobs, more keys shorter ones, and empty blocks half a request', (t) => {
  const first = (start: number, keys: number): number => {
    const { end } = cutJobs({ start, end: start + 999 }, heights, keys)[0]!;
    return end - start + 1;
  };
  t.is(first(2_400_000, 4), 500);
  t.true(first(1_780_000, 4) < 60);
  t.is(first(1_780_000, 4_000), 1);
  const unknown = cutJobs({ start: 1, end: 200 }, { ...heights, network: 'regtest' }, 4);
  t.deepEqual(
    unknown.map(({ end }) => end),
    [64, 128, 192, 200],
  );
});

test('ahead lies what the next requests will ask for: upwards to the tip, or downwards', (t) => {
  const course = { tip: 5_500, lowest: 100, before: undefined, request: 1_000 };
  t.deepEqual(
    [...rangesAhead({ ...course, now: { start: 2_001, end: 3_000 } })],
    [
      { start: 3_001, end: 4_000 },
      { start: 4_001, end: 5_000 },
      { start: 5_001, end: 5_500 },
    ],
  );
  const down = { ...course, now: { start: 2_001, end: 3_000 }, before: { start: 3_001, end: 4_000 } };
  t.deepEqual(
    [...rangesAhead(down)],
    [
      { start: 1_001, end: 2_000 },
      { start: 100, end: 1_000 },
    ],
  );
  // A request that was not cut is not followed by another.
  t.deepEqual([...rangesAhead({ ...course, now: { start: 2_001, end: 2_900 } })], []);
});
