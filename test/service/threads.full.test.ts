// Threads of a running companion are ended from outside, as an out-of-memory kill inside one of them would: what ran
// fails with THREAD_LOST, the thread comes back, nothing committed is lost.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import test from 'ava';
import { EXCHANGE_PATIENCE_MS } from '../../src/workers/walletSide.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';
import {
  catchesUp,
  first,
  lock,
  nextWorker,
  type Running,
  start,
  UNKNOWN_WHILE_LOCKED,
} from './runningThreads.ts';

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}

// One after the other: each test watches for the threads that it starts.

test.serial(
  'with the password at hand a lost wallet is opened again, unless somebody locked it',
  async (t) => {
    const password = { read: async () => new TextEncoder().encode(PASSWORD), forget: () => undefined };
    const running = await start(t, [], undefined, {}, password);
    await running.wallet.terminate();
    const opened = new Promise<void>((resolve) => {
      running.companion.subscribe(({ event }) => event === 'wallet.unlocked' && resolve());
    });
    const successor = nextWorker();
    running.restart();
    running.wallet = await successor;
    await opened;
    t.true((await running.call('wallet.status')).unlocked);
    await running.wallet.terminate();
    t.is(await running.failure('wallet.lock'), 'THREAD_LOST');
    running.restart();
    t.false((await running.call('wallet.status')).unlocked);
    // Whatever was asked before this is answered by now.
    await running.call('config.theme', { theme: 'dark' });
    t.false((await running.call('wallet.status')).unlocked);
  },
);

test.serial('a lost chain thread fails the sync that needed it; the wallet stays open', async (t) => {
  const running = await start(t, []);
  await running.call('sync.run', { end_height: first + 9 });
  const [sync] = await running.startSync();
  await running.chain.terminate();
  t.like(await sync, { ok: false, error: { code: 'THREAD_LOST', lastScanHeight: first + 9 } });
  t.is(await running.failure('sync.run'), 'THREAD_LOST');
  t.is(await running.failure('lwd.info'), 'THREAD_LOST');
  t.is((await running.call('balance.get')).as_of_height, first + 9);
  t.is((await running.call('config.theme', { theme: 'dark' })).theme, 'dark');
  await running.call('wallet.lock');
  t.true((await running.call('wallet.unlock', { password: PASSWORD })).unlocked);
  running.restart();
  t.true((await running.call('wallet.status')).unlocked);
  await catchesUp(t, running);
});

for (const order of [
  ['wallet', 'chain'],
  ['chain', 'wallet'],
] as const) {
  test.serial(`both threads lost, first the ${order[0]} one, come back and find each other`, async (t) => {
    const running = await start(t, []);
    for (const which of order) await running[which].terminate();
    running.restart();
    await catchesUp(t, running);
  });
}

test.serial('a wallet thread lost again and again in the middle of scans loses nothing', async (t) => {
  const running = await start(t);
  for (const end of [4, 9, 14]) {
    const scanning = running.dispatch('sync.run', { password: PASSWORD, end_height: first + end });
    if (end === 9) await scanning;
    const ended = running.replace('wallet');
    const result = await scanning;
    t.true(result.ok || result.error.code === 'THREAD_LOST');
    await ended;
    t.true((await running.call('wallet.exists')).exists);
  }
  await catchesUp(t, running);
});

test.serial('a sync that the lock cuts short is answered before its thread ends', async (t) => {
  const running = await start(t, []);
  const [sync] = await running.startSync();
  const successor = nextWorker();
  const locked = running.call('wallet.lock');
  const waiting = running.dispatch('wallet.exists');
  const result = await sync;
  t.true(
    result?.ok === true ? result.value.cancelled : result?.error.code !== 'THREAD_LOST',
    JSON.stringify(result),
  );
  await locked;
  t.like(await waiting, { ok: true, value: { exists: true } });
  running.wallet = await successor;
  await catchesUp(t, running);
});

test.serial('a wrong password without a session ends the thread that read it', async (t) => {
  const running = await start(t, []);
  await lock(running);
  const successor = nextWorker();
  t.is(await running.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  running.wallet = await successor;
  t.like(await running.companion.health(), { restarts: { wallet: 0 } });
  await catchesUp(t, running);
});

test.serial('an unlock that comes with the lock keeps its session', async (t) => {
  const running = await start(t, []);
  const [locked, unlocked] = [
    running.dispatch('wallet.lock'),
    running.dispatch('wallet.unlock', { password: PASSWORD }),
  ];
  t.true((await locked).ok);
  t.true((await unlocked).ok);
  t.true((await running.call('wallet.status')).unlocked);
  await catchesUp(t, running);
  await running.call('config.theme', { theme: 'dark' });
  await lock(running);
  t.is((await running.call('config.get')).theme, 'dark');
});

/** How many more wrong passwords are looked at before one is refused unseen, and for how long that is. */
async function untilRefused(running: Running): Promise<{ readonly tries: number; readonly seconds: number }> {
  for (let tries = 0; ; tries++) {
    const result = await running.dispatch('wallet.unlock', { password: 'wrong' });
    if (result.ok) throw new Error('a wrong password opens the wallet');
    const { code, retryAfterSeconds: seconds = 0 } = result.error;
    if (code === 'TOO_MANY_ATTEMPTS') return { tries, seconds };
    if (code !== 'WRONG_PASSWORD') throw new Error(code);
  }
}

test.serial('a lost wallet thread takes no wait after wrong passwords away', async (t) => {
  const running = await start(t, []);
  for (let i = 0; i < 3; i++)
    t.is(await running.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  await running.wallet.terminate();
  running.restart();
  // On a slow machine a wait may be over by then: the next one is longer than the first that follows three free tries.
  const { tries, seconds } = await untilRefused(running);
  t.true((tries < 3 || seconds > 1) && seconds <= 2 ** tries, `${tries} tries, ${seconds} s`);
});

test.serial('wrong passwords, the last scan and changed settings go from thread to thread', async (t) => {
  const running = await start(t, []);
  await running.call('sync.run');
  await running.call('config.theme', { theme: 'dark' });
  for (let i = 0; i < 2; i++)
    t.is(await running.failure('wallet.backup', { password: 'wrong' }), 'WRONG_PASSWORD');
  const status = await running.call('sync.status');
  await lock(running);
  t.deepEqual(await running.call('sync.status'), { ...status, ...UNKNOWN_WHILE_LOCKED });
  t.is((await running.call('config.get')).theme, 'dark');
  const successor = nextWorker();
  t.is(await running.failure('wallet.unlock', { password: 'wrong' }), 'WRONG_PASSWORD');
  running.wallet = await successor;
  const { tries, seconds } = await untilRefused(running);
  t.true((tries < 2 || seconds > 1) && seconds <= 2 ** tries, `${tries} tries, ${seconds} s`);
});

test.serial('stopping in the middle of an exchange ends all threads', async (t) => {
  const running = await start(t, []);
  const ends = [once(running.wallet, 'exit'), once(running.chain, 'exit')];
  await running.call('wallet.lock');
  const asked = running.dispatch('wallet.status');
  await running.companion.stop();
  await Promise.all(ends);
  const answer = await asked;
  t.true(answer.ok || answer.error.code === 'THREAD_LOST');
  t.is(await running.failure('wallet.status'), 'THREAD_LOST');
});

/** A call whose node has not answered yet. */
async function slowCall(running: Running) {
  const asked = deferred<ServerResponse>();
  running.node.exchange = (_request, response) => {
    asked.resolve(response);
    return true;
  };
  const slow = running.dispatch('config.node_url', { url: running.node.url, probe: true });
  return { slow, unanswered: await asked.promise };
}

test.serial('a call that takes long delays no other for longer than the patience', async (t) => {
  const waiting = deferred<() => void>();
  const running = await start(t, [], (ms, callback) => {
    t.is(ms, EXCHANGE_PATIENCE_MS);
    waiting.resolve(callback);
    return () => undefined;
  });
  const { slow, unanswered } = await slowCall(running);
  await running.call('wallet.lock');
  const endPatience = await waiting.promise;
  const held = running.dispatch('wallet.status');
  endPatience();
  t.like(await held, { ok: true, value: { unlocked: false } });
  // The slow call is answered by the thread that it was given to, which then goes.
  const successor = nextWorker();
  running.node.exchange = () => false;
  unanswered.destroy();
  const result = await slow;
  t.not(result.ok ? undefined : result.error.code, 'THREAD_LOST');
  running.wallet = await successor;
  t.like(await running.call('wallet.status'), { exists: true, unlocked: false });
  t.like(await running.companion.health(), { restarts: { wallet: 0 } });
});

test.serial('an unlock while a slow call holds the exchange off keeps its session', async (t) => {
  const waiting = deferred<() => void>();
  const running = await start(t, [], (_ms, callback) => {
    waiting.resolve(callback);
    return () => undefined;
  });
  const { slow, unanswered } = await slowCall(running);
  await running.call('wallet.lock');
  (await waiting.promise)();
  await running.call('wallet.unlock', { password: PASSWORD });
  running.node.exchange = () => false;
  unanswered.destroy();
  await slow;
  t.true((await running.call('wallet.status')).unlocked);
  await catchesUp(t, running);
  await lock(running);
});

test.serial('a wallet that locks itself when idle gets a fresh thread too', async (t) => {
  const third = deferred<void>();
  let count = 0;
  const note = (): void => {
    count += 1;
    if (count === 3) third.resolve();
  };
  process.on('worker', note);
  t.teardown(() => process.off('worker', note));
  const running = await start(t, [], undefined, { auto_lock_seconds: 1 });
  await third.promise;
  t.like(await running.call('wallet.status'), { exists: true, unlocked: false });
  t.like(await running.companion.health(), { wallet: 'up', restarts: { wallet: 0, chain: 0 } });
});
