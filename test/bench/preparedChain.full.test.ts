// What `npm run bench sync` measures on: the shapes, and that a companion finds on their chains, from either server, what
// the bench expects.

import { CompactServer, NodeServer } from '@wallet-companion/devnet/servers';
import { perPool } from '@wallet-companion/zcash/pools';
import { addLeaves, EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { MNEMONIC } from '../../bench/chains/benchWallet.ts';
import { makeChain } from '../../bench/sync/preparedChain.ts';
import { viewOf } from '../../bench/sync/servedChain.ts';
import { SHAPES } from '../../bench/sync/shapes.ts';
import { startService } from '../helpers/service.ts';

const shapeOf = (name: string) => SHAPES.find((shape) => shape.name === name)!;

test('the shapes have the outputs of their descriptions', (t) => {
  const average = (name: string, from: number, to: number) => {
    const { plan, blocks } = shapeOf(name);
    let sums = EMPTY_TREES;
    for (let i = from; i < to; i++)
      for (const outputs of plan(i, blocks).strangers) sums = addLeaves(sums, { ...EMPTY_TREES, ...outputs });
    return perPool((pool) => sums[pool] / (to - from));
  };
  t.deepEqual(average('quiet', 0, 1_000), { sapling: 1.2, orchard: 0.6, ironwood: 0 });
  t.deepEqual(average('today', 0, 1_000), { sapling: 0.6, orchard: 1.6, ironwood: 0 });
  t.deepEqual(average('now', 0, 1_000), { sapling: 0.2, orchard: 0.6, ironwood: 3.3 });
  t.deepEqual(average('flood', 0, 100), { sapling: 500, orchard: 44, ironwood: 0 });
  t.deepEqual(average('flood', 100, 200), { sapling: 13, orchard: 116, ironwood: 0 });
  t.deepEqual(average('merchant', 0, 1_000), average('today', 0, 1_000));
  const { plan, blocks } = shapeOf('merchant');
  t.true(Array.from({ length: blocks }, (_, i) => plan(i, blocks).paid).every((paid) => paid !== undefined));
});

for (const [name, notes] of [
  ['merchant', 30],
  ['now', 10],
] as const)
  test(`${name}: both servers of a prepared chain give a wallet what the bench expects, and tree states of the right size`, async (t) => {
    const chain = makeChain(shapeOf(name), 30);
    const view = viewOf(chain);
    t.is(chain.facts.notes, notes);
    const node = new NodeServer(view);
    const compact = new CompactServer(view);
    const service = await startService(t, {
      config: {
        network: 'regtest',
        node_url: await node.listen(),
        compact_server_url: await compact.listen(),
        activation_heights: chain.facts.activation,
      },
    });
    t.teardown(async () => {
      await service.stop();
      await Promise.all([node.close(), compact.close()]);
    });
    const restored = await service.post('/api/wallet/restore', {
      mnemonic: MNEMONIC,
      password: 'bench',
      birthday_height: 1,
    });
    t.is(restored.status, 200);
    for (const source of ['node', 'compact'] as const) {
      const { body } = await service.post('/api/sync', { source });
      t.like(body, { blocks_scanned: 30, outputs_scanned: chain.facts.outputs, notes_found: notes });
      const balance = await service.get('/api/balance');
      t.is(balance.body['total_zatoshi'], chain.facts.zatoshi);
      await service.post('/api/wallet/rescan', {});
    }
    t.true(compact.callCount('GetTreeState') > 0, 'the sizes were asked for, and were believed');
  });

test('a chain that is made again is the same', (t) => {
  t.deepEqual(makeChain(shapeOf('today'), 20), makeChain(shapeOf('today'), 20));
});
