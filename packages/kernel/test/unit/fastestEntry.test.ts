// The entry with the best frame is found and kept, and another one takes over when the stack layout changes.

import test from 'ava';
import { FastestEntry } from '../../src/kernel/load/fastestEntry.ts';

/** Runs of 1,000 blocks at the given milliseconds per entry; returns how often each was taken. */
function take(entries: FastestEntry, runs: number, costs: readonly number[]): number[] {
  const taken = costs.map(() => 0);
  for (let i = 0; i < runs; i++) {
    const entry = entries.next(1000);
    taken[entry]!++;
    entries.record(entry, 1000, costs[entry]!);
  }
  return taken;
}

test('the fastest entry is taken nearly always', (t) => {
  for (const fastest of [0, 1, 2]) {
    const entries = new FastestEntry();
    const taken = take(
      entries,
      1000,
      [0, 1, 2].map((entry) => (entry === fastest ? 1 : 1.5)),
    );
    t.true(taken[fastest]! > 940, taken.join());
    t.true(taken.every((count) => count > 0));
  }
});

test('another entry takes over when it has become faster', (t) => {
  const entries = new FastestEntry();
  take(entries, 500, [1, 1.5, 1.5]);
  take(entries, 100, [1.5, 1.5, 1]);
  t.true(take(entries, 500, [1.5, 1.5, 1])[2]! > 460);
});

test('short runs are neither timed nor used for trials', (t) => {
  const entries = new FastestEntry();
  take(entries, 100, [1.5, 1, 1.5]);
  for (let i = 0; i < 100; i++) {
    t.is(entries.next(4), 1);
    entries.record(1, 4, 1000);
  }
});
