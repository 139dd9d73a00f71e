import { Reachable } from '@wallet-companion/base/test/garbage';
import test from 'ava';
import { Stopped, StopSignal } from '../../../src/actors/wallet/sync/stopSignal.ts';

const never = (): Promise<never> => new Promise(() => {});

test('a call gives its result unless it is stopped', async (t) => {
  const signal = new StopSignal();
  t.is(await signal.orStopped(Promise.resolve(7)), 7);
  await t.throwsAsync(signal.orStopped(Promise.reject(new Error('no'))), { message: 'no' });
  t.false(signal.isStopped);
});

test('stopping ends every wait at once, and every later one', async (t) => {
  const signal = new StopSignal();
  const waits = [signal.orStopped(never()), signal.orStopped(never())];
  signal.stop();
  for (const wait of waits) await t.throwsAsync(wait, { instanceOf: Stopped });
  await t.throwsAsync(signal.orStopped(never()), { instanceOf: Stopped });
  await t.throwsAsync(signal.orStopped(Promise.resolve(7)), { instanceOf: Stopped });
  t.true(signal.isStopped);
});

test('a call that fails after its wait was ended fails unheard', async (t) => {
  const unheard: unknown[] = [];
  const note = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', note);
  const signal = new StopSignal();
  const fail: ((reason: Error) => void)[] = [];
  const call = () => new Promise<never>((_resolve, reject) => fail.push(reject));
  const wait = signal.orStopped(call());
  signal.stop();
  const late = signal.orStopped(call());
  await t.throwsAsync(wait, { instanceOf: Stopped });
  await t.throwsAsync(late, { instanceOf: Stopped });
  for (const reject of fail) reject(new Error('late'));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', note);
  t.deepEqual(unheard, []);
});

test('the signal holds nothing of the calls it was asked to watch', async (t) => {
  const signal = new StopSignal();
  const reachable = new Reachable();
  const sync = async () => {
    for (let i = 0; i < 100; i++) await signal.orStopped(Promise.resolve(reachable.watch({ batch: i })));
    for (let i = 0; i < 100; i++) {
      const failing = Promise.reject(reachable.watch(new Error(`call ${i}`)));
      await signal.orStopped(failing).catch(() => undefined);
    }
  };
  await sync();
  t.is(reachable.watched, 200);
  t.is(await reachable.count(), 0);
  t.false(signal.isStopped);
});
