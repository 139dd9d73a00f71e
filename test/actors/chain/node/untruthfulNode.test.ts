// A node whose answers hang together badly: what the wallet shows stays right, or nothing changes and the node is
// named.

import type { MinedBlock } from '@wallet-companion/devnet/chain';
import test, { type ExecutionContext } from 'ava';
import { type CompanionWorld, companionWorld } from '../../../helpers/companionWorld.ts';

const setUp = (t: ExecutionContext, birthday = 1) => companionWorld(t, { hasCompactServer: false, birthday });

/** Where the ephemeral keys of the paying transaction's outputs lie in the block. */
function ephemeralKeysIn(block: MinedBlock): number[] {
  const { bytes } = block;
  const [, payment] = block.parse().transactions;
  const { actions } = payment!.ironwood;
  return Array.from({ length: actions.count }, (_, i) => {
    const key = actions.bytes.subarray(i * actions.size + 128, i * actions.size + 160);
    return Buffer.from(bytes).indexOf(key);
  });
}

test('a flipped bit in a raw block is noticed, and loses no note', async (t) => {
  const { devnet, wallet, address, total } = await setUp(t);
  const block = devnet.payTo(address, { pool: 'ironwood', zatoshi: 5_000_000n });
  const keys = ephemeralKeysIn(block);
  t.true(keys.length >= 2);
  for (const at of keys) {
    devnet.node.misbehave({ kind: 'flipped-bit', height: block.height, at });
    t.is(await wallet.failure('sync.run'), 'NODE_BAD_RESPONSE');
    const { last_error } = await wallet.call('sync.status');
    t.regex(last_error?.detail ?? '', new RegExp(`block ${block.height} `));
    devnet.node.behave();
  }
  await wallet.call('sync.run');
  t.is(await total(), 5_000_000);
  t.true((await wallet.call('balance.get')).complete);
});

/** A Sapling note of which 990,000 are left after its spend, which is seen only when positions were counted right. */
function receiveAndSpend({ devnet, address, account }: CompanionWorld): void {
  devnet.payTo(address, { pool: 'sapling', zatoshi: 1_000_000n });
  devnet.mine({ transactions: [devnet.spend(account, { from: 'sapling', payments: [] })] });
}

test('tree sizes that differ from those after the block scanned before are refused', async (t) => {
  const setup = await setUp(t);
  const { devnet, wallet, total } = setup;
  devnet.mine({ transactions: [devnet.traffic({ sapling: 3, ironwood: 2 })] });
  await wallet.call('sync.run');
  receiveAndSpend(setup);
  for (const leaves of [{ sapling: 1 }, { ironwood: 1 }, { orchard: 7 }]) {
    devnet.node.misbehave({ kind: 'more-leaves', leaves });
    t.is(await wallet.failure('sync.run'), 'NODE_BAD_RESPONSE');
    const { last_error, last_scan_height } = await wallet.call('sync.status');
    t.regex(last_error?.detail ?? '', /another node.*rescan/);
    t.is(last_scan_height, 1, 'nothing was scanned');
    devnet.node.behave();
  }
  await wallet.call('sync.run');
  t.is(await total(), 990_000);
});

test('tree sizes that the node itself contradicts further up are noticed before anything is kept', async (t) => {
  const setup = await setUp(t, 3);
  const { devnet, wallet, total } = setup;
  devnet.mine({ transactions: [devnet.traffic({ sapling: 3 })] });
  devnet.mine();
  receiveAndSpend(setup);
  devnet.mineEmpty(70);
  devnet.node.misbehave({ kind: 'more-leaves', leaves: { sapling: 1 }, height: 2 });
  t.is(await wallet.failure('sync.run'), 'NODE_BAD_RESPONSE');
  t.is((await wallet.call('sync.status')).last_scan_height, 2, 'of 72 blocks none was kept');
  devnet.node.behave();
  await wallet.call('sync.run');
  t.is(await total(), 990_000);
});
