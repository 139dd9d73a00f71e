// A pool that is given back while nothing is scanned, and is there again with the next task.

import test from 'ava';
import type { ScanKeys, ScanPool } from '../../src/actors/wallet/ports/scanPool.ts';
import { POOL_REST_AFTER_MS, restingPool } from '../../src/workers/restingPool.ts';
import { TREE_TASKS } from '../helpers/treeTasks.ts';

const KEYS = {} as ScanKeys;

function setUp(threads = 2) {
  const opened: { threads: number; closed: number; finish: (() => void)[] }[] = [];
  const timers = new Set<() => void>();
  const open = (count: number): ScanPool => {
    const state = { threads: count, closed: 0, finish: [] as (() => void)[] };
    opened.push(state);
    const task = () => new Promise<never[]>((resolve) => state.finish.push(() => resolve([])));
    return {
      concurrency: count,
      scan: task,
      enhance: async () => ({ transactions: await task() }),
      readUnmined: task,
      ...TREE_TASKS,
      close: async () => {
        state.closed += 1;
      },
    };
  };
  const pool = restingPool(threads, open, (ms, strike) => {
    if (ms !== POOL_REST_AFTER_MS) throw new Error(`a timer of ${ms} ms`);
    timers.add(strike);
    return () => void timers.delete(strike);
  });
  const strike = () => {
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer();
    }
  };
  return { opened, timers, pool, strike };
}

const scan = (pool: ScanPool) => pool.scan({} as never, KEYS);

test('it opens with the first task, rests when none has come for a while, and opens again', async (t) => {
  const { opened, timers, pool, strike } = setUp();
  t.is(opened.length, 0);
  const [first, second] = [scan(pool), pool.enhance({} as never, KEYS)];
  t.is(opened.length, 1);
  opened[0]?.finish[0]?.();
  await first;
  t.is(timers.size, 0, 'one task still runs');
  opened[0]?.finish[1]?.();
  await second;
  t.is(timers.size, 1);
  const third = pool.readUnmined({} as never, KEYS);
  t.is(timers.size, 0, 'and so does this one');
  opened[0]?.finish[2]?.();
  await third;
  t.is(opened[0]?.closed, 0);
  strike();
  t.is(opened[0]?.closed, 1);
  const fourth = scan(pool);
  t.is(opened.length, 2);
  opened[1]?.finish[0]?.();
  await fourth;
  await pool.close();
  t.deepEqual(
    opened.map(({ closed }) => closed),
    [1, 1],
  );
  t.is(timers.size, 0);
});

test('it has four threads at most, and says so', (t) => {
  t.is(setUp(3).pool.concurrency, 3);
  const { opened, pool } = setUp(16);
  t.is(pool.concurrency, 4);
  void scan(pool);
  t.is(opened[0]?.threads, 4);
});
