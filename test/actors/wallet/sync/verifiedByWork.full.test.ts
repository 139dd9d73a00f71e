// Follow mode reads blocks around what is ours from peers of the network, where a compact server alone said what is in them.

import { ByteReader, concatBytes } from '@wallet-companion/base/bytes';
import { Devnet } from '@wallet-companion/devnet';
import type { ChainView, MinedBlock } from '@wallet-companion/devnet/chain';
import { PeerServer } from '@wallet-companion/devnet/servers';
import test, { type ExecutionContext } from 'ava';
import { FOLLOW_TOLD_POLL_MS } from '../../../../src/actors/wallet/follow/follower.ts';
import { PARAMS } from '../../../helpers/companionWorld.ts';
import { lookOver } from '../../../helpers/lookOver.ts';
import { latePeers, networkPeers, until } from '../../../helpers/networkPeers.ts';
import { startSwappedBed, ZEC } from '../../../helpers/swappedBed.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';

const FIXED_BYTES = 140;

/** A compact server that lies, and a wallet that follows it; peers come when the test says so. */
async function setUp(t: ExecutionContext) {
  const clock = new VirtualClock();
  const made: { network?: ReturnType<typeof networkPeers> } = {};
  const config = { block_source: 'compact', complete_transactions: false, peers: ['127.0.0.1:1'] };
  const bed = await startSwappedBed(t, {
    clock,
    config: { ...config, node_url: undefined } as never,
    openPeers: () => latePeers(made),
  });
  const { wallet, devnet } = bed;
  const pass = (ms: number) => clock.pass(ms, () => lookOver(wallet));
  await wallet.call('follow.set', { enabled: true });
  await pass(0);
  const connect = async (...views: readonly ChainView[]) => {
    const servers = views.map((view) => new PeerServer(view));
    for (const server of servers) t.teardown(() => server.close());
    made.network = networkPeers(t, await Promise.all(servers.map((one) => one.listen())), PARAMS);
    const { peers } = made.network;
    await peers.start();
    await until(() => peers.view().agreeing === views.length);
    await pass(2 * FOLLOW_TOLD_POLL_MS);
    return { servers, left: made.network.left };
  };
  const money = async () => {
    const { total_zatoshi, verified_with } = await wallet.call('balance.get');
    return [total_zatoshi, verified_with];
  };
  const marks = async () =>
    (await wallet.call('coverage.get')).accounts[0]!.scanned.map((one) => [
      ...[one.start_height, one.end_height, one.verified_with],
    ]);
  return { ...bed, wallet, devnet, pass, connect, money, marks };
}

/** The transactions of a block stand under the header of another. */
function under({ bytes: head }: MinedBlock, { bytes: body }: MinedBlock): Uint8Array {
  const length = (bytes: Uint8Array): number => {
    const reader = new ByteReader(bytes.subarray(FIXED_BYTES));
    const solution = reader.compactSize();
    return FIXED_BYTES + reader.offset + solution;
  };
  return concatBytes(head.subarray(0, length(head)), body.subarray(length(body)));
}

test('what a compact server replaced is found by an honest peer: the false note goes, the hidden one comes, with the mark', async (t) => {
  const { wallet, devnet, pass, connect, money, marks, strangers, ours } = await setUp(t);
  t.deepEqual(await money(), [3 * ZEC, null]);
  // Nobody is there to ask yet.
  wallet.faults.splice(0);
  t.like(await wallet.call('follow.get'), { verifies_with: 'work' });
  const top = devnet.tip.height;
  const { servers, left } = await connect(devnet);
  t.deepEqual(await money(), [ZEC / 2, 'work']);
  t.deepEqual(await marks(), [[1, top, 'work']]);
  t.like(await wallet.call('sync.status'), {
    contradicted: { start_height: strangers, end_height: ours, blocks: 2 },
  });
  t.is(wallet.events.filter(({ event }) => event === 'blocks.contradicted').length, 1);
  t.is((await wallet.call('notes.list')).notes[0]?.verified_with, 'work');
  // Blocks without anything of ours are not asked for, whatever lies below.
  const asked = servers[0]!.received.filter((command) => command === 'getdata').length;
  devnet.mineEmpty(3);
  await pass(FOLLOW_TOLD_POLL_MS);
  await pass(60_000);
  t.is(servers[0]!.received.filter((command) => command === 'getdata').length, asked);
  t.deepEqual(await marks(), [
    [1, top, 'work'],
    [top + 1, top + 3, null],
  ]);
  t.deepEqual(left, []);
});

test('a peer that gives a wrong block is believed nothing and named, and an honest one beside it is', async (t) => {
  const { wallet, devnet, connect, money, marks } = await setUp(t);
  const elsewhere = new Devnet({ seed: 'elsewhere', params: PARAMS });
  t.teardown(() => elsewhere.close());
  elsewhere.mineEmpty(devnet.tip.height);
  const { blocks } = devnet;
  const lie = (block: MinedBlock | undefined) =>
    block && { ...block, bytes: under(block, elsewhere.blocks.at(block.height)!) };
  const liar: ChainView = {
    ...{ params: PARAMS, trees: devnet.trees, mempool: devnet.mempool },
    blocks: new Proxy(blocks, {
      get: (tree, name) => {
        if (name === 'byHash') return (hash: string) => lie(tree.byHash(hash));
        const member = Reflect.get(tree, name, tree) as unknown;
        return typeof member === 'function' ? (member.bind(tree) as unknown) : member;
      },
    }),
  };
  const alone = await connect(liar);
  t.deepEqual(await money(), [3 * ZEC, null]);
  t.regex(alone.left.join(), /^\d+: it sent a wrong block: /);
  t.is((await wallet.call('sync.status')).contradicted, null);
  t.deepEqual(new Set(wallet.faults.splice(0).map(({ where }) => where)), new Set(['wallet.second_look']));
  const mixed = await connect(liar, devnet);
  t.deepEqual(await money(), [ZEC / 2, 'work']);
  t.deepEqual(await marks(), [[1, devnet.tip.height, 'work']]);
  t.is(mixed.left.length, 1);
  t.deepEqual(wallet.faults, []);
});
