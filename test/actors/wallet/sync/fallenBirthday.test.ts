// A note below the birthday, and a birthday that was wrong: the balance, the books and the wallet file agree on where the wallet begins,
// also after a rescan.

import test, { type ExecutionContext } from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { PASSWORD, type WalletHarness } from '../../../helpers/walletHarness.ts';

const SUM = { total_zatoshi: 5_070_000, complete: true, missing_ranges: [] };

/** 5,000,000 in block 2, 70,000 in block 25, and 30 blocks. */
async function startBed(t: ExecutionContext, birthday: number) {
  const world = await companionWorld(t, { hasCompactServer: false, birthday: null });
  const { devnet } = world;
  devnet.mineEmpty(1);
  world.pay(5_000_000);
  devnet.mineEmpty(22);
  world.pay(70_000);
  devnet.mineEmpty(5);
  await world.restore(birthday);
  return world;
}

const begins = async (wallet: WalletHarness) => [
  (await wallet.call('config.get')).birthday_height,
  (await wallet.call('wallet.backup', { password: PASSWORD })).birthday_height,
  (await wallet.call('wallet.viewing_key', { password: PASSWORD })).birthday_height,
  (await wallet.call('accounts.list')).accounts[0]!.birthday_height,
  (await wallet.call('coverage.get')).accounts[0]!.birthday_height,
];

async function books(wallet: WalletHarness) {
  const [{ statement }, exported, { changes }] = [
    await wallet.call('statement.get', { format: 'json' }),
    await wallet.call('transactions.export', { format: 'json' }),
    await wallet.call('changes.list'),
  ];
  return {
    opening: statement!.opening_zatoshi,
    closing: statement!.closing_zatoshi,
    exported: exported.balance_zatoshi,
    received: exported.rows!.reduce((sum, row) => sum + row.received_zatoshi, 0),
    journal: changes.length,
  };
}

for (const [order, scans] of Object.entries({
  'found first': [{ start_height: 1, end_height: 10 }, {}, { end_height: 30 }],
  'found after the tip was reached': [{}, { start_height: 1, end_height: 10 }, { end_height: 30 }],
}))
  test(`a note below the birthday stays in balance, books, backup and rescans: ${order}`, async (t) => {
    const { wallet, begin } = await startBed(t, 20);
    for (const range of scans) await wallet.call('sync.run', range);
    t.like(await wallet.call('balance.get'), SUM);
    t.deepEqual(await begins(wallet), [1, 1, 1, 1, 1]);
    const before = await books(wallet);
    t.like(before, { opening: 0, closing: 5_070_000, exported: 5_070_000, received: 5_070_000 });

    t.is((await wallet.call('wallet.rescan')).next_start_height, 1);
    await wallet.call('sync.run');
    t.like(await wallet.call('balance.get'), SUM);
    t.deepEqual(await books(wallet), before);

    // The readable facts follow where there is a password, also without a session.
    await wallet.stop();
    const locked = await begin();
    t.is((await locked.call('wallet.backup', { password: PASSWORD })).birthday_height, 1);
    t.is((await locked.call('config.get')).birthday_height, 1);
    await locked.call('wallet.unlock', { password: PASSWORD });
    t.like(await locked.call('balance.get'), SUM);
    t.deepEqual(locked.faults, []);
  });

test('a birthday that is a date is lowered for good by a rescan from below, also before a note comes', async (t) => {
  const { devnet, wallet } = await startBed(t, 20_201_302);
  t.is(await wallet.failure('sync.run', {}), 'NODE_BEHIND');
  await wallet.call('wallet.rescan', { from_height: 27 });
  await wallet.call('sync.run');
  t.like(await wallet.call('balance.get'), { as_of_height: 30, total_zatoshi: 0, complete: true });
  t.deepEqual(await begins(wallet), [27, 27, 27, 27, 27]);
  await wallet.call('wallet.rescan');
  await wallet.call('sync.run');
  t.like(await wallet.call('balance.get'), { as_of_height: devnet.tip.height, complete: true });
});
