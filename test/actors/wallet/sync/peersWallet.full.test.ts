// A whole wallet whose blocks and trees come from a peer alone: it sees a note with its memo, and spends it. A node only takes
// the transaction.
import { PeerSource } from '@wallet-companion/chain/peers';
import type { ChainNode, ChainSource } from '@wallet-companion/chain/ports';
import { decodePczt, encodePczt } from '@wallet-companion/pczt/pczt';
import { withFillerProofs } from '@wallet-companion/pczt/test/completion';
import { blockHashFromHex } from '@wallet-companion/zcash/identifiers';
import { perPool } from '@wallet-companion/zcash/pools';
import { seededBytes } from '@wallet-companion/zcash/test/noteMaker';
import { EMPTY_TREE_STATE, PLAIN_LEVEL_HASH } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { networkPeers, until } from '../../../helpers/networkPeers.ts';
import { noProver } from '../../../helpers/noPrograms.ts';
import { openPatientNode } from '../../../helpers/waits.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

/** A node that is asked for nothing but what concerns transactions. */
const withBlocksOf = (node: ChainNode, peers: () => ChainSource): ChainNode => ({
  tip: () => peers().tip(),
  blockHash: (height) => peers().blockHash(height),
  blockTime: (height) => peers().blockTime(height),
  openRange: (start, end, before) => peers().openRange(start, end, before),
  treeStates: (height) => peers().treeStates(height),
  subtreeRoots: (pool, count) => peers().subtreeRoots(pool, count),
  rawBlock: (height, hash) => peers().rawBlock(height, hash),
  rawTransaction: (txid) => peers().rawTransaction(txid),
  treeSizesAt: () => Promise.reject(new Error('no block is asked of the node')),
  get receivedBytes() {
    return peers().receivedBytes;
  },
  close: () => node.close(),
  send: (raw, txid) => node.send(raw, txid),
  transactionStatus: (txid) => node.transactionStatus(txid),
  unspentOutputs: (addresses) => node.unspentOutputs(addresses),
  mempool: (query) => node.mempool(query),
});

test('a wallet that reads blocks and trees from a peer alone sees a note, spends it, and follows a reorganisation', async (t) => {
  let source: PeerSource | undefined;
  const randomBytes = seededBytes(49);
  const world = await companionWorld(t, {
    birthday: 1,
    openNode: (endpoint, parameters) => withBlocksOf(openPatientNode(endpoint, parameters), () => source!),
    prover: {
      ...noProver,
      prove: async (bytes) => encodePczt(withFillerProofs(decodePczt(bytes).pczt, randomBytes), 2),
    },
  });
  const { devnet, params, call } = world;
  const { peers } = networkPeers(t, [await devnet.peer.listen()], params);
  source = new PeerSource({
    network: peers,
    trees: { height: 0, hash: blockHashFromHex(params.genesisHash), states: perPool(() => EMPTY_TREE_STATE) },
    hashes: PLAIN_LEVEL_HASH,
  });
  await peers.start();
  const shown = () =>
    until(() => peers.view().height === devnet.blocks.tip.height && peers.view().agreeing === 1);

  devnet.mine({ transactions: [devnet.traffic({ sapling: 2, orchard: 2, ironwood: 2 })] });
  world.pay(100_000_000, 'from a friend', 'ironwood');
  devnet.mineEmpty(12);
  await shown();
  await call('sync.run', { source: 'node' });
  t.is(await world.total(), 100_000_000);
  const [note] = (await call('notes.list')).notes;
  t.is(note?.memo?.text, 'from a friend');

  const paid = await call('payments.pay', {
    ...{ address: world.addressOf(7), zatoshi: 30_000_000, idempotency_key: 'one' },
    ...{ password: PASSWORD, source: 'node' },
  });
  t.is(paid.status, 'sent');
  devnet.mine();
  devnet.mineEmpty(2);
  await shown();
  await call('sync.run', { source: 'node' });
  t.is(await world.total(), 70_000_000 - paid.fee_zatoshi);

  devnet.reorganise(2, new Array(4).fill({}));
  await shown();
  const { reorg } = await call('sync.run', { source: 'node' });
  t.is(reorg?.depth, 2);
  t.is(await world.total(), 70_000_000 - paid.fee_zatoshi);
});
