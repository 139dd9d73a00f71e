// A node and a compact server against the chain that a peer of the network shows, all of them over TCP.
import { setImmediate as turn } from 'node:timers/promises';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { unwrap } from '../../../src/protocol/result.ts';
import { startChainActor } from '../../helpers/chainActorHere.ts';
import { networkPeers, until } from '../../helpers/networkPeers.ts';

async function setUp(t: ExecutionContext) {
  const params = regtestParameters();
  const devnet = new Devnet({ params });
  const fork = new Devnet({ params });
  t.teardown(() => Promise.all([devnet.close(), fork.close()]));
  for (const one of [devnet, fork]) one.mineEmpty(20);
  devnet.mineEmpty(11);
  fork.mine({ transactions: [fork.traffic({ sapling: 1 })] });
  fork.mineEmpty(4);
  const [nodeUrl, compactServerUrl, address] = await Promise.all([
    devnet.node.listen(),
    devnet.compact.listen(),
    devnet.peer.listen(),
  ]);
  const made = networkPeers(t, [address], params);
  const { actor } = await startChainActor(
    t,
    {
      ...{ network: 'regtest', activation: params.activation, nodeUrl, compactServerUrl },
      peers: { isOn: true, named: [address] },
    },
    { openPeers: () => made.peers },
  );
  const status = async () =>
    unwrap(
      await actor.dispatch({ name: 'system.status', input: { known: true }, requestId: 'test' }),
    ) as Output<'system.status'>;
  await status();
  for (let turns = 0; turns < 50; turns++) await turn();
  t.false(devnet.peer.received.includes('version'), 'no server was asked');
  await actor.tip({ source: 'node' });
  await until(() => made.peers.view().agreeing === 1);
  const show = (chain: Devnet) => {
    devnet.node.show(chain);
    devnet.compact.show(chain);
  };
  return { actor, devnet, fork, params, ...made, show, status };
}

const refused = async (t: ExecutionContext, asked: Promise<unknown>): Promise<string> => {
  const error = await t.throwsAsync<CompanionError>(asked);
  t.is(error?.code, 'CHAIN_OF_LESS_WORK', error?.message);
  return error?.message ?? '';
};

test('what a server shows beside the chain of most work is refused, by whichever call it comes', async (t) => {
  const { actor, devnet, fork, show, status } = await setUp(t);
  for (const source of ['node', 'compact'] as const) {
    show(devnet);
    t.is((await actor.tip({ source })).height, 31);
    const name = source === 'node' ? 'node' : 'compact_server';
    t.is((await status())[name].state, 'up');
    show(fork);
    t.regex(await refused(t, actor.tip({ source })), /as block 25\. .* a peer of the network shows/);
    t.like((await status())[name], { state: 'other_chain', code: 'CHAIN_OF_LESS_WORK' });
    await refused(t, actor.blockHash({ source, height: 22 }));
    t.deepEqual(await actor.blockHash({ source, height: 20 }), fork.blocks.at(20)!.hash);
    const { rangeId } = await actor.openRange({ source, start: 19, end: 25 });
    await refused(t, actor.nextBatch({ rangeId }));
    await actor.closeRange({ rangeId });
  }
});

test('the chain that a server follows counts once it has more work, and without a peer everything goes on', async (t) => {
  const { actor, devnet, fork, peers, show, status } = await setUp(t);
  show(fork);
  await refused(t, actor.tip({ source: 'node' }));
  fork.mineEmpty(10);
  devnet.peer.show(fork);
  await until(() => peers.view().height === 35);
  t.is((await actor.tip({ source: 'node' })).height, 35);
  t.like((await status()).peers, { state: 'current', connected: 1, agreeing: 1, height: 35, warning: null });
  show(devnet);
  await refused(t, actor.tip({ source: 'node' }));
  await devnet.peer.close();
  await until(() => peers.view().peers === 0);
  t.is((await actor.tip({ source: 'node' })).height, 31);
  t.is((await status()).peers.state, 'connecting');
});

test('a server with many blocks that no peer has is refused, and one with far fewer is behind', async (t) => {
  const { actor, devnet, fork, show, status } = await setUp(t);
  devnet.peer.misbehave({ kind: 'stale', at: 31 });
  devnet.mineEmpty(6);
  t.is((await actor.tip({ source: 'node' })).height, 37, 'a server may hear of blocks first');
  devnet.mineEmpty(1);
  await refused(t, actor.tip({ source: 'node' }));
  const short = new Devnet({ params: fork.params });
  short.mineEmpty(20);
  show(short);
  t.is((await actor.tip({ source: 'node' })).height, 20);
  t.is((await status()).node.state, 'behind');
});

test('the newest blocks may differ for a moment, and those below may not', async (t) => {
  const { actor, fork, params, show } = await setUp(t);
  const late = new Devnet({ params });
  late.mineEmpty(20);
  late.mineEmpty(9);
  late.mine({ transactions: [late.traffic({ sapling: 1 })] });
  show(late);
  t.is(
    (await actor.tip({ source: 'node' })).height,
    30,
    'the peers have another block 30, and no work decides yet',
  );
  late.mineEmpty(1);
  t.is((await actor.tip({ source: 'node' })).height, 31);
  show(fork);
  await refused(t, actor.blockHash({ source: 'node', height: 25 }));
});

test('a block is not refused while the peers do not answer any more', async (t) => {
  const { actor, devnet, fork, show, pass } = await setUp(t);
  show(fork);
  await refused(t, actor.tip({ source: 'node' }));
  devnet.peer.misbehave({ kind: 'stall' });
  const asked = actor.tip({ source: 'node' });
  let isAnswered = false;
  const answered = asked.finally(() => {
    isAnswered = true;
  });
  await until(() => {
    pass(5_000);
    return isAnswered;
  });
  t.is((await answered).height, 25);
});
