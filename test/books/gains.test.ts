// Lots and gains against the plainest reference, which has each zatoshi by itself; and what must be conserved at any size.

import { runs } from '@wallet-companion/base/test/atLength';
import { fromMinorUnits } from '@wallet-companion/base/values';
import test from 'ava';
import fc from 'fast-check';
import { FIFO_RULE, type Gains, gainOf, gainsOf } from '../../src/books/gains.ts';
import { gainsCsv, gainsHtml } from '../../src/books/gainsReport.ts';
import type { Movement } from '../../src/books/ledger.ts';
import { readCsv } from '../helpers/csvReader.ts';

/** What is received, or paid and as a fee; in EUR, in other money, or without a price. */
interface Step {
  readonly received: number;
  readonly sent: number;
  readonly fee: number;
  readonly units: bigint | null;
  readonly feeUnits: bigint;
  readonly currency: string;
}

function movementsOf(steps: readonly Step[]): Movement[] {
  let held = 0;
  return steps.map(({ received, sent: wanted, fee: asked, units, feeUnits, currency }, i) => {
    const isPaid = received === 0;
    const fee = isPaid ? Math.min(asked, held) : 0;
    const sent = isPaid ? Math.min(wanted, held - fee) : 0;
    held += received - sent - fee;
    const paid = units === null ? 0n : fee === 0 ? units : units + feeUnits;
    return {
      time: new Date(1_767_225_600_000 + i * 86_400_000).toISOString(),
      height: i,
      txid: String(i).padStart(64, '0'),
      received,
      sent,
      fee,
      transferred: 0,
      who: '',
      memo: '',
      reference: '',
      refund: '',
      verifiedWith: null,
      worth:
        units === null
          ? undefined
          : { currency, units: isPaid ? -paid : units, fee: isPaid && fee > 0 ? feeUnits : 0n },
    };
  });
}

const stepsUpTo = (zatoshi: number, units: bigint) =>
  fc.array(
    fc.record<Step>({
      received: fc.oneof(fc.constant(0), fc.nat(zatoshi)),
      sent: fc.nat(zatoshi),
      fee: fc.nat(Math.ceil(zatoshi / 4)),
      units: fc.option(fc.bigInt(0n, units), { freq: 5 }),
      feeUnits: fc.bigInt(0n, units / 4n),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
    }),
    { maxLength: 12 },
  );

const worthIn = ({ worth }: Movement) => (worth?.currency === 'EUR' ? worth : undefined);
const sum = (values: readonly (bigint | null)[]): bigint =>
  values.reduce<bigint>((all, one) => all + (one ?? 0n), 0n);

/** Each zatoshi by itself: the k-th of n has what the running total grows by with it. */
function byZatoshi(movements: readonly Movement[]) {
  const each = (whole: bigint | null, n: number): (bigint | null)[] =>
    Array.from({ length: n }, (_, k) =>
      whole === null ? null : (whole * BigInt(k + 1)) / BigInt(n) - (whole * BigInt(k)) / BigInt(n),
    );
  let held: { lot: string; cost: bigint | null }[] = [];
  const taken: { kind: string; by: string; lot: string; cost: bigint | null; proceeds: bigint | null }[] = [];
  for (const movement of movements) {
    const { txid, received, sent, fee } = movement;
    const worth = worthIn(movement);
    held.push(...each(worth?.units ?? null, received).map((cost) => ({ lot: txid, cost })));
    for (const [kind, n, proceeds] of [
      ['payment', sent, worth ? -worth.units - worth.fee : null],
      ['fee', fee, worth?.fee ?? null],
    ] as const) {
      const parts = each(proceeds, n);
      taken.push(...held.slice(0, n).map((one, k) => ({ ...one, kind, by: txid, proceeds: parts[k]! })));
      held = held.slice(n);
    }
  }
  return { held, taken };
}

/** One entry for each run of zatoshi of the same lot and disposal. */
function grouped<T extends { cost: bigint | null }>(all: readonly T[], key: (one: T) => string) {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return [...groups].map(([name, ones]) => [name, ones] as const);
}
const sumOrNull = (values: readonly (bigint | null)[]) => (values.includes(null) ? null : sum(values));

test('the same lots, costs and proceeds as when every zatoshi is looked at by itself', (t) => {
  fc.assert(
    fc.property(stepsUpTo(20, 500n), (steps) => {
      const movements = movementsOf(steps);
      const { held, taken } = byZatoshi(movements);
      const { disposals, lots, missing } = gainsOf(movements, 'EUR');
      t.is(missing, 0);
      t.deepEqual(
        disposals.map((one) => [
          `${one.kind} ${one.txid} ${one.lot.txid}`,
          one.zatoshi,
          one.lot.cost,
          one.proceeds,
        ]),
        grouped(taken, (one) => `${one.kind} ${one.by} ${one.lot}`).map(([name, ones]) => [
          name,
          ones.length,
          sumOrNull(ones.map(({ cost }) => cost)),
          sumOrNull(ones.map(({ proceeds }) => proceeds)),
        ]),
      );
      t.deepEqual(
        lots.map((one) => [one.txid, one.zatoshi, one.cost]),
        grouped(held, ({ lot }) => lot).map(([name, ones]) => [
          name,
          ones.length,
          sumOrNull(ones.map(({ cost }) => cost)),
        ]),
      );
    }),
    { numRuns: runs(300) },
  );
});

test('at any size lots add up to the balance, and no part of cost or proceeds is lost', (t) => {
  fc.assert(
    fc.property(stepsUpTo(2_100_000_000_000_000 / 12, 10n ** 15n), (steps) => {
      const movements = movementsOf(
        steps.map((step) => ({ ...step, currency: 'EUR', units: step.units ?? 7n })),
      );
      const { disposals, lots } = gainsOf(movements, 'EUR');
      const balance = movements.reduce((all, { received, sent, fee }) => all + received - sent - fee, 0);
      t.is(
        lots.reduce((all, { zatoshi }) => all + zatoshi, 0),
        balance,
      );
      const costs = [...disposals.map(({ lot }) => lot.cost), ...lots.map(({ cost }) => cost)];
      t.is(sum(costs), sum(movements.map(({ received, worth }) => (received > 0 ? worth!.units : 0n))));
      for (const { txid, sent, fee, worth } of movements) {
        const of = (kind: string) => disposals.filter((one) => one.txid === txid && one.kind === kind);
        t.is(sum(of('payment').map(({ proceeds }) => proceeds)), sent > 0 ? -worth!.units - worth!.fee : 0n);
        t.is(sum(of('fee').map(({ proceeds }) => proceeds)), fee > 0 ? worth!.fee : 0n);
      }
      t.deepEqual(
        disposals.map(({ lot }) => lot.time),
        disposals.map(({ lot }) => lot.time).toSorted(),
      );
    }),
    { numRuns: runs(300) },
  );
});

const pay = (sent: number, fee: number, units: bigint | null, feeUnits = 0n): Step => ({
  received: 0,
  sent,
  fee,
  units,
  feeUnits,
  currency: 'EUR',
});
const get = (received: number, units: bigint | null): Step => ({ ...pay(0, 0, units), received });

const reportOf = ({ disposals, lots }: Gains) => {
  const text = (units: bigint | null) => (units === null ? null : fromMinorUnits(units, 'EUR'));
  return {
    rule: FIFO_RULE,
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
    from: null,
    to: null,
    disposals: disposals.map((one) => ({
      kind: one.kind,
      time: one.time,
      txid: one.txid,
      amount_zatoshi: one.zatoshi,
      proceeds: text(one.proceeds),
      cost: text(one.lot.cost),
      gain: text(gainOf(one)),
      lot_time: one.lot.time,
      lot_txid: one.lot.txid,
    })),
    total: { amount_zatoshi: 0, proceeds: null, cost: null, gain: null },
    unpriced_zatoshi: 0,
    lots: lots.map((lot) => ({ ...lot, amount_zatoshi: lot.zatoshi, cost: text(lot.cost) })),
    closing_zatoshi: 0,
    complete: false,
    missing_ranges: [{ start_height: 3, end_height: 5 }],
    warning: '=1+1 <b>',
  };
};

test('a report begins with its rule, has a line for each part, and leaves empty what has no price', (t) => {
  // 3 zatoshi for 1.00, 4 for nothing known; 5 paid for 9.00 (1.00 of it for the last as a fee).
  const gains = gainsOf(movementsOf([get(3, 100n), get(4, null), pay(4, 1, 800n, 100n)]), 'EUR');
  const csv = gainsCsv(reportOf(gains));
  const [header = [], ...rows] = readCsv(csv);
  t.is(
    header.join(),
    'part,time_local,lot_time_local,zec,fiat_currency,proceeds,cost,gain,txid,lot_txid,note',
  );
  t.true(rows.every((row) => row.length === header.length));
  t.deepEqual(
    rows.slice(0, 3).map((row) => row.at(-1)),
    [FIFO_RULE, 'Not complete. These blocks were not scanned: 3-5.', "'=1+1 <b>"],
  );
  t.deepEqual(
    rows.slice(3, 6).map((row) => row.slice(0, 8)),
    [
      [
        'payment',
        '2026-01-03T01:00:00+01:00',
        '2026-01-01T01:00:00+01:00',
        '0.00000003',
        'EUR',
        '6.00',
        '1.00',
        '5.00',
      ],
      [
        'payment',
        '2026-01-03T01:00:00+01:00',
        '2026-01-02T01:00:00+01:00',
        '0.00000001',
        'EUR',
        '2.00',
        '',
        '',
      ],
      ['fee', '2026-01-03T01:00:00+01:00', '2026-01-02T01:00:00+01:00', '0.00000001', 'EUR', '1.00', '', ''],
    ],
  );
  t.deepEqual(rows.find(([part]) => part === 'lot')?.slice(2, 4), [
    '2026-01-02T01:00:00+01:00',
    '0.00000002',
  ]);
  const html = gainsHtml(reportOf(gains));
  t.true(html.includes(FIFO_RULE.slice(0, 60)) && html.includes('=1+1 &lt;b&gt;') && !html.includes('<b>'));
  t.true(html.includes('<td class="n">2026-01-03</td><td class="n">2026-01-01</td>'));
  t.regex(html, /<td class="n">6\.00<\/td><td class="n">1\.00<\/td><td class="n">5\.00<\/td>/);
});

test('what was paid and never there is counted, so that a report of it is refused', (t) => {
  const [paid] = movementsOf([get(3, 1n)]).map((one) => ({ ...one, received: 0, sent: 3 }));
  t.deepEqual(gainsOf([paid!], 'EUR'), { disposals: [], lots: [], missing: 3 });
});
