// Random schedules through the companion's real parts: wallet and chain actor, SQLite and config.json on disk, a node and
// a compact server on each of two chains. WALLET_COMPANION_TRUTH_RUNS asks for more of them.

import { oneIn, runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import { regressions } from './regressions.ts';
import { runCompanionSchedule } from './support/companion/companionSchedule.ts';
import { hold } from './support/hold.ts';
import { companionSchedules } from './support/steps.ts';

/** One here costs as much as seven with everything around the note store made up. */
const most = Math.ceil(runs(30, 1_200, 'WALLET_COMPANION_TRUTH_RUNS') * 0.15);

// The model has all of them in every run: schedules.full.test.ts.
for (const { name, steps } of oneIn(5, regressions))
  test(name, async (t) => {
    await t.notThrowsAsync(runCompanionSchedule(t, steps));
  });

test('whatever happens to a companion and its chains, what it calls complete is true, and it ends in the truth', (t) =>
  hold(t, companionSchedules, most, (steps) => runCompanionSchedule(t, steps)));
