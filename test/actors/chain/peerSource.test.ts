// Blocks and trees from peers over TCP, beside those of a node on the same chain.
import { openNodeSource } from '@wallet-companion/chain/node';
import { PeerSource } from '@wallet-companion/chain/peers';
import type { BlockStream } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { blockHashFromHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS, perPool } from '@wallet-companion/zcash/pools';
import type { BlockBatch } from '@wallet-companion/zcash/scan';
import { EMPTY_TREE_STATE, PLAIN_LEVEL_HASH, readTreeState } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { networkPeers, until } from '../../helpers/networkPeers.ts';

async function setUp(t: ExecutionContext, blocks = 40) {
  const params = regtestParameters();
  const devnet = new Devnet({ params });
  t.teardown(() => devnet.close());
  for (let i = 0; i < blocks; i++)
    devnet.mine({
      transactions: i % 4 === 0 ? [devnet.traffic({ sapling: 2, orchard: i % 8 === 0 ? 2 : 0 })] : [],
    });
  const [nodeUrl, address] = await Promise.all([devnet.node.listen(), devnet.peer.listen()]);
  const made = networkPeers(t, [address], params);
  const node = openNodeSource({ url: nodeUrl, cookieFile: null }, params);
  t.teardown(() => node.close());
  const source = new PeerSource({
    network: made.peers,
    trees: { height: 0, hash: blockHashFromHex(params.genesisHash), states: perPool(() => EMPTY_TREE_STATE) },
    hashes: PLAIN_LEVEL_HASH,
  });
  await made.peers.start();
  return { devnet, node, source, params, ...made };
}

async function all(stream: BlockStream): Promise<BlockBatch[]> {
  const batches: BlockBatch[] = [];
  for (let batch = await stream.next(); batch !== null; batch = await stream.next()) batches.push(batch);
  return batches;
}

const blocksOf = (batches: readonly BlockBatch[]) =>
  batches.flatMap(({ buffer, blocks }) =>
    blocks.map((block) => ({
      ...{ height: block.height, hash: [...block.hash], sizes: block.treeSizes, outputs: block.outputCount },
      bytes: Buffer.from(buffer, block.offset, block.length).toString('hex'),
    })),
  );

test('peers give the tip, blocks, sizes, times and trees that a node gives', async (t) => {
  const { node, source, devnet } = await setUp(t);
  const [tip, nodes] = [await source.tip(), await node.tip()];
  t.deepEqual([tip.height, tip.hash], [nodes.height, nodes.hash]);
  t.deepEqual(blocksOf(await all(source.openRange(1, 40))), blocksOf(await all(node.openRange(1, 40))));
  for (const height of [0, 1, 17, 40]) {
    t.deepEqual(await source.blockHash(height), await node.blockHash(height));
    t.is((await source.blockTime(height))?.time, (await node.blockTime(height))?.time);
  }
  t.is(await source.blockHash(41), null);
  for (const height of [40, 9, 38]) {
    const [ours, theirs] = [await source.treeStates(height), await node.treeStates(height)];
    t.deepEqual(ours?.hash, theirs?.hash);
    for (const pool of POOLS) {
      const { size, first, leaves } = readTreeState(ours!.states[pool]);
      t.like(readTreeState(theirs!.states[pool]), { size, first, leaves }, `${pool} ${height}`);
    }
  }
  const { bytes, hash } = devnet.blocks.at(23)!;
  t.deepEqual(await source.rawBlock(23, hash), bytes);
  t.is(await source.rawBlock(22, hash), null);
});

test('a range from the middle counts the leaves below it, and what was counted before is taken', async (t) => {
  const { node, source } = await setUp(t);
  t.deepEqual(blocksOf(await all(source.openRange(30, 34))), blocksOf(await all(node.openRange(30, 34))));
  const [last] = blocksOf(await all(node.openRange(20, 20)));
  const hash = (await node.blockHash(19))!;
  const before = { hash, treeSizes: last!.sizes };
  t.deepEqual(
    blocksOf(await all(source.openRange(20, 24, before))),
    blocksOf(await all(node.openRange(20, 24))),
  );
});

test('a new block is known when a peer announces it, and a branch with more work replaces blocks and trees', async (t) => {
  const { node, source, devnet, peers } = await setUp(t, 12);
  const { hash } = await source.tip();
  await source.treeStates(12);
  const news = peers.untilOther(hash, 3_000);
  devnet.mineEmpty(1);
  t.true(await news);
  t.is((await source.tip()).height, 13);
  devnet.reorganise(6, new Array(9).fill({}));
  await until(() => peers.view().height === 16 && peers.view().agreeing === 1);
  t.deepEqual(blocksOf(await all(source.openRange(5, 16))), blocksOf(await all(node.openRange(5, 16))));
  const [ours, theirs] = [await source.treeStates(12), await node.treeStates(12)];
  for (const pool of POOLS)
    t.is(readTreeState(ours!.states[pool]).size, readTreeState(theirs!.states[pool]).size, pool);
});

test('without a peer, or for what peers do not serve, there is a reason', async (t) => {
  const { source, devnet, peers, pass } = await setUp(t, 5);
  await source.tip();
  t.deepEqual(await source.subtreeRoots('sapling', 0), []);
  const failure = async (asked: Promise<unknown>) => (await t.throwsAsync<CompanionError>(asked))?.code;
  t.is(await failure(source.subtreeRoots('sapling', 1)), 'PEERS_BAD_RESPONSE');
  t.is(await failure(source.rawTransaction()), 'PEERS_BAD_RESPONSE');
  t.is(await failure(all(source.openRange(4, 6))), 'PEERS_BAD_RESPONSE');
  await devnet.peer.close();
  await until(() => peers.view().peers === 0);
  const asked = failure(source.tip());
  let isOver = false;
  void asked.finally(() => {
    isOver = true;
  });
  await until(() => {
    pass(20_000);
    return isOver;
  });
  t.is(await asked, 'PEERS_UNREACHABLE');
});
