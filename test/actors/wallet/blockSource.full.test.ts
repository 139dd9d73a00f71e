// The one remembered source of blocks: a person with a compact server and no node does everything, and nothing but a person changes it.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { ChainEnvironment } from '#chain/context/chainEnvironment';
import type { Config } from '../../../src/actors/wallet/ports/configFile.ts';
import { failureOf } from '../../helpers/failureOf.ts';
import { type PaymentStory, startPaymentStory } from '../../helpers/paymentStoryBed.ts';
import { openPatientNode } from '../../helpers/waits.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

/** Nobody listens there, also where a node runs on this machine. */
const NOBODY = 'http://127.0.0.1:1';
const alone = { source: null, config: { node_url: undefined } } as const;

const kept = ({ wallet }: PaymentStory): object =>
  JSON.parse(readFileSync(path.join(wallet.folder, 'config.json'), 'utf8')) as object;

test('with a compact server alone: restore, scan, pay, mempool, statement, follow, a new wallet', async (t) => {
  const bed = await startPaymentStory(t, alone);
  const { wallet, devnet } = bed;
  t.like(kept(bed), { block_source: 'compact' });
  t.is((await wallet.call('config.get')).block_source, 'compact');

  const { payment_id: id, txid } = await bed.prepare({ zatoshi: 30_000_000 });
  t.is((await bed.complete(id)).status, 'complete');
  t.like((await bed.broadcast(id)).last_sent, { source: 'compact', outcome: 'accepted' });
  t.like(await bed.look(), { source: 'compact' });
  await bed.mine();
  t.is((await bed.get(id)).status, 'mined');
  t.is((await wallet.call('transactions.list')).transactions[0]?.txid, txid);

  const { statement } = await wallet.call('statement.get', { from: '2011-01-01', to: '2011-12-31' });
  t.like(statement, { complete: true, sent_zatoshi: 30_000_000, missing_ranges: [] });
  t.is((await wallet.call('balance.at', { date: '2012-01-01' })).complete, true);
  t.is((await wallet.call('follow.set', { enabled: true })).source, 'compact');
  const [note] = (await wallet.call('notes.list', { unspent: true })).notes;
  const { pool, output_index } = note!;
  const anchor_height = devnet.tip.height;
  await wallet.call('notes.witness', { txid: note!.txid, pool, output_index, anchor_height });
  t.is(devnet.node.callCount('getblockchaininfo'), 0);

  devnet.mineEmpty(100);
  const { compact_server_url } = await wallet.call('config.get');
  const fresh = await startWallet(t, { config: { network: 'regtest', compact_server_url }, seed: 'fresh' });
  t.teardown(() => fresh.stop());
  const made = await fresh.call('wallet.create', { password: PASSWORD });
  t.is(made.birthday_height, devnet.tip.height - 100);
  t.is(made.warning, undefined);
});

test('what auto chose stays: a node that comes later gets no call, until a person says so', async (t) => {
  const bed = await startPaymentStory(t, alone);
  const { wallet, devnet } = bed;
  await wallet.call('config.node_url', { url: bed.nodeUrl });
  t.is((await bed.sync()).source, 'compact');
  t.is((await wallet.call('sync.run', { source: 'node' })).source, 'node');
  t.is((await bed.sync()).source, 'compact');
  await wallet.call('config.block_source', { source: 'node' });
  t.is((await bed.sync()).source, 'node');

  // It is away, and the compact server is not asked in its place: the failure names it.
  devnet.node.misbehave({ kind: 'http-500' });
  const asked = devnet.compact.callCount('GetLatestBlock');
  const failed = await failureOf(bed.sync());
  t.is(failed.code, 'NODE_BAD_RESPONSE');
  t.regex(failed.message, /chain node .* A compact server is set as well: "config block-source compact"/);
  t.is(devnet.compact.callCount('GetLatestBlock'), asked);

  t.is(await wallet.failure('sync.run', { source: 'peers' }), 'PEERS_UNREACHABLE');
  t.is(await wallet.failure('follow.set', { enabled: true, source: 'compact' }), 'INVALID_REQUEST');
});

test('with nothing set nothing is chosen, and a mistyped payment is refused before any server is asked', async (t) => {
  const bed = await startPaymentStory(t, alone);
  const { wallet } = bed;
  await wallet.call('config.compact_server_url', { url: NOBODY });
  const mistyped = await failureOf(bed.prepare({ address: `${bed.other}x`, zatoshi: 1 }));
  t.deepEqual([mistyped.code, mistyped.errors?.[0]?.path], ['INVALID_REQUEST', 'address']);
  const failed = await failureOf(bed.prepare({ zatoshi: 1 }));
  t.is(failed.code, 'COMPACT_SERVER_UNREACHABLE');

  const without = await startWallet(t, { config: { network: 'regtest' }, seed: 'without' });
  t.teardown(() => without.stop());
  await without.call('wallet.create', { password: PASSWORD });
  t.is(await without.failure('sync.run'), 'NODE_UNREACHABLE');
  t.is((await without.call('config.get')).block_source, 'auto');
});

test('with nothing set the failure names peers, which need no address, and they are used only once chosen', async (t) => {
  const openNode: ChainEnvironment['openNode'] = (endpoint, parameters) =>
    openPatientNode({ ...endpoint, url: NOBODY }, parameters);
  const failed = async (config: Partial<Config>) => {
    const wallet = await startWallet(t, { config, openNode, seed: JSON.stringify(config) });
    t.teardown(() => wallet.stop());
    const { message } = await failureOf(wallet.call('sync.estimate'));
    t.is((await wallet.call('config.get')).block_source, 'auto');
    return message;
  };
  t.regex(await failed({ network: 'main' }), /Neither a node nor a server is set: .*block-source peers/);
  for (const config of [{ network: 'main', peers: false }, { network: 'regtest' }] as const)
    t.notRegex(await failed(config), /peers/);
});
