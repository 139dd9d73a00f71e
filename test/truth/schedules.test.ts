// Random schedules of mining, spending, reorganisations, ranges in any order, cancelling, restarts, edits, late accounts
// and a failing disk, against a model that knows what the wallet owns. WALLET_COMPANION_TRUTH_RUNS asks for more of them.

import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { longSchedules, runSchedule, type Step, schedules } from './support/schedule.ts';

const runs = Number(process.env['WALLET_COMPANION_TRUTH_RUNS'] ?? 400);

async function hold(t: ExecutionContext, arbitrary: fc.Arbitrary<Step[]>, numRuns: number): Promise<void> {
  const { failed, counterexample, errorInstance, seed, counterexamplePath } = await fc.check(
    fc.asyncProperty(arbitrary, runSchedule),
    { numRuns },
  );
  t.false(
    failed,
    `${String(errorInstance)}\n(seed ${seed}, path ${counterexamplePath})\n${JSON.stringify(counterexample?.[0])}`,
  );
}

test('what is called complete is true, and every schedule ends in the truth', (t) =>
  hold(t, schedules, runs));

test('the same with chains longer and reorganisations deeper than what is kept', (t) =>
  hold(t, longSchedules, Math.ceil(runs / 10)));
