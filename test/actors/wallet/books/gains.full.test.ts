// The report of gains over the real parts: the whole history behind a year, rates by day, and lots that are what the wallet holds.

import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import test from 'ava';
import { type DayRatesState, readDayRates } from '../../../../src/protocol/prices.ts';
import { clockOf, companionWorld } from '../../../helpers/companionWorld.ts';
import { ManualClock, PASSWORD } from '../../../helpers/walletHarness.ts';

const TIMES = [
  '2024-03-01T12:00:00Z',
  '2024-12-31T23:30:00Z',
  '2025-06-01T12:00:00Z',
  '2025-07-01T12:00:00Z',
];
const YEAR = { year: 2025, time_zone: 'Europe/Berlin' };

test('what was paid in a year took from the oldest lots, by the rates of the days', async (t) => {
  const rates: { state: DayRatesState } = { state: {} };
  const clock = new ManualClock();
  clock.advance(Date.UTC(2026, 6, 1) - clock.now());
  const { devnet, wallet, account, address } = await companionWorld(t, {
    hasCompactServer: false,
    prices: { state: async () => ({}), dayRates: async () => rates.state },
    devnet: { clock: clockOf(TIMES) },
    clock,
  });
  await wallet.call('accounts.create', { password: PASSWORD });
  const { unified_address: second } = await wallet.call('address.get', { account: 1 });
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 100_000_000n });
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 50_000_000n });
  const pay = (to: string, zatoshi: bigint) => {
    const payments = [{ address: to, pool: 'ironwood', zatoshi }] as const;
    devnet.mine({ transactions: [devnet.spend(account, { from: 'ironwood', payments })] });
  };
  // What goes to the other account is no disposal, its fee is one.
  pay(second, 30_000_000n);
  pay(orchardAddress(9), 110_000_000n);
  await wallet.call('sync.run');

  t.is(await wallet.failure('statement.gains', YEAR), 'INVALID_REQUEST', 'in no money');
  const unpriced = (await wallet.call('statement.gains', { ...YEAR, currency: 'EUR' })).gains!;
  t.like(unpriced, { total: { amount_zatoshi: 0, gain: '0.00' }, unpriced_zatoshi: 110_020_000 });
  t.true(unpriced.disposals.every(({ proceeds, cost, gain }) => (proceeds ?? cost ?? gain) === null));

  // In Berlin the second block is one of the new year.
  const lines = ['2024-03-01,EUR,100', '2025-01-01,EUR,300', '2025-06-01,EUR,200', '2025-07-01,EUR,400'];
  rates.state = readDayRates(['date,currency,rate', ...lines].join('\n'));
  const { gains } = await wallet.call('statement.gains', YEAR);
  t.deepEqual(
    gains!.disposals.map((one) => [
      one.kind,
      one.time.slice(0, 10),
      one.lot_time.slice(0, 10),
      one.amount_zatoshi,
      one.proceeds,
      one.cost,
      one.gain,
    ]),
    [
      ['fee', '2025-06-01', '2024-03-01', 10_000, '0.02', '0.01', '0.01'],
      ['payment', '2025-07-01', '2024-03-01', 99_990_000, '399.96', '99.99', '299.97'],
      ['payment', '2025-07-01', '2024-12-31', 10_010_000, '40.04', '30.03', '10.01'],
      ['fee', '2025-07-01', '2024-12-31', 10_000, '0.04', '0.03', '0.01'],
    ],
  );
  t.like(gains, {
    total: { amount_zatoshi: 110_020_000, proceeds: '440.06', cost: '130.06', gain: '310.00' },
    unpriced_zatoshi: 0,
    lots: [{ amount_zatoshi: 39_980_000, cost: '119.94' }],
    closing_zatoshi: (await wallet.call('balance.get')).total_zatoshi,
    complete: true,
  });
  const before = (await wallet.call('statement.gains', { ...YEAR, year: 2024 })).gains!;
  t.like(before, { disposals: [], lots: [{ amount_zatoshi: 100_000_000, cost: '100.00' }] });
  for (const format of ['csv', 'html'] as const) {
    const { text = '' } = await wallet.call('statement.gains', { ...YEAR, format });
    t.true(text.includes('First in, first out') && text.includes('299.97'), format);
  }
  rates.state = readDayRates('');
  const { gains: broken } = await wallet.call('statement.gains', { ...YEAR, currency: 'EUR' });
  t.regex(broken?.warning ?? '', /the first line is not date,currency,rate/);
});
