// Business days over the real parts: what a report has, and what happens to it afterwards.

import test from 'ava';
import { startInvoiceBed } from '../../../helpers/invoiceBed.ts';

test('a closed day has every invoice of it by state, and the sums; its number has no gap', async (t) => {
  const quote = { time: 0, source: 'desk', prices: { EUR: '100', JPY: '16000' } };
  const bed = await startInvoiceBed(t, {
    prices: {
      state: async () => ({ quote: { ...quote, time: bed.clock.now() } }),
      dayRates: async () => ({}),
    },
  });
  await bed.create({ amount_zatoshi: 9 });
  t.is(await bed.wallet.failure('days.close'), 'DAY_STATE');
  t.like(await bed.call('days.open'), { day_number: 1, closed_at: null, invoice_count: 0 });
  t.is((await bed.call('days.open')).day_number, 1, 'a second till opens nothing');
  const paid = await bed.create({ amount: '1.5', currency: 'EUR', reference: '=1+1' });
  const over = await bed.create({ amount_zatoshi: 1000 });
  const part = await bed.create({ amount: '200', currency: 'JPY' });
  const unpaid = await bed.create({ amount: '1', currency: 'EUR' });
  await bed.call('invoices.cancel', { invoice_id: unpaid.invoice_id });
  bed.payTo([paid, 1_500_000], [over, 1300], [part, 250_000]);
  await bed.mine();
  // Over midnight, a lock and a crash.
  bed.clock.sleep(20 * 3_600_000);
  await bed.killed();
  t.like(await bed.call('days.get', { day_number: 1 }), { day: { closed_at: null, invoice_count: 4 } });
  const closed = await bed.call('days.close');
  t.like(closed, {
    day_number: 1,
    states: { new: 0, seen: 0, paid: 0, confirmed: 2, expired: 1, cancelled: 1 },
    asked_zatoshi: 1_500_000 + 1000 + 1_250_000 + 1_000_000,
    received_zatoshi: 1_500_000 + 1300 + 250_000,
    over_zatoshi: 300,
    under_zatoshi: 1_000_000,
    late_zatoshi: 0,
    refunded_zatoshi: 0,
    earlier_days: { invoice_count: 0, received_zatoshi: 0, refunded_zatoshi: 0 },
  });
  t.deepEqual(closed.money, [
    { currency: 'EUR', asked: '2.50', paid: '1.50', invoice_count: 2 },
    { currency: 'JPY', asked: '200', paid: '0', invoice_count: 1 },
  ]);
  t.is(await bed.wallet.failure('days.close'), 'DAY_STATE');
  const { text: csv = '' } = await bed.call('days.get', { day_number: 1, format: 'csv' });
  const rows = csv.split('\r\n');
  t.is(rows.length, 6);
  const row = rows.find((one) => one.includes(paid.invoice_id));
  t.true(row?.endsWith(`"'=1+1",confirmed,,0.01500000,0.01500000,0.00000000,EUR,1.50,100,`), row);
  const { text: html = '' } = await bed.call('days.get', { day_number: 1, format: 'html' });
  t.regex(html, /<h1>Z report 1<\/h1>/);
  t.notRegex(html, /<script/);
  t.is((await bed.call('days.open')).day_number, 2);
  t.deepEqual(
    (await bed.call('days.list')).days.map(({ day_number, lines }) => [day_number, lines.length]),
    [
      [2, 0],
      [1, 0],
    ],
  );
  t.is(await bed.wallet.failure('days.get', { day_number: 3 }), 'NOT_FOUND');
});

test('a report stays as it was after a reorganisation and a late payment; the next one has the difference', async (t) => {
  const bed = await startInvoiceBed(t);
  await bed.call('days.open');
  const [gone, late] = [await bed.create(), await bed.create()];
  bed.payTo([gone, 1000]);
  await bed.mine();
  const first = await bed.call('days.close');
  t.is(first.received_zatoshi, 1000);
  await bed.call('days.open');
  bed.devnet.reorganise(1);
  bed.waiting.length = 0;
  bed.clock.sleep(901_000);
  bed.payTo([late, 700]);
  await bed.mine();
  t.is((await bed.get(gone)).exception, 'reversed');
  const second = await bed.call('days.close');
  t.like(second, {
    day_number: 2,
    invoice_count: 0,
    received_zatoshi: 0,
    earlier_days: { invoice_count: 2, received_zatoshi: -300, refunded_zatoshi: 0 },
  });
  await bed.killed();
  t.deepEqual((await bed.call('days.get', { day_number: 1 })).day, first);
  await bed.call('days.open');
  t.is((await bed.call('days.close')).earlier_days.invoice_count, 0, 'each difference is in one report');
});

test('a day stays open over midnight, a lock, a restart, a lost network and a reorganisation, and its report has what holds in the end', async (t) => {
  const bed = await startInvoiceBed(t);
  await bed.call('days.open');
  const [before, gone, meanwhile] = [await bed.create(), await bed.create(), await bed.create()];
  bed.payTo([before, 1000]);
  await bed.mine();
  bed.payTo([gone, 1000]);
  await bed.mine();
  bed.clock.sleep(600_000);
  await bed.call('wallet.lock');
  t.is(await bed.wallet.failure('days.close'), 'WALLET_LOCKED');
  await bed.restart();
  const nowhere = { source: 'node', node_url: 'http://127.0.0.1:1' } as const;
  t.is(await bed.wallet.failure('sync.run', nowhere), 'NODE_UNREACHABLE');
  // While nothing is heard of the network the block of one payment is replaced, and another one is made in time.
  bed.devnet.reorganise(1);
  bed.waiting.length = 0;
  bed.payTo([meanwhile, 1000]);
  await bed.mine(2);
  bed.clock.sleep(24 * 3_600_000);
  t.is((await bed.get(gone)).exception, 'reversed');
  const closed = await bed.call('days.close');
  t.like(closed, {
    day_number: 1,
    invoice_count: 3,
    states: { new: 0, seen: 0, paid: 0, confirmed: 2, expired: 1, cancelled: 0 },
    received_zatoshi: 2000,
    late_zatoshi: 0,
    earlier_days: { invoice_count: 0, received_zatoshi: 0, refunded_zatoshi: 0 },
  });
  t.true(Date.parse(closed.closed_at!) - Date.parse(closed.opened_at) > 24 * 3_600_000);
  await bed.restart();
  t.deepEqual((await bed.call('days.get', { day_number: 1 })).day, closed);
});

test('while blocks are scanned again no day closes: what came is not known, and no later report would have it', async (t) => {
  const bed = await startInvoiceBed(t);
  await bed.call('days.open');
  const earlier = await bed.create();
  bed.payTo([earlier, 600]);
  await bed.mine();
  await bed.call('days.close');
  await bed.call('days.open');
  bed.payTo([earlier, 400], [await bed.create(), 1000]);
  await bed.mine();
  await bed.wallet.call('wallet.rescan', {});
  t.is(await bed.wallet.failure('days.close'), 'BUSY');
  await bed.sync('node');
  t.like(await bed.call('days.close'), {
    received_zatoshi: 1000,
    earlier_days: { invoice_count: 1, received_zatoshi: 400 },
  });
});

test('a day whose report cannot be written stays open', async (t) => {
  const bed = await startInvoiceBed(t);
  await bed.call('days.open');
  await bed.create();
  bed.failWrites(true);
  t.is(await bed.wallet.failure('days.close'), 'STORAGE_FAILED');
  bed.failWrites(false);
  await bed.killed();
  t.like(await bed.call('days.close'), { day_number: 1, invoice_count: 1 });
});
