// What was read ahead for the request that follows is of the chain as it was: a request across that place, after a
// reorganisation, blames no honest server.

import test from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';

for (const source of ['node', 'compact'] as const)
  test(`${source}: cut at 1,000 blocks, reorganised, then a range across that place`, async (t) => {
    const { devnet, wallet } = await companionWorld(t, { blocks: 1_300 });
    const cut = await wallet.call('sync.run', { source });
    t.like(cut, { end_height: 1_000, range_complete: false });
    devnet.reorganise(350);
    const across = await wallet.call('sync.run', { source, start_height: 900, end_height: 1_150 });
    t.like(across, { range_complete: true, blocks_scanned: 251 });
    t.is(across.reorg?.fork_height, 950);
    const { as_of_hash: asOf } = await wallet.call('balance.get');
    t.is(asOf, Buffer.from(devnet.blocks.at(1_150)!.hash).reverse().toString('hex'));
  });
