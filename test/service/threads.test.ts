// What stays in npm test of threads.full.test.ts: a lost thread comes back, and the lock ends one.
import { once } from 'node:events';
import test from 'ava';
import { catchesUp, first, lock, start, UNKNOWN_WHILE_LOCKED } from './runningThreads.ts';

// One after the other: each test watches for the threads that it starts.

test.serial('a lost wallet thread fails what runs, locks the wallet and comes back', async (t) => {
  const running = await start(t, []);
  await running.call('sync.run', { end_height: first + 9 });
  const [sync] = await running.startSync();
  await running.wallet.terminate();
  t.like(await sync, { ok: false, error: { code: 'THREAD_LOST' } });
  t.is(await running.failure('balance.get'), 'THREAD_LOST');
  t.like(await running.companion.health(), { wallet: 'down', chain: 'up' });
  running.restart();
  t.like(await running.call('wallet.status'), { exists: true, unlocked: false, syncing: false });
  t.is(await running.failure('balance.get'), 'WALLET_LOCKED');
  t.deepEqual(
    running.events.filter(({ event }) => event === 'wallet.locked'),
    [{ event: 'wallet.locked', data: { reason: 'thread_lost' } }],
  );
  t.is((await running.call('config.get')).last_scan_height, first + 9);
  await catchesUp(t, running);
});

test.serial('the lock gives the wallet a fresh thread, and no loss is reported', async (t) => {
  const running = await start(t, []);
  await running.call('sync.run');
  const before = running.wallet;
  const status = await running.call('sync.status');
  const ended = once(before, 'exit');
  await lock(running);
  await ended;
  t.not(running.wallet, before);
  // Asked at once, and answered by the new one.
  t.like(await running.call('wallet.status'), { exists: true, unlocked: false });
  t.deepEqual(await running.call('sync.status'), { ...status, ...UNKNOWN_WHILE_LOCKED });
  t.not(status.chain_tip, null);
  t.is(await running.failure('balance.get'), 'WALLET_LOCKED');
  t.like(await running.companion.health(), { wallet: 'up', chain: 'up', restarts: { wallet: 0, chain: 0 } });
  t.deepEqual(
    running.events.filter(({ event }) => event === 'wallet.locked'),
    [{ event: 'wallet.locked', data: { reason: 'asked' } }],
  );
  await catchesUp(t, running);
});
