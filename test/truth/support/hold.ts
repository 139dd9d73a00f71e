// Draws schedules, or histories, and prints the shortest one that fails: with its seed, and as it goes into ../regressions.ts.

import type { ExecutionContext } from 'ava';
import fc from 'fast-check';

/** `WALLET_COMPANION_TRUTH_SEED` draws the schedules of an earlier run again. */
const given = process.env['WALLET_COMPANION_TRUTH_SEED'];

export async function hold<T>(
  t: ExecutionContext,
  arbitrary: fc.Arbitrary<T>,
  numRuns: number,
  run: (drawn: T) => Promise<void>,
): Promise<void> {
  const { failed, counterexample, errorInstance, seed, counterexamplePath } = await fc.check(
    fc.asyncProperty(arbitrary, run),
    { numRuns, ...(given === undefined ? {} : { seed: Number(given) }) },
  );
  t.false(
    failed,
    `${String(errorInstance)}\n(seed ${seed}, path ${counterexamplePath})\n${JSON.stringify(counterexample?.[0])}`,
  );
}
