// Follow mode as callers set it and see it, on a clock of the test's and with the servers of a devnet.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import {
  FOLLOW_POLL_MS,
  FOLLOW_SETTLE_MS,
  FOLLOW_TOLD_POLL_MS,
} from '../../../../src/actors/wallet/follow/follower.ts';
import type { CompanionError } from '../../../../src/protocol/errors.ts';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { lookOver } from '../../../helpers/lookOver.ts';
import { until } from '../../../helpers/until.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const AUTO_LOCK_SECONDS = 600;
const ON = { enabled: true } as const;

async function setUp(t: ExecutionContext, options: { oneCommand?: boolean; follow?: boolean } = {}) {
  const clock = new VirtualClock();
  const world = await companionWorld(t, {
    blocks: 3,
    clock,
    config: { auto_lock_seconds: AUTO_LOCK_SECONDS },
    ...options,
  });
  const { devnet, wallet, config } = world;
  const settled = () => lookOver(wallet);
  const pass = (ms: number) => clock.pass(ms, settled);
  /** Waits for the word of a server, which makes the pause shorter; time stands still meanwhile. */
  const lookWithin = async (ms: number) => {
    await until(async () => {
      const { next_look_at: next } = await wallet.call('follow.get');
      return next !== null && Date.parse(next) <= clock.now() + ms;
    });
  };
  const height = async () => (await wallet.call('config.get')).last_scan_height;
  const changes = () =>
    wallet.events.flatMap(({ event, data }) => (event === 'follow.changed' ? [data.state] : []));
  return { devnet, config, clock, wallet, pass, settled, lookWithin, height, changes };
}

test('set over the API it scans what comes, until it is set off', async (t) => {
  const { devnet, wallet, pass, height, changes } = await setUp(t);
  t.deepEqual(await wallet.call('follow.get'), {
    enabled: false,
    source: 'node',
    verifies_with: 'node',
    keep_open: false,
    state: 'off',
    last_tip_height: null,
    last_new_block_at: null,
    next_look_at: null,
    failure: null,
  });
  t.like(await wallet.call('follow.set', ON), { enabled: true, state: 'scanning' });
  await pass(0);
  t.is(await height(), 3);
  devnet.mine();
  await pass(FOLLOW_POLL_MS);
  t.is(await height(), 4);
  const status = await wallet.call('follow.get');
  t.like(status, { state: 'caught_up', last_tip_height: 4, failure: null });
  t.true(Date.parse(status.next_look_at!) <= wallet.clock.now() + FOLLOW_POLL_MS);
  t.is(Date.parse(status.last_new_block_at!) > wallet.clock.now() - FOLLOW_POLL_MS, true);

  t.like(await wallet.call('follow.set', { enabled: false }), { enabled: false, state: 'off' });
  devnet.mine();
  await pass(10 * FOLLOW_POLL_MS);
  t.is(await height(), 4);
  // A block that comes is no change of state.
  t.deepEqual(changes(), ['scanning', 'caught_up', 'off']);
  t.deepEqual(wallet.faults, []);
});

test('it is kept for the next start; what serve --follow says is not, until it is set', async (t) => {
  const { wallet, config, clock, pass, height } = await setUp(t, { follow: true });
  await pass(0);
  t.is(await height(), 3);
  const kept = () => JSON.parse(readFileSync(path.join(wallet.folder, 'config.json'), 'utf8')) as object;
  t.false('follow' in kept());
  await wallet.call('config.block_source', { source: 'compact' });
  await wallet.call('follow.set', { enabled: true });
  t.like(kept(), { follow: true, block_source: 'compact', follow_keep_open: false });
  await wallet.stop();
  const again = await startWallet(t, { config, clock, folder: wallet.folder });
  t.teardown(() => again.stop());
  t.like(await again.call('follow.get'), { enabled: true, source: 'compact', state: 'waiting_for_unlock' });
  await again.call('follow.set', { enabled: true });
  t.is((await again.call('follow.get')).source, 'compact');
});

test('it pauses while the wallet is locked and goes on with the unlock', async (t) => {
  const { devnet, wallet, pass, height, changes } = await setUp(t);
  await wallet.call('follow.set', ON);
  await pass(0);
  await wallet.call('wallet.lock');
  t.like(await wallet.call('follow.get'), { state: 'waiting_for_unlock', next_look_at: null });
  const asked = devnet.node.callCount('getblockchaininfo');
  devnet.mine();
  await pass(3_600_000);
  t.is(devnet.node.callCount('getblockchaininfo'), asked);
  // Also when it is set on while locked.
  t.like(await wallet.call('follow.set', ON), { state: 'waiting_for_unlock' });
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await pass(0);
  t.is(await height(), 4);
  t.deepEqual(changes(), ['scanning', 'caught_up', 'waiting_for_unlock', 'scanning', 'caught_up']);
});

test('by itself it leaves auto-lock as it is', async (t) => {
  const { wallet, pass } = await setUp(t);
  await wallet.call('follow.set', ON);
  await pass(AUTO_LOCK_SECONDS * 1_000);
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('kept open it does not lock by idling, until anybody ends that', async (t) => {
  const { devnet, wallet, pass, height } = await setUp(t);
  t.like(await wallet.call('follow.set', { ...ON, keep_open: true, password: PASSWORD }), {
    keep_open: true,
  });
  t.is((await wallet.call('wallet.status')).expires_at, null);
  await pass(AUTO_LOCK_SECONDS * 5_000);
  devnet.mine();
  await pass(FOLLOW_POLL_MS);
  t.is(await height(), 4);
  // Left out it stays as it is.
  t.like(await wallet.call('follow.set', ON), { keep_open: true });
  t.like(await wallet.call('follow.set', { ...ON, keep_open: false }), { keep_open: false });
  await pass(AUTO_LOCK_SECONDS * 1_000);
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('with follow mode its keeping open ends, for good', async (t) => {
  const { wallet, pass } = await setUp(t);
  await wallet.call('follow.set', { ...ON, keep_open: true, password: PASSWORD });
  t.like(await wallet.call('follow.set', { enabled: false }), { keep_open: false });
  t.like(await wallet.call('follow.set', ON), { keep_open: false });
  await pass(AUTO_LOCK_SECONDS * 1_000);
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('without the password only the owner of the files turns auto-lock off', async (t) => {
  const { wallet, config, clock } = await setUp(t);
  const refused = await t.throwsAsync<CompanionError>(wallet.call('follow.set', { ...ON, keep_open: true }));
  t.is(refused?.code, 'INVALID_REQUEST');
  t.deepEqual(
    refused?.errors?.map((error) => error.path),
    ['password'],
  );
  t.is(await wallet.failure('follow.set', { ...ON, keep_open: true, password: 'wrong' }), 'WRONG_PASSWORD');
  t.is(await wallet.failure('follow.set', { enabled: false, keep_open: true }), 'INVALID_REQUEST');
  t.like(await wallet.call('follow.get'), { enabled: false, keep_open: false });
  t.not((await wallet.call('wallet.status')).expires_at, null);

  // Nor by turning on what config.json only prepares.
  await wallet.stop();
  const prepared = { ...config, follow: false, follow_keep_open: true };
  const again = await startWallet(t, { config: prepared, clock, folder: wallet.folder });
  t.teardown(() => again.stop());
  t.like(await again.call('follow.set', ON), { keep_open: false });
  const message = { name: 'follow.set', input: { ...ON, keep_open: true }, requestId: 'r', byOwner: true };
  t.like(await again.actor.dispatch(message), { ok: true, value: { keep_open: true } });
});

test('a failure is reported with its code, and the state shows that it is tried again', async (t) => {
  const { devnet, wallet, pass, height, changes } = await setUp(t);
  devnet.node.misbehave({ kind: 'http-500' });
  await wallet.call('follow.set', ON);
  await pass(0);
  const { failure, state, next_look_at: next } = await wallet.call('follow.get');
  t.is(state, 'backing_off');
  t.is(failure?.code, 'NODE_BAD_RESPONSE');
  t.true(Date.parse(next!) > wallet.clock.now() + FOLLOW_POLL_MS);
  devnet.node.behave();
  await pass(2 * FOLLOW_POLL_MS);
  t.like(await wallet.call('follow.get'), { state: 'caught_up', failure: null });
  t.is(await height(), 3);
  t.deepEqual(changes(), ['scanning', 'backing_off', 'caught_up']);
});

test('another node or compact server is asked at once', async (t) => {
  const { devnet, wallet, config, pass, settled, height } = await setUp(t);
  await wallet.call('config.node_url', { url: 'http://127.0.0.1:1' });
  await wallet.call('follow.set', ON);
  await pass(3_600_000);
  t.is((await wallet.call('follow.get')).state, 'waiting_for_unlock');
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await pass(60_000);
  t.is((await wallet.call('follow.get')).state, 'backing_off');
  await wallet.call('config.node_url', { url: config.node_url });
  await pass(0);
  t.is(await height(), 3);
  // And the question that the one before does not answer is not waited for.
  const hangs = new Promise<void>((onStall) => devnet.node.misbehave({ kind: 'stall', onStall }));
  const asking = pass(FOLLOW_POLL_MS);
  await hangs;
  devnet.node.behave();
  await wallet.call('config.node_url', { url: config.node_url });
  await asking;
  await pass(0);
  await settled();
  t.is((await wallet.call('follow.get')).state, 'caught_up');
  t.deepEqual(wallet.faults, []);
});

test('a compact server announces a block, and few polls find nothing', async (t) => {
  const { devnet, wallet, pass, lookWithin, height } = await setUp(t);
  const { compact } = devnet;
  await wallet.call('config.block_source', { source: 'compact' });
  await wallet.call('follow.set', ON);
  await pass(0);
  t.is(await height(), 3);
  const streams = async (count: number) => {
    await until(() => compact.mempoolStreams === count);
  };
  for (let tip = 4; tip <= 8; tip++) {
    await streams(1);
    devnet.mine();
    // Time does not pass until the word has come.
    await streams(0);
    await lookWithin(FOLLOW_SETTLE_MS);
    await pass(FOLLOW_SETTLE_MS);
    t.is(await height(), tip);
  }
  const asked = compact.callCount('GetLatestBlock');
  await pass(10 * FOLLOW_TOLD_POLL_MS);
  const looks = (compact.callCount('GetLatestBlock') - asked) / 2;
  t.true(looks <= (10 * FOLLOW_TOLD_POLL_MS) / (FOLLOW_TOLD_POLL_MS * 0.75) + 1, `${looks} looks`);
  await wallet.call('wallet.lock');
  await streams(0);
  t.deepEqual(wallet.faults, []);
});

test('a compact server without notifications is polled', async (t) => {
  const { devnet, wallet, pass, lookWithin, height } = await setUp(t);
  devnet.compact.misbehave({ kind: 'not-offered', method: 'GetMempoolStream' });
  await wallet.call('config.block_source', { source: 'compact' });
  await wallet.call('follow.set', ON);
  await pass(0);
  await lookWithin(FOLLOW_POLL_MS);
  for (let tip = 4; tip <= 6; tip++) {
    devnet.mine();
    await pass(FOLLOW_TOLD_POLL_MS);
    t.is(await height(), tip);
  }
  t.is(devnet.compact.callCount('GetMempoolStream'), 1);
});

test('a process that answers one command follows nothing', async (t) => {
  const { devnet, wallet, pass } = await setUp(t, { oneCommand: true, follow: true });
  t.like(await wallet.call('follow.get'), { enabled: true, state: 'off' });
  await pass(FOLLOW_POLL_MS);
  t.is(devnet.node.callCount('getblockchaininfo'), 0);
});
