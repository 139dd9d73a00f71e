// Random schedules of mining, spending, reorganisations, ranges in any order, cancelling, restarts, edits, late
// accounts and a failing disk, against a model that knows what the wallet owns. WALLET_COMPANION_TRUTH_RUNS asks for
// more of them.

import { oneIn, runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { longRegressions, regressions } from './regressions.ts';
import { hold } from './support/hold.ts';
import { runEmptiedSchedule, runSchedule } from './support/schedule.ts';
import {
  emptiedSchedules,
  emptiedTwoChainSchedules,
  longSchedules,
  type Step,
  schedules,
  twoChainSchedules,
} from './support/steps.ts';
import type { Made } from './support/world.ts';

const most = runs(30, 1_200, 'WALLET_COMPANION_TRUTH_RUNS');

for (const { name, steps } of [...regressions, ...longRegressions])
  test(name, async (t) => {
    await t.notThrowsAsync(runSchedule(steps));
  });

test('what is called complete is true, and every schedule ends in the truth', (t) =>
  hold(t, schedules, most, runSchedule));

test('the same with chains longer and reorganisations deeper than what is kept', (t) =>
  hold(t, longSchedules, Math.ceil(most / 10), runSchedule));

test('a wallet that looks for the newest money first ends in the same truth', (t) =>
  hold(t, longSchedules, Math.ceil(most / 10), (steps) => runSchedule(steps, 'newest first')));

test('two servers on two chains behind one name, and ranges far below the tip scanned again', (t) =>
  hold(t, twoChainSchedules, Math.ceil(most / 4), runSchedule));

for (const order of ['by height', 'newest first'] as const)
  test(`pools that an account emptied are left out, and nothing is missed (${order})`, async (t) => {
    let unsearched = 0;
    await hold(t, emptiedSchedules, Math.ceil(most / 2), async (drawn) => {
      unsearched += await runEmptiedSchedule(drawn, order);
    });
    t.true(unsearched > 10 * most, `${unsearched} blocks were not searched`);
  });

test('the same with two servers on two chains behind one name', (t) =>
  hold(
    t,
    emptiedTwoChainSchedules,
    Math.ceil(most / 4),
    async (drawn) => void (await runEmptiedSchedule(drawn)),
  ));

const paid = (value: number): Made => ({ notes: [{ account: 0, value }], spends: [] });
const spends: Made = { notes: [], spends: [0] };
const LENGTH = 24;
const ALL_DEPTHS = Array.from({ length: LENGTH - 1 }, (_, i) => i + 1);
const DEPTHS = oneIn(5, ALL_DEPTHS);
/** Calls of a sync that scans them again: the tip, the stretches, the range, its batches of seven blocks. */
const CALLS = 8;

test('a reorganisation at any moment, and of any depth, while what was scanned is scanned again', async (t) => {
  for (let calls = 0; calls <= CALLS; calls++) {
    for (const depth of DEPTHS) {
      for (const range of [{ start: 0 }, { start: 50 }, { start: 0, end: 50 }, { start: 100 }]) {
        const steps: Step[] = [
          {
            kind: 'mine',
            blocks: Array.from({ length: LENGTH }, (_, i) => (i % 5 === 4 ? spends : paid(i + 1))),
          },
          { kind: 'sync' },
          {
            kind: 'sync',
            ...range,
            during: {
              calls,
              what: 'reorg',
              depth,
              blocks: Array.from({ length: depth + 1 }, (_, i) => (i % 3 === 2 ? spends : paid(100 + i))),
            },
          },
        ];
        await t.notThrowsAsync(runSchedule(steps), JSON.stringify({ calls, depth, range }));
      }
    }
  }
});

test('a reorganisation of any depth below, in and above a gap', async (t) => {
  for (const depth of oneIn(2, ALL_DEPTHS)) {
    const reorg: Step = {
      kind: 'reorg',
      depth,
      blocks: Array.from({ length: depth + 1 }, (_, i) => (i % 3 === 2 ? spends : paid(100 + i))),
    };
    const mine: Step = {
      kind: 'mine',
      blocks: Array.from({ length: LENGTH }, (_, i) => (i % 5 === 4 ? spends : paid(i + 1))),
    };
    const lower: Step = { kind: 'sync', start: 20, end: 40 };
    const upper: Step = { kind: 'sync', start: 75 };
    for (const steps of [
      [mine, lower, upper, reorg],
      [mine, lower, reorg, upper],
      [mine, upper, reorg, lower],
      [mine, lower, reorg, upper, reorg],
    ])
      await t.notThrowsAsync(runSchedule(steps), JSON.stringify({ depth }));
  }
});
