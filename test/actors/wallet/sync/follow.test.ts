import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { FOLLOW_POLL_MS } from '../../../../src/actors/wallet/follow/follower.ts';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { ORDINARY, Refusal } from '../../../helpers/fixtureNode.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { until } from '../../../helpers/until.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;
const IDLE_SECONDS = 900;

async function start(t: ExecutionContext, pool = emptyPool(), auto_lock_seconds = 0) {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  node.reorg(first + 19, []);
  const wallet = await startWallet(t, {
    config: { network: 'main', node_url: node.url, auto_lock_seconds },
    pool,
    follow: true,
  });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  const scannedTo = async (height: number) => (await wallet.call('config.get')).last_scan_height === height;
  return { node, wallet, scannedTo };
}

test('new blocks are scanned as they come', async (t) => {
  const { node, wallet, scannedTo } = await start(t);
  wallet.clock.advance(0);
  await until(() => scannedTo(first + 19));
  await until(async () => !(await wallet.call('sync.status')).syncing);
  node.reorg(first + 19, seed.mainBlocks.slice(20));
  await until(() => {
    wallet.clock.advance(FOLLOW_POLL_MS);
    return scannedTo(last);
  });
  await until(() => wallet.events.filter(({ event }) => event === 'sync.finished').length === 2);
  t.deepEqual(wallet.faults, []);
});

test('gaps are filled when there is nothing new above them', async (t) => {
  const { wallet, scannedTo } = await start(t);
  await wallet.call('sync.run', { start_height: first + 15 });
  t.false((await wallet.call('balance.get')).complete);
  await until(async () => {
    wallet.clock.advance(FOLLOW_POLL_MS);
    return (await wallet.call('balance.get')).complete;
  });
  t.true(await scannedTo(first + 19));
  t.deepEqual(wallet.faults, []);
});

test('a look that finds nothing new is no event', async (t) => {
  const { wallet, node, scannedTo } = await start(t);
  wallet.clock.advance(0);
  await until(() => scannedTo(first + 19));
  const asked = () => node.calls.filter((call) => call.startsWith('getblockchaininfo')).length;
  const before = asked();
  await until(() => {
    wallet.clock.advance(FOLLOW_POLL_MS);
    return asked() > before + 3;
  });
  t.is(wallet.events.filter(({ event }) => event === 'sync.finished').length, 1);
});

test('follow scans do not keep the wallet open', async (t) => {
  const { wallet, scannedTo } = await start(t, emptyPool(), IDLE_SECONDS);
  wallet.clock.advance(0);
  await until(() => scannedTo(first + 19));
  const { expires_at: expiresAt } = await wallet.call('wallet.status');
  wallet.clock.advance(FOLLOW_POLL_MS);
  t.is((await wallet.call('wallet.status')).expires_at, expiresAt);
  wallet.clock.advance(IDLE_SECONDS * 1000);
  await until(() => wallet.events.some(({ event }) => event === 'wallet.locked'));
  t.false((await wallet.call('wallet.status')).unlocked);
});

test('a follow scan that is under way does not keep the wallet open either', async (t) => {
  let scans = 0;
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { wallet } = await start(
    t,
    emptyPool(() => {
      scans += 1;
      return gate;
    }),
    IDLE_SECONDS,
  );
  wallet.clock.advance(0);
  await until(() => scans > 0);
  wallet.clock.advance(IDLE_SECONDS * 1000);
  release();
  await until(() => wallet.events.some(({ event }) => event === 'wallet.locked'));
  t.false((await wallet.call('wallet.status')).unlocked);
});

for (const name of ['sync.run', 'wallet.rescan', 'accounts.create'] as const) {
  test(`${name} makes a follow scan give way instead of being refused`, async (t) => {
    let scans = 0;
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { wallet } = await start(
      t,
      emptyPool(() => {
        scans += 1;
        return gate;
      }),
    );
    wallet.clock.advance(0);
    await until(() => scans > 0);
    t.true((await wallet.call('sync.status')).syncing);
    const asked = wallet.call(name, name === 'accounts.create' ? { password: PASSWORD } : {});
    // Whoever comes after a sync that was requested is refused at once, as ever.
    if (name === 'sync.run') t.is(await wallet.failure('sync.run'), 'SYNC_IN_PROGRESS');
    release();
    await asked;
    const finished = wallet.events.find(({ event }) => event === 'sync.finished');
    t.like(finished?.data, { ok: true, summary: { cancelled: true } });
  });
}

test('a node that fails is reported and asked again, more seldom', async (t) => {
  const { wallet, node, scannedTo } = await start(t);
  node.answer = () => new Refusal(-1);
  wallet.clock.advance(0);
  await until(() => wallet.events.some(({ event }) => event === 'sync.finished'));
  t.is((await wallet.call('sync.status')).last_error?.code, 'NODE_BAD_RESPONSE');
  node.answer = () => ORDINARY;
  await until(() => {
    wallet.clock.advance(FOLLOW_POLL_MS);
    return scannedTo(first + 19);
  });
  await until(async () => (await wallet.call('sync.status')).last_error === null);
  t.pass();
});

test('without follow nothing is asked of the node', async (t) => {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const wallet = await startWallet(t, { config: { network: 'main', node_url: node.url }, pool: emptyPool() });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  wallet.clock.advance(FOLLOW_POLL_MS);
  await setImmediate();
  t.deepEqual(node.calls, []);
});
