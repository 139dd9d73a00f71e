// A wallet of one note pays once, and then as often at once as its change has notes.

import test from 'ava';
import { failureOf } from '../../../helpers/failureOf.ts';
import { startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const ZEC = 100_000_000;
const PAID = 0.6 * ZEC;

test('the change of one payment makes three at once, and is shown as a payment nowhere', async (t) => {
  const bed = await startPaymentStory(t);
  const atOnce = async () => (await bed.call('balance.get')).payments_at_once;
  t.is(await atOnce(), 1);
  const { payment_id, fee_zatoshi: fee, change, txid } = await bed.prepare({ zatoshi: PAID });
  t.deepEqual(change, { pool: 'ironwood', amount_zatoshi: ZEC - PAID - fee, notes: 3 });
  t.is(fee, 20_000);
  t.is(await atOnce(), 0);
  await bed.call('payments.sign', { payment_id, txid, password: PASSWORD });
  await bed.call('payments.prove', { payment_id });
  await bed.broadcast(payment_id);
  await bed.mine(2);
  t.is(await atOnce(), 0, 'change waits for three blocks');
  t.is((await failureOf(bed.prepare({ zatoshi: 1_000_000 }))).code, 'INSUFFICIENT_FUNDS');
  await bed.mine();
  t.is(await atOnce(), 3);

  const { transactions } = await bed.call('transactions.list');
  const paid = transactions.find((one) => one.txid === txid)!;
  t.is(paid.received_outputs.length, 3);
  t.deepEqual(
    paid.sent_outputs.map(({ value_zatoshi }) => value_zatoshi),
    [PAID],
  );
  const { statement } = await bed.call('statement.get', {});
  t.like(statement, { sent_zatoshi: PAID, received_zatoshi: ZEC });

  const notes = new Set<string>();
  for (let left = 3; left > 0; left--) {
    t.is(await atOnce(), left);
    const next = await bed.prepare({ zatoshi: 1_000_000 });
    for (const { txid, output_index } of next.notes) notes.add(`${txid} ${output_index}`);
  }
  t.is(notes.size, 3);
  t.is((await failureOf(bed.prepare({ zatoshi: 1_000_000 }))).code, 'INSUFFICIENT_FUNDS');
});

test('change_notes of config.json says how many, and a Ledger gets one', async (t) => {
  const bed = await startPaymentStory(t, { config: { change_notes: 2 } });
  const notes = async () => {
    const { payment_id, change } = await bed.prepare({ zatoshi: PAID });
    await bed.call('payments.discard', { payment_id });
    return change?.notes;
  };
  t.is(await notes(), 2);
  await bed.call('wallet.device', { device: 'ledger', device_version: '3.9.2', password: PASSWORD });
  t.is(await notes(), 1);
});
