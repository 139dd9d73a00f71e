import test from 'ava';
import { FetchMeter, loopIdle } from '../../src/chain/ranges/fetchMeter.ts';

function setUp() {
  const at = { now: 100, idle: 50, diskMs: 7, receivedBytes: 1000 };
  const meter = new FetchMeter({
    now: () => at.now,
    idle: () => at.idle,
    diskMs: () => at.diskMs,
    receivedBytes: () => at.receivedBytes,
  });
  /** A batch that is waited for while this happens. */
  const waits = (more: Partial<typeof at>): Promise<void> => {
    let end = (): void => undefined;
    const batch = new Promise<void>((resolve) => {
      end = resolve;
    });
    const waited = meter.waiting(batch);
    for (const key of Object.keys(more) as (keyof typeof at)[]) at[key] += more[key] ?? 0;
    end();
    return waited;
  };
  return { at, meter, waits };
}

test('a wait is divided into that for the other side, for the disk and for the processor', async (t) => {
  const { at, meter, waits } = setUp();
  await waits({ now: 100, idle: 60, diskMs: 30, receivedBytes: 500 });
  t.deepEqual(meter.costs, { receivedBytes: 500, networkMs: 60, diskMs: 30, busyMs: 10 });
  // While nobody waits, only bytes count.
  at.now += 1000;
  at.idle += 900;
  at.receivedBytes += 50;
  await waits({ now: 10, diskMs: 4 });
  t.deepEqual(meter.costs, { receivedBytes: 550, networkMs: 60, diskMs: 34, busyMs: 16 });
});

test('gauges that disagree make no time out of nothing', async (t) => {
  const { meter, waits } = setUp();
  await waits({ now: 10, idle: 15, diskMs: 5 });
  await waits({ now: -10, idle: -5, diskMs: -1 });
  t.deepEqual(meter.costs, { receivedBytes: 0, networkMs: 10, diskMs: 0, busyMs: 0 });
});

test('a batch that fails is counted as well', async (t) => {
  const { at, meter } = setUp();
  const waited = meter.waiting(Promise.reject(new Error('gone')));
  at.now += 5;
  at.idle += 5;
  await t.throwsAsync(waited, { message: 'gone' });
  t.is(meter.costs.networkMs, 5);
});

test("the loop's idle time is that of this thread", (t) => {
  t.true(loopIdle() >= 0);
});
