// A period begins with the first block at or after its border. Block times are not monotone, so statement, export and the
// balance at a date must find the same blocks, and consecutive periods must share the history out.

import { runs } from '@wallet-companion/base/test/atLength';
import { randomNumbers } from '@wallet-companion/base/test/randomNumbers';
import test from 'ava';
import { bracketOf, firstBetween } from '../../../../src/actors/wallet/books/firstBlock.ts';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { VirtualClock } from '../../../helpers/virtualClock.ts';
import { ManualClock } from '../../../helpers/walletHarness.ts';

type Draw = (below: number) => number;

function drawing(seed: number): Draw {
  const random = randomNumbers(seed);
  return (below) => Math.floor(random() * below);
}

/** Above the median of the eleven before, and at most 90 minutes above it, as consensus has it. */
function nextTime(before: readonly number[], draw: Draw): number {
  const newest = before.slice(-11).sort((a, b) => a - b);
  return newest[newest.length >> 1]! + 1 + draw(90 * 60);
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

for (let seed = 0; seed < runs(3); seed++)
  test(`statement, export and balance at a date agree, and periods share the history out (${seed})`, async (t) => {
    const draw = drawing(seed);
    const now = Math.floor(new ManualClock().now() / 1000);
    const times = [0];
    while (times.length <= 41) times.push(nextTime(times, draw));
    // The newest time is as far ahead of the clock as a wallet takes it.
    const shift = now + 7_000 - Math.max(...times);
    let made = 0;
    const world = await companionWorld(t, {
      hasCompactServer: false,
      devnet: { clock: () => times[++made]! + shift },
    });
    const { devnet, wallet } = world;
    const values = Array.from({ length: 40 }, (_, i) => (draw(3) === 0 ? 0 : 2 ** (i % 20)));
    for (const value of values)
      if (value === 0) devnet.mineEmpty(1);
      else world.pay(value, undefined, 'orchard');
    await wallet.call('sync.run');
    const timeOf = (height: number) => devnet.blocks.at(height)!.time;
    const firstAt = (border: number): number => {
      for (let height = 1; height <= 40; height++) if (timeOf(height) >= border) return height;
      return 41;
    };
    const latest = Math.max(...values.map((_, i) => timeOf(i + 1)));
    const borders = [
      ...Array.from({ length: 12 }, () => timeOf(1) + 1 + draw(latest - timeOf(1))),
      latest + 1,
    ]
      .filter((border) => firstAt(border) > 1)
      .sort((a, b) => a - b);
    for (const [i, border] of borders.entries()) {
      const from = borders[i - 1];
      const input = { ...(from === undefined ? {} : { from: iso(from) }), to: iso(border - 1) };
      const [start, end] = [from === undefined ? 1 : firstAt(from), firstAt(border) - 1];
      const received = sum(values.slice(start - 1, Math.max(end, start - 1)));
      const closing = sum(values.slice(0, end));
      const { statement } = await wallet.call('statement.get', input);
      t.like(statement, {
        start_height: start,
        end_height: end,
        received_zatoshi: received,
        closing_zatoshi: closing,
        complete: true,
      });
      const exported = await wallet.call('transactions.export', { ...input, format: 'json' });
      t.like(exported, { opening_zatoshi: closing - received, balance_zatoshi: closing, complete: true });
      t.is(sum(exported.rows!.map(({ received_zatoshi: one }) => one)), received);
      const at = await wallet.call('balance.at', { date: iso(border - 1) });
      t.like(at, { height: end, total_zatoshi: closing, complete: true });
    }
    // The clock is behind the newest blocks: the year, today and what has no end reach to the newest scanned block all the same.
    const all = { closing_zatoshi: sum(values), end_height: 40, complete: true };
    for (const input of [{}, { from: '2025-01-01' }, { from: '2025-01-01', to: '2026-01-01' }])
      t.like((await wallet.call('statement.get', input)).statement, all, JSON.stringify(input));
    t.is((await wallet.call('balance.at', { date: '2026-01-01' })).total_zatoshi, sum(values));
    for (const [name, input] of [
      ['statement.get', { year: 2031 }],
      ['transactions.export', { from: iso(latest + 1) }],
      ['balance.at', { date: iso(latest + 1) }],
    ] as const)
      t.is(await wallet.failure(name, input), 'INVALID_REQUEST', name);
  });

test('a clock that is before the chain hides no funds that were scanned', async (t) => {
  const clock = new VirtualClock();
  const { wallet, pay } = await companionWorld(t, {
    hasCompactServer: false,
    devnet: { clock: (before) => Math.max(before + 1, clock.now() / 1000) },
    clock,
  });
  pay(405_000, undefined, 'orchard');
  await wallet.call('sync.run');
  clock.sleep(-clock.now());
  const day = { from: '1970-01-01', to: '1970-01-01' };
  for (const date of ['1970-01-01', '2026-01-02'])
    t.like(await wallet.call('balance.at', { date }), { total_zatoshi: 405_000, complete: true }, date);
  t.is((await wallet.call('statement.get', day)).statement!.closing_zatoshi, 405_000);
  const exported = await wallet.call('transactions.export', { ...day, format: 'json' });
  t.is(exported.balance_zatoshi, 405_000);
  clock.sleep(86_400_000);
  t.is(await wallet.failure('balance.at', { date: '1970-01-01' }), 'INVALID_REQUEST', 'a day that is over');
});

test('the first block at a border is found though the wallet keeps few times, with few of them read', async (t) => {
  const draw = drawing(7);
  for (let run = 0; run < runs(40); run++) {
    const times = [1_000_000];
    while (times.length < 3_000) times.push(nextTime(times, draw));
    const known = times
      .map((time, height) => ({ height, time }))
      .filter(({ height }) => height % 1_000 === 0 || height > 2_900 || draw(100) === 0);
    const border = times[draw(times.length)]!;
    let reads = 0;
    const timesOf = async (start: number, end: number) => {
      reads++;
      return times.slice(start, end + 1);
    };
    const { below, at } = bracketOf(known, border, 0);
    const first = times.findIndex((time) => time >= border);
    t.true(below < first && first <= (at ?? times.length));
    t.is(await firstBetween(below, at ?? times.length, border, timesOf), first);
    t.true(reads <= 20, `${reads} reads`);
  }
});
