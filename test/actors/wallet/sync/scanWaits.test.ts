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

test('in the first moments nothing is said', (t) => {
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
