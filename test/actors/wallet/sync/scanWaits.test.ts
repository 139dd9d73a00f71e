// What a scan is said to wait for, on a clock that only moves when told.

import test from 'ava';
import { ScanWaits } from '../../../../src/actors/wallet/sync/scanWaits.ts';

const WORKERS = 2;

/** A piece of work that ends when told. */
function work() {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { promise, end };
}

function setUp() {
  let nowMs = 1_000;
  const waits = new ScanWaits(() => nowMs, WORKERS);
  return {
    waits,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('in the first moments nothing is reported', (t) => {
  const { waits, pass } = setUp();
  t.is(waits.limitedBy, null);
  pass(1_999);
  t.is(waits.limitedBy, null);
});

test('blocks that do not come are the limit, while they are awaited too', async (t) => {
  const { waits, pass } = setUp();
  const first = work();
  const asked = waits.asking(first.promise);
  pass(3_000);
  t.is(waits.limitedBy, 'blocks');
  first.end();
  await asked;
  pass(2_999);
  t.is(waits.limitedBy, 'blocks');
  pass(2);
  t.is(waits.limitedBy, 'scanning');
});

test('blocks asked for ahead are no limit while every worker is busy', async (t) => {
  const { waits, pass } = setUp();
  const [one, other, next] = [work(), work(), work()];
  const running = [waits.scanning(one.promise), waits.scanning(other.promise), waits.asking(next.promise)];
  pass(10_000);
  t.is(waits.limitedBy, 'scanning');
  // One worker has nothing to do any more.
  one.end();
  await running[0];
  pass(10_001);
  t.is(waits.limitedBy, 'blocks');
  other.end();
  next.end();
  await Promise.all(running);
});

test('what fails counts as ended', async (t) => {
  const { waits, pass } = setUp();
  await t.throwsAsync(waits.asking(Promise.reject(new Error('gone'))));
  await t.throwsAsync(waits.scanning(Promise.reject(new Error('gone'))));
  pass(5_000);
  t.is(waits.limitedBy, 'scanning');
});

test('what bounds a scan is measured by what the other thread does while blocks are awaited', async (t) => {
  const costs = { receivedBytes: 1000, networkMs: 0, diskMs: 0, busyMs: 0 };
  for (const [more, bound] of [
    [{ networkMs: 900, busyMs: 100 }, 'network'],
    [{ diskMs: 900, networkMs: 100 }, 'disk'],
    [{ busyMs: 900, networkMs: 100 }, 'cpu'],
  ] as const) {
    const { waits, pass } = setUp();
    const awaited = work();
    const asked = waits.asking(awaited.promise);
    pass(10_000);
    t.is(waits.boundedBy, 'network', 'not told yet');
    awaited.end();
    await asked;
    waits.fetching({ ...costs, ...more });
    t.is(waits.boundedBy, bound);
    t.is(waits.receivedBytes, 1000);
  }
});

test('a slow server is none while every worker is busy', async (t) => {
  const { waits, pass } = setUp();
  t.is(waits.boundedBy, null);
  const [one, other, next] = [work(), work(), work()];
  const running = [waits.scanning(one.promise), waits.scanning(other.promise), waits.asking(next.promise)];
  waits.fetching({ receivedBytes: 0, networkMs: 10_000, diskMs: 0, busyMs: 0 });
  pass(10_000);
  t.is(waits.boundedBy, 'cpu');
  for (const each of [one, other, next]) each.end();
  await Promise.all(running);
});

test('commits that wait for the disk are the disk, also while blocks are asked for', async (t) => {
  const { waits, pass } = setUp();
  const next = work();
  const asked = waits.asking(next.promise);
  let diskMs = 0;
  for (let commit = 0; commit < 10; commit++) {
    pass(100);
    waits.committing(
      () => {
        pass(900);
        diskMs += 800;
      },
      () => diskMs,
    );
  }
  t.is(waits.boundedBy, 'disk');
  t.throws(() =>
    waits.committing(
      () => {
        diskMs += 1;
        throw new Error('full');
      },
      () => diskMs,
    ),
  );
  next.end();
  await asked;
  // From here on the processor has its turn.
  pass(30_000);
  t.is(waits.boundedBy, 'cpu');
});

test('bytes of all ranges of a request add up', (t) => {
  const { waits } = setUp();
  const costs = { networkMs: 1, diskMs: 1, busyMs: 1 };
  waits.fetching({ receivedBytes: 100, ...costs });
  waits.fetching({ receivedBytes: 300, ...costs });
  waits.fetching(undefined);
  waits.rangeEnded();
  waits.fetching({ receivedBytes: 50, ...costs });
  t.is(waits.receivedBytes, 350);
  waits.rangeEnded();
  waits.rangeEnded();
  t.is(waits.receivedBytes, 350);
});
