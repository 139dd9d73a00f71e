// Notes and transactions by label, address and height.
import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';

test('lists are of one label, one address, or some blocks', async (t) => {
  const world = await companionWorld(t, { hasCompactServer: false });
  const { devnet, wallet, address: first } = world;
  const second = await wallet.call('address.next');
  await wallet.call('labels.set', { diversifier_index: second.diversifier_index, label: 'Shop' });
  const funds = world.pay(1_000_000n).height;
  devnet.payTo(second.unified_address, { pool: 'sapling', zatoshi: 2n });
  devnet.payTo(second.unified_address, { pool: 'orchard', zatoshi: 3n });
  const friend = orchardAddress(9);
  const payments = [{ address: friend, pool: 'ironwood', zatoshi: 5n }] as const;
  devnet.mine({ transactions: [devnet.spend(world.account, { from: 'ironwood', payments })] });
  await wallet.call('sync.run');

  const values = async (input: object) =>
    (await wallet.call('notes.list', input)).notes.map(({ value_zatoshi: value }) => value);
  t.deepEqual(await values({ label: 'Shop' }), [3, 2]);
  t.deepEqual(await values({ label: 'Nobody' }), []);
  t.deepEqual(await values({ address: second.unified_address }), [3, 2]);
  t.deepEqual(await values({ address: second.sapling_address }), [3, 2]);
  // The change came to no address that anybody knows.
  t.deepEqual(await values({ address: first }), [1_000_000]);
  t.deepEqual(await values({ address: friend }), []);

  const heights = async (input: object) =>
    (await wallet.call('transactions.list', input)).transactions.map(({ height }) => height - funds);
  t.deepEqual(await heights({}), [3, 2, 1, 0]);
  t.deepEqual(await heights({ address: second.unified_address }), [2, 1]);
  t.deepEqual(await heights({ address: friend }), [3]);
  t.deepEqual(await heights({ since_height: funds + 1, until_height: funds + 2 }), [2, 1]);
  for (const name of ['notes.list', 'transactions.list'] as const)
    t.is(await wallet.failure(name, { address: 'u1nobody' }), 'INVALID_REQUEST');

  const { changes } = await wallet.call('changes.list');
  const spent = changes.find(({ kind }) => kind === 'spent')!;
  t.like(spent, {
    time: new Date(devnet.tip.time * 1000).toISOString(),
    fee_zatoshi: (await wallet.call('transactions.list', { limit: 1 })).transactions[0]!.fee_zatoshi,
  });
  t.true(spent.fee_zatoshi! > 0);
  t.like(changes[0], {
    kind: 'received',
    time: new Date(devnet.blocks.at(funds)!.time * 1000).toISOString(),
    fee_zatoshi: null,
  });
  // What was taken back has no time any more.
  devnet.reorganise(1);
  devnet.mineEmpty(1);
  await wallet.call('sync.run');
  const after = await wallet.call('changes.list');
  t.like(
    after.changes.find(({ kind }) => kind === 'unspent'),
    { time: null, fee_zatoshi: null },
  );
});
