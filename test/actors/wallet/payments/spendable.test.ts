// What the balance calls spendable is what a payment can spend, to the zatoshi.

import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { companionWorld, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';
import { failureOf } from '../../../helpers/failureOf.ts';

const RECIPIENT = orchardAddress();
const FEE = 10_000;

test('spendable is what one payment can spend: deep enough, not reserved, not dust', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  const spendable = async () => (await bed.wallet.call('balance.get')).spendable_zatoshi;
  t.is(await spendable(), null);
  await bed.fund({ pool: 'ironwood', zatoshi: 700_000 }, { pool: 'ironwood', zatoshi: 300 });
  t.is(await spendable(), 700_000);
  // One block too young.
  bed.devnet.payTo(bed.address, { pool: 'ironwood', zatoshi: 50_000n });
  await bed.mine(8);
  t.is(await spendable(), 700_000);
  t.is((await bed.refusal({ address: RECIPIENT, zatoshi: 700_000 - FEE + 301 })).code, 'INSUFFICIENT_FUNDS');
  await bed.mine(1);
  t.is(await spendable(), 750_000);
  t.is((await bed.refusal({ address: RECIPIENT, zatoshi: 750_000 - FEE + 1 })).code, 'INSUFFICIENT_FUNDS');
  const prepared = await bed.prepare({ address: RECIPIENT, zatoshi: 750_000 - FEE });
  t.is(await spendable(), 0);
  t.is((await bed.wallet.call('balance.get', { account: 0 })).spendable_zatoshi, 0);
  await bed.wallet.call('payments.discard', { payment_id: prepared.payment_id });
  t.is(await spendable(), 750_000);
});

test('where blocks are missing, or spends are not seen, spendable is unknown', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund({ pool: 'ironwood', zatoshi: 700_000 });
  bed.devnet.mineEmpty(3);
  const tip = bed.devnet.tip.height;
  await bed.wallet.call('sync.run', { start_height: tip, end_height: tip });
  t.is((await bed.wallet.call('balance.get')).spendable_zatoshi, null);
});

test('below the heights whose transactions can be made, the balance has no spendable part, and payments give the reason', async (t) => {
  const nu5 = 40;
  const { devnet, wallet, address } = await companionWorld(t, { activation: { nu5 } });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 700_000n });
  devnet.mineEmpty(20);
  for (const source of ['node', 'compact'] as const) {
    await wallet.call('wallet.rescan');
    await wallet.call('sync.run', { source });
    const balance = await wallet.call('balance.get');
    t.is(balance.total_zatoshi, 700_000);
    t.is(balance.spendable_zatoshi, null);
  }
  const refusal = await failureOf(
    wallet.call('payments.prepare', { recipients: [{ address: orchardAddress(), zatoshi: 1_000 }] }),
  );
  t.regex(refusal.message, /no kind of transaction yet/);
  devnet.mineEmpty(nu5);
  await wallet.call('sync.run', { source: 'node' });
  t.is((await wallet.call('balance.get')).spendable_zatoshi, 700_000);
});
