// A whole wallet with no address configured but peers': blocks, trees and news come from them, and they pass its payment on.
import { PeerServer } from '@wallet-companion/devnet/servers';
import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { withFillerProofs } from '@wallet-companion/pczt/test/completion';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import test, { type ExecutionContext } from 'ava';
import { FOLLOW_SETTLE_MS } from '../../../../src/actors/wallet/follow/follower.ts';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { lookOver } from '../../../helpers/lookOver.ts';
import { latePeers, networkPeers, until } from '../../../helpers/networkPeers.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

/** What the sender waits for; connections have 10 s and 20 s for their answers. */
const isBetweenLooks = (ms: number): boolean => ms < 20_000 && ms !== 10_000;

async function setUp(t: ExecutionContext, source: 'peers' | 'auto') {
  const made: { network?: ReturnType<typeof networkPeers> } = {};
  const clock = new VirtualClock();
  const randomBytes = seededBytes(49);
  const refuse = () => {
    throw new Error('only peers are asked');
  };
  const world = await companionWorld(t, {
    birthday: 1,
    clock,
    config: {
      ...{ block_source: source, peers: ['127.0.0.1:1'] },
      ...{ node_url: undefined, compact_server_url: undefined },
    },
    openPeers: () => latePeers(made),
    ...(source === 'peers' && { openNode: refuse, openCompact: refuse }),
    prover: {
      ...noProver,
      prove: async (bytes) => encodePczt(withFillerProofs(decodePczt(bytes).pczt, randomBytes), 2),
    },
  });
  const { devnet, params, wallet } = world;
  const connect = async () => {
    // Peers with nothing but the first block agree on nothing.
    devnet.mineEmpty(1);
    const servers = [new PeerServer(devnet), new PeerServer(devnet)];
    for (const server of servers) t.teardown(() => server.close());
    made.network = networkPeers(t, await Promise.all(servers.map((one) => one.listen())), params);
    await made.network.peers.start();
    await shown();
    return made.network;
  };
  const shown = () => {
    const { peers } = made.network!;
    return until(() => peers.view().height === devnet.blocks.tip.height && peers.view().agreeing === 2);
  };
  const pass = (ms: number) => clock.pass(ms, () => lookOver(wallet));
  /** Long before a look is due by the clock. */
  const followed = async (height: number) => {
    const seen = async () => (await wallet.call('follow.get')).last_tip_height;
    for (let i = 0; i < 10 && (await seen()) !== height; i++) await pass(FOLLOW_SETTLE_MS);
    t.is(await seen(), height);
  };
  return { ...world, world, devnet, wallet, connect, shown, pass, followed };
}

test('from peers alone a wallet sees a note, follows, pays by them, sees the payment confirmed, and follows a reorganisation', async (t) => {
  const { world, devnet, wallet, connect, shown, pass, followed } = await setUp(t, 'peers');
  const { call } = world;
  t.is(await wallet.failure('sync.run'), 'PEERS_UNREACHABLE');
  const network = await connect();
  devnet.mine({ transactions: [devnet.traffic({ sapling: 2, orchard: 2, ironwood: 2 })] });
  world.pay(100_000_000, 'from a friend', 'ironwood');
  devnet.mineEmpty(12);
  await shown();
  t.like(await call('sync.run'), { source: 'peers', caught_up: true });
  t.like(await call('balance.get'), { total_zatoshi: 100_000_000, verified_with: 'work' });
  t.is((await call('notes.list')).notes[0]?.memo?.text, 'from a friend');
  t.like(await call('follow.set', { enabled: true }), { source: 'peers' });
  await pass(0);

  let isOver = false;
  const paying = call('payments.pay', {
    ...{ address: world.addressOf(7), zatoshi: 30_000_000, idempotency_key: 'one', password: PASSWORD },
  }).finally(() => {
    isOver = true;
  });
  paying.catch(() => undefined);
  await until(() => {
    network.pass(isBetweenLooks);
    return isOver;
  });
  const paid = await paying;
  t.is(paid.status, 'sent');

  devnet.mine();
  devnet.mineEmpty(2);
  await shown();
  const top = devnet.blocks.tip.height;
  await followed(top);
  const { fee_zatoshi: fee, payment_id } = paid;
  t.is(await world.total(), 70_000_000 - fee);
  t.like(await call('payments.get', { payment_id }), {
    status: 'confirmed',
    last_sent: { source: 'peers', outcome: 'accepted' },
  });

  devnet.reorganise(2, new Array(4).fill({}));
  await shown();
  await followed(top + 2);
  t.is(await world.total(), 70_000_000 - fee);
  t.deepEqual(network.left, []);
});

test('auto becomes peers where the owner names some, and neither node nor server is set or answers', async (t) => {
  const { world, connect, devnet, shown } = await setUp(t, 'auto');
  await connect();
  devnet.mineEmpty(3);
  await shown();
  t.is((await world.call('sync.run')).source, 'peers');
  t.is((await world.call('config.get')).block_source, 'peers');
});
