// Invoices for amounts of money, at prices that the test sets.

import test, { type ExecutionContext } from 'ava';
import { type DayRatesState, type PriceState, readDayRates } from '../../../../src/protocol/prices.ts';
import { startInvoiceBed } from '../../../helpers/invoiceBed.ts';

async function startPricedBed(t: ExecutionContext) {
  const feed: { state: PriceState; days: DayRatesState } = { state: {}, days: {} };
  const bed = await startInvoiceBed(t, {
    prices: { state: async () => feed.state, dayRates: async () => feed.days },
  });
  const quote = (EUR: string, ageMs = 0) => {
    feed.state = { quote: { time: bed.clock.now() - ageMs, source: 'desk', prices: { EUR } } };
  };
  return Object.assign(bed, { feed, quote });
}

test('an invoice in money keeps its rate and its time, whatever prices do', async (t) => {
  const bed = await startPricedBed(t);
  bed.quote('412.37');
  const asked = bed.clock.now();
  const input = { amount: '12.5', currency: 'EUR', reference: 'A-17' };
  const invoice = await bed.create(input);
  const price = {
    currency: 'EUR',
    value: '12.50',
    rate: '412.37',
    rate_time: new Date(asked).toISOString(),
    source: 'desk',
  };
  t.like(invoice, { amount_zatoshi: 3_031_259, price });
  t.true(invoice.uri.includes('amount=0.03031259'));
  bed.quote('1');
  t.deepEqual(await bed.create(input), invoice);
  t.deepEqual(await bed.create({ ...input, amount: '12.50' }), invoice);
  for (const other of [{ amount: '12.51' }, { currency: undefined }])
    t.is(await bed.wallet.failure('invoices.create', { ...input, ...other }), 'REFERENCE_IN_USE');
  bed.payTo([invoice, 3_031_259]);
  await bed.mine();
  await bed.killed();
  t.like(await bed.get(invoice), { state: 'confirmed', price });
  t.is((await bed.create({ amount: '0.5' })).price, null);
});

test('exports have what came for an invoice at its own rate, and nothing where no rate was kept', async (t) => {
  const bed = await startPricedBed(t);
  bed.quote('412.37');
  const invoice = await bed.create({ amount: '12.5', currency: 'EUR' });
  const plain = await bed.create({ amount: '0.5' });
  bed.quote('1');
  bed.payTo([invoice, 6_062_518]);
  bed.payTo([plain, 50_000_000]);
  await bed.mine();
  const zone = { time_zone: 'Asia/Kathmandu' };
  const { rows = [] } = await bed.call('transactions.export', { format: 'json', ...zone });
  const fiats = new Map(rows.map(({ received_zatoshi: zatoshi, fiat }) => [zatoshi, fiat]));
  t.like(fiats.get(6_062_518), { currency: 'EUR', price: '412.37', value: '25.00', fee: '' });
  t.true(fiats.has(50_000_000));
  t.is(fiats.get(50_000_000), undefined);
  const { text = '' } = await bed.call('transactions.export', zone);
  t.regex(text, /,time_local,fiat_currency,fiat_price,fiat_value,fiat_fee,price_time,price_source\r\n/);
  t.regex(text, /T\d\d:\d\d:\d\d\+05:45,EUR,412\.37,25\.00,,[^,]+Z,"desk"\r\n/);
  t.regex(text, /\+05:45,,,,,,\r\n/);
  const datev = { format: 'datev', ...zone } as const;
  const year = Number(rows[0]!.time.slice(0, 4));
  t.is(await bed.wallet.failure('transactions.export', { ...datev, year }), 'INVALID_REQUEST', 'no settings');
  const accounts = { zec: '1360', income: '8400', expenses: '4900', fees: '4970' };
  await bed.wallet.configFile.update({ datev: { adviser: 1001, client: 1, accounts } });
  t.is(await bed.wallet.failure('transactions.export', datev), 'INVALID_REQUEST', 'no year');
  const { file = '', left_out, text: none } = await bed.call('transactions.export', { ...datev, year });
  t.is(none, undefined);
  t.regex(
    Buffer.from(file, 'base64').toString('latin1'),
    /^"EXTF";700;21;.*\r\nUmsatz .*\r\n25,00;"S";"EUR";/,
  );
  t.deepEqual(
    left_out,
    rows.filter(({ fiat }) => fiat === undefined).map(({ txid }) => txid),
  );
});

test('what has no kept rate is worth that of its day in the place, in one money where that is asked for', async (t) => {
  const bed = await startPricedBed(t);
  bed.quote('412.37');
  const invoice = await bed.create({ amount: '12.5', currency: 'EUR' });
  const plain = await bed.create({ amount: '0.5' });
  bed.payTo([invoice, 6_062_518], [plain, 5_000_000_000]);
  await bed.mine();
  const place = { time_zone: 'Pacific/Pago_Pago', limit: 1_000 };
  const rowsBy = async (more: object = {}) =>
    (await bed.call('transactions.export', { format: 'json', ...place, ...more })).rows ?? [];
  const { time } = (await rowsBy()).at(-1)!;
  const other = time.slice(0, 10);
  const day = new Date(Date.parse(time) - 11 * 3_600_000).toISOString().slice(0, 10);
  t.true(day < other, 'there it is still the day before');
  const file = (...lines: string[]) => readDayRates(`date,currency,rate\n${lines.join('\n')}\n`);
  bed.feed.days = file(`${day},USD,0.5`, `${day},EUR,400`, `${other},USD,9`);
  const last = async (more: object = {}) =>
    (await rowsBy(more)).slice(-1).map(({ fiat }) => fiat && [fiat.currency, fiat.value, fiat.price_time])[0];
  // One note of an order with a rate and one without: the row as a whole has the rate of its day.
  t.deepEqual(await last(), ['USD', '25.03', day]);
  t.deepEqual(await last({ currency: 'EUR' }), ['EUR', '20024.25', day]);
  t.is(await last({ currency: 'JPY' }), undefined, 'a missing price stays missing');
  bed.payTo([invoice, 6_062_518]);
  await bed.mine();
  t.deepEqual((await last())?.slice(0, 2), ['EUR', '25.00'], 'the kept rate comes first');
  t.deepEqual(await last({ currency: 'USD' }), ['USD', '0.03', day], 'but not in another money');
  const accounts = { zec: '1360', income: '8400', expenses: '4900', fees: '4970' };
  await bed.wallet.configFile.update({ datev: { adviser: 1001, client: 1, accounts } });
  const year = Number(day.slice(0, 4));
  const datev = await bed.call('transactions.export', { format: 'datev', year, ...place });
  t.regex(Buffer.from(datev.file!, 'base64').toString('latin1'), /\r\n20024,25;"S";"EUR";.*rates_file/);
  const wrong = { format: 'datev', year, currency: 'USD' };
  t.is(await bed.wallet.failure('transactions.export', wrong), 'INVALID_REQUEST');
  bed.feed.days = file('2026-03-01,EUR,1,5');
  const refused = await bed.call('transactions.export', { format: 'json' });
  t.regex(refused.warning ?? '', /rates_file was used: line 2 /);
  t.is(refused.rows?.[0]?.fiat, undefined);
});

test('without a price there is no invoice in money, and with an old one only with consent', async (t) => {
  const bed = await startPricedBed(t);
  const failure = (input: object) => bed.wallet.failure('invoices.create', input);
  const euros = { amount: '1', currency: 'EUR' };
  t.is(await failure(euros), 'PRICE_UNAVAILABLE');
  bed.quote('100', 600_000);
  t.is((await bed.create(euros)).amount_zatoshi, 1_000_000);
  t.like(await bed.call('prices.get'), {
    is_stale: false,
    max_age_minutes: 10,
    prices: [{ currency: 'EUR', price: '100' }],
  });
  bed.quote('100', 600_001);
  t.is(await failure(euros), 'PRICE_STALE');
  t.true((await bed.call('prices.get')).is_stale);
  t.is((await bed.create({ ...euros, accept_stale_rate: true })).amount_zatoshi, 1_000_000);
  t.is(await failure({ ...euros, currency: 'USD' }), 'PRICE_UNAVAILABLE');
  bed.quote('0.0000000001');
  for (const wrong of [
    { amount: '1', currency: 'EUR' },
    { amount: '1.001', currency: 'EUR' },
    { currency: 'EUR' },
    { amount_zatoshi: 5, currency: 'EUR' },
    { amount: '1', currency: 'euro' },
    { amount: '1', accept_stale_rate: true },
  ])
    t.is(await failure(wrong), 'INVALID_REQUEST', JSON.stringify(wrong));
});

test('two calls with one reference that wait for a price make one invoice', async (t) => {
  const bed = await startPricedBed(t);
  bed.quote('50');
  const input = { amount: '1', currency: 'EUR', reference: 'one' };
  const [first, second] = await Promise.all([bed.create(input), bed.create(input)]);
  t.is(first.invoice_id, second.invoice_id);
});
