// Follow mode reads what a compact server alone said once more from the node, where one is set.

import type { ServerResponse } from 'node:http';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { PATIENCE_MS } from '@wallet-companion/base/async';
import { Devnet } from '@wallet-companion/devnet';
import { CompactBlockSchema } from '@wallet-companion/zcash/compactProto';
import test, { type ExecutionContext } from 'ava';
import { FOLLOW_TOLD_POLL_MS } from '../../../../src/actors/wallet/follow/follower.ts';
import { PARAMS } from '../../../helpers/companionWorld.ts';
import { lookOver } from '../../../helpers/lookOver.ts';
import { startLyingNode } from '../../../helpers/lyingSources.ts';
import { startSwappedBed, ZEC } from '../../../helpers/swappedBed.ts';
import { until } from '../../../helpers/until.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

/** Scanned from a compact server that lies, before a node was set. `blocks`: above those of its lies. `late`: seconds of its times. */
async function setUp(t: ExecutionContext, blocks = 0, late = 0) {
  const clock = new VirtualClock();
  const config = { node_url: undefined, block_source: 'compact', complete_transactions: false };
  const bed = await startSwappedBed(t, { clock, config: config as never });
  const { wallet, devnet, server } = bed;
  devnet.mineEmpty(blocks);
  const { lie } = server;
  server.lie = (method, message, request) => {
    if (!method.startsWith('GetBlock')) return [message];
    return lie(method, message, request).map((reported) => {
      const block = fromBinary(CompactBlockSchema, reported);
      return toBinary(CompactBlockSchema, { ...block, time: block.time + late });
    });
  };
  const node = await startLyingNode(t, devnet);
  const asked: string[] = [];
  node.lie = (method, _params, honest) => {
    asked.push(method);
    return honest;
  };
  const asks = (wanted: string) => asked.filter((method) => method === wanted).length;
  const settled = () => lookOver(wallet);
  const pass = (ms: number) => clock.pass(ms, settled);
  const setNode = (url = node.url) => wallet.call('config.node_url', { url });
  const money = async () => {
    const { total_zatoshi, complete, verified_with } = await wallet.call('balance.get');
    return [total_zatoshi, complete, verified_with];
  };
  const marks = async () => {
    const { accounts } = await wallet.call('coverage.get');
    return accounts[0]!.scanned.map((one) => [one.start_height, one.end_height, one.verified_with]);
  };
  const count = (name: string) => wallet.events.filter(({ event }) => event === name).length;
  await wallet.call('follow.set', { enabled: true });
  await pass(0);
  return { ...bed, clock, node, asks, settled, pass, setNode, money, marks, count };
}

const WELL = { state: 'caught_up', failure: null } as const;

test('once a node is set all of it is read from there, the false note goes, and nothing is read twice', async (t) => {
  const { wallet, devnet, pass, setNode, money, asks, count, strangers, ours } = await setUp(t);
  t.deepEqual(await money(), [3 * ZEC, true, null]);
  t.like(await wallet.call('follow.get'), { ...WELL, verifies_with: null });
  await setNode();
  await pass(0);
  t.deepEqual(await money(), [ZEC / 2, true, 'node']);
  const contradicted = { start_height: strangers, end_height: ours, blocks: 2 };
  t.like(await wallet.call('sync.status'), { syncing: false, last_error: null, contradicted });
  t.like(await wallet.call('follow.get'), { ...WELL, verifies_with: 'node' });
  t.is(count('blocks.contradicted'), 1);
  const before = asks('getblock');
  await pass(10 * FOLLOW_TOLD_POLL_MS);
  t.is(asks('getblock'), before);
  // New blocks are marked as they come.
  devnet.mineEmpty(1);
  await pass(FOLLOW_TOLD_POLL_MS);
  t.deepEqual(await money(), [ZEC / 2, true, 'node']);
  t.deepEqual(wallet.faults, []);
});

test('the newest blocks come first, in pieces, and none that a node gave already', async (t) => {
  const { wallet, devnet, node, pass, setNode, marks } = await setUp(t, 500);
  const top = devnet.tip.height;
  await wallet.call('sync.run', { node_url: node.url, start_height: top - 250, end_height: top - 150 });
  const pieces: unknown[] = [];
  wallet.link.subscribe(({ event, data }) => {
    if (event === 'sync.finished' && data.ok)
      pieces.push([data.summary.start_height, data.summary.end_height]);
  });
  await setNode();
  await pass(0);
  t.deepEqual(pieces.slice(0, 3), [
    [top - 149, top],
    [top - 450, top - 251],
    [1, top - 451],
  ]);
  // The lowest piece has the note that was hidden: what was scanned above is looked through for its spend.
  t.deepEqual(await marks(), [[1, top, 'node']]);
  t.true((await wallet.call('balance.get')).complete);
});

test('times that the compact server made up do not hold the honest ones up', async (t) => {
  const { wallet, devnet, pass, setNode, marks } = await setUp(t, 250, 3_600);
  await setNode();
  await pass(0);
  t.deepEqual(await marks(), [[1, devnet.tip.height, 'node']]);
  t.deepEqual(wallet.faults, []);
});

test('a sync and a lock do not wait for a node that stalls in the middle, and it goes on with the unlock', async (t) => {
  const { wallet, clock, node, pass, settled, setNode, money } = await setUp(t);
  let stalled = 0;
  node.exchange = (_response, method) => {
    if (method !== 'getblock') return false;
    stalled += 1;
    return true;
  };
  await setNode();
  clock.advance(0);
  await until(() => stalled > 0);
  t.false((await wallet.call('sync.status')).syncing);
  t.like(await wallet.call('sync.run'), { source: 'compact', blocks_scanned: 0, cancelled: false });
  await settled();
  const before = stalled;
  clock.advance(FOLLOW_TOLD_POLL_MS);
  await until(() => stalled > before);
  await wallet.call('wallet.lock');
  t.false((await wallet.call('wallet.status')).unlocked);
  node.exchange = () => false;
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await pass(0);
  t.deepEqual(await money(), [ZEC / 2, true, 'node']);
  t.deepEqual(wallet.faults, []);
});

test('without an answer of the node new blocks are followed all the same, and it is asked once a look', async (t) => {
  const { wallet, devnet, clock, node, settled, pass, setNode, money, count } = await setUp(t);
  let calls = 0;
  let silent: ServerResponse | undefined;
  node.exchange = (response) => {
    calls += 1;
    if (calls === 1) silent = response;
    else response.destroy();
    return true;
  };
  await setNode();
  clock.advance(0);
  await until(() => silent !== undefined);
  clock.advance(PATIENCE_MS);
  await settled();
  t.like(await wallet.call('follow.get'), WELL);
  silent?.destroy();
  devnet.mineEmpty(1);
  await pass(10 * FOLLOW_TOLD_POLL_MS);
  t.is((await wallet.call('config.get')).last_scan_height, devnet.tip.height);
  t.deepEqual(await money(), [3 * ZEC, true, null]);
  t.like(await wallet.call('follow.get'), WELL);
  t.like(await wallet.call('sync.status'), { last_error: null, chain_tip: devnet.tip.height });
  t.is(count('blocks.contradicted'), 0);
  // Looks come every 45 to 60 s, one at once.
  t.true(calls > 0 && calls <= 2 * 15, `${calls} calls`);
});

test('a node that is behind gives what it has; one on another chain nothing, and undoes nothing', async (t) => {
  const { wallet, devnet, pass, setNode, marks, count } = await setUp(t);
  const chains = [t.title, 'elsewhere'].map((seed) => {
    const chain = new Devnet({ seed, params: PARAMS });
    t.teardown(() => chain.close());
    chain.mineEmpty(8);
    return chain;
  });
  const [behind, elsewhere] = chains as [Devnet, Devnet];
  elsewhere.mineEmpty(devnet.tip.height);
  const top = devnet.tip.height;
  await setNode(await elsewhere.node.listen());
  await pass(5 * FOLLOW_TOLD_POLL_MS);
  t.deepEqual(await marks(), [[1, top, null]]);
  t.is(wallet.faults.length, 1);
  await setNode(await behind.node.listen());
  await pass(5 * FOLLOW_TOLD_POLL_MS);
  t.deepEqual(await marks(), [
    [1, 8, 'node'],
    [9, top, null],
  ]);
  t.is(count('reorg'), 0);
  t.like(await wallet.call('follow.get'), WELL);
  t.like(await wallet.call('sync.status'), { last_error: null, chain_tip: top });
  t.is(wallet.faults.length, 1);
});
