// Refunds over the real parts: an embedded chain, the wallet's files, and a device that signs.

import fs from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Input, Output } from '../../../../src/protocol/operations.ts';
import { type PaymentStory, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;

type Invoice = Output<'invoices.get'>;

/** A wallet with three notes to pay from, and an invoice that received 1 ZEC with this memo, settled. */
async function startRefunds(t: ExecutionContext, memo: (story: PaymentStory) => string = () => '') {
  const story = await startPaymentStory(t, {
    notes: [
      ['ironwood', ZEC],
      ['ironwood', ZEC],
      ['ironwood', ZEC],
    ],
  });
  const order = { amount_zatoshi: ZEC, reference: 'order 7', confirmations: 2 };
  const invoice = await story.call('invoices.create', order);
  story.devnet.payTo(invoice.address, { pool: 'ironwood', zatoshi: BigInt(ZEC), memo: memo(story) });
  await story.sync();
  const id = { invoice_id: invoice.invoice_id };
  const inputOf = (more: Partial<Input<'payments.refund'>>) => ({
    ...id,
    address: story.other,
    source: 'node',
    ...more,
  });
  const bed = Object.assign(story, {
    invoice: (): Promise<Invoice> => story.call('invoices.get', id),
    refund: (more: Partial<Input<'payments.refund'>> = {}) => story.call('payments.refund', inputOf(more)),
    refused: (more: Partial<Input<'payments.refund'>> = {}) =>
      story.wallet.failure('payments.refund', inputOf(more)),
    /** What is refunded, what can still be, and how the refunds stand, which are of one moment of the clock. */
    stands: async () => {
      const { refunded_zatoshi, refundable_zatoshi, refunds } = await bed.invoice();
      return [refunded_zatoshi, refundable_zatoshi, ...refunds.map(({ status }) => status).sort()];
    },
    send: async (payment_id: string) => {
      await story.complete(payment_id);
      return story.broadcast(payment_id);
    },
    /** The refunds in each change of the invoice that was announced, since the last time. */
    announced: () =>
      story.wallet.events
        .splice(0)
        .flatMap(({ event, data }) =>
          event === 'invoice.changed' ? [data.refunds.map(({ status }) => status).join()] : [],
        ),
  });
  return bed;
}

test('what came is refunded once: linked both ways, announced at each step, and the fee is on top', async (t) => {
  const bed = await startRefunds(t);
  t.is(await bed.refused(), 'INVOICE_STATE', 'one of two confirmations');
  await bed.mine();
  t.deepEqual(await bed.stands(), [0, ZEC]);
  for (const amount of ['1.00000001', '0']) t.is(await bed.refused({ amount }), 'INVALID_REQUEST');
  bed.announced();
  const prepared = await bed.refund({ memo: 'sorry' });
  const { invoice_id: id } = await bed.invoice();
  t.like(prepared, {
    refund_of: id,
    status: 'prepared',
    payments: [{ amount_zatoshi: ZEC, address: bed.other }],
  });
  t.true(prepared.notes.length > 1, 'the fee is on top');
  t.deepEqual(await bed.stands(), [ZEC, 0, 'prepared']);
  t.is(await bed.refused({ zatoshi: 1 }), 'ALREADY_REFUNDED');
  await bed.send(prepared.payment_id);
  await bed.mine();
  await bed.mine(2);
  t.like((await bed.invoice()).refunds[0], {
    payment_id: prepared.payment_id,
    txid: prepared.txid,
    amount_zatoshi: ZEC,
    mined_height: bed.devnet.tip.height - 2,
  });
  t.deepEqual(bed.announced(), ['prepared', 'sent', 'mined', 'confirmed']);
  t.is(await bed.refused({ zatoshi: 1 }), 'ALREADY_REFUNDED');
  const { state, exception } = await bed.invoice();
  t.deepEqual([state, exception], ['confirmed', null], 'it stays paid');
  const { rows = [] } = await bed.call('transactions.export', { format: 'json' });
  const named = rows.filter(({ references, refunds }) => references.length + refunds.length > 0);
  t.deepEqual(
    named.map(({ references, refunds }) => [references, refunds]),
    [
      [['order 7'], []],
      [[], ['order 7']],
    ],
  );
  const { statement } = await bed.call('statement.get');
  t.like(statement, { sent_zatoshi: ZEC, refunded_zatoshi: ZEC, fee_zatoshi: prepared.fee_zatoshi });
  for (const [format, words] of [
    ['beancount', '  refund-of: "order 7"\n'],
    ['hledger', 'sorry, refund of invoice order 7'],
    ['koinly', 'sorry: refund of invoice order 7'],
    ['csv', ',node,"order 7",'],
  ] as const)
    t.true((await bed.call('transactions.export', { format })).text?.includes(words), format);
});

test('of two at once the second is refused; parts add up; what is given up or expires can be refunded again', async (t) => {
  const bed = await startRefunds(t);
  await bed.mine();
  const both = await Promise.allSettled([bed.refund(), bed.refund()]);
  t.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.like(both.find((one) => one.status === 'rejected')?.reason, { code: 'ALREADY_REFUNDED' });
  const [first] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  await bed.call('payments.discard', { payment_id: first!.payment_id });
  t.deepEqual(await bed.stands(), [0, ZEC, 'discarded']);
  const part = await bed.refund({ amount: '0.4' });
  t.is(await bed.refused({ amount: '0.7' }), 'ALREADY_REFUNDED');
  const rest = await bed.refund();
  t.is(rest.payments[0]?.amount_zatoshi, 0.6 * ZEC);
  await bed.send(part.payment_id);
  await bed.mine();
  await bed.restart();
  t.deepEqual(await bed.stands(), [ZEC, 0, 'discarded', 'mined', 'prepared']);
  await bed.mine(rest.last_height - bed.devnet.tip.height);
  t.deepEqual(await bed.stands(), [0.4 * ZEC, 0.6 * ZEC, 'confirmed', 'discarded', 'expired']);
});

test('a branch without the refund, or without what it refunds, is seen: nothing leaves that did not come', async (t) => {
  const bed = await startRefunds(t);
  const paid = bed.devnet.tip.height;
  await bed.mine(2);
  const half = await bed.refund({ amount: '0.5' });
  await bed.send(half.payment_id);
  await bed.mine();
  t.deepEqual(await bed.stands(), [0.5 * ZEC, 0.5 * ZEC, 'mined']);
  const unsent = await bed.refund({ amount: '0.5' });
  await bed.complete(unsent.payment_id);
  bed.devnet.reorganise(1);
  await bed.sync();
  t.deepEqual(await bed.stands(), [ZEC, 0, 'complete', 'sent'], 'it may be mined again');
  bed.devnet.reorganise(bed.devnet.tip.height - paid + 1);
  await bed.sync();
  t.like(await bed.invoice(), { received_zatoshi: 0, refundable_zatoshi: 0 });
  t.is(await bed.refused(), 'INVOICE_STATE');
  t.is(
    await bed.wallet.failure('payments.broadcast', { payment_id: unsent.payment_id, source: 'node' }),
    'INVOICE_STATE',
  );
  await bed.mine(unsent.last_height - bed.devnet.tip.height);
  t.deepEqual(
    await bed.stands(),
    [0.5 * ZEC, 0, 'expired', 'expired'],
    'another branch may have what was sent',
  );
  await bed.mine(10);
  t.deepEqual(await bed.stands(), [0, 0, 'expired', 'expired']);
});

test('a rescan announces nothing, and the invoice knows its refund without the payment', async (t) => {
  const bed = await startRefunds(t);
  await bed.mine();
  const { payment_id: id } = await bed.refund();
  await bed.send(id);
  await bed.mine(3);
  bed.announced();
  await bed.call('wallet.rescan', {});
  t.is(await bed.refused(), 'INVOICE_STATE');
  await bed.sync();
  t.deepEqual(bed.announced(), []);
  t.deepEqual(await bed.stands(), [ZEC, 0, 'confirmed']);
  await bed.call('wallet.lock');
  fs.renameSync(path.join(bed.folder, 'ledger.db'), path.join(bed.folder, 'away'));
  await bed.killed();
  await bed.sync();
  t.deepEqual((await bed.call('payments.list')).payments, []);
  t.deepEqual(await bed.stands(), [ZEC, 0, 'confirmed']);
  t.is(await bed.refused(), 'ALREADY_REFUNDED');
});

test('an address in a memo is offered, and paid once a person has agreed to it', async (t) => {
  const bed = await startRefunds(
    t,
    ({ other, address }) => `Thanks!\nReply-To: ${other}\nand not ${address}\nu1nothing`,
  );
  await bed.mine();
  const { payments } = await bed.invoice();
  t.deepEqual(payments[0]?.refund_addresses, [bed.other]);
  const [announced] = bed.wallet.events.flatMap((one) =>
    one.event === 'invoice.changed' ? [one.data.payments] : [],
  );
  t.false('refund_addresses' in (announced?.[0] ?? {}));
  t.is(await bed.refused({ address: undefined }), 'INVALID_REQUEST');
  t.is(await bed.refused(), 'INVALID_REQUEST');
  t.is(await bed.refused({ address: bed.other.toUpperCase() }), 'INVALID_REQUEST', 'the same receivers');
  const { address } = await bed.invoice();
  const stranger = bed.addressOf(9);
  const memo = `Reply-To: ${stranger}`;
  bed.devnet.mempool.put(bed.devnet.pay([{ address, pool: 'ironwood', zatoshi: 1n, memo }]));
  await bed.look();
  t.is(await bed.refused({ address: stranger }), 'INVALID_REQUEST', 'in what is not mined yet');
  t.is((await bed.refund({ confirmed: true })).payments[0]?.address, bed.other);
});
