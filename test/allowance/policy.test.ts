// Each limit of a policy, and the sums that it is compared with: whatever is asked for, and however the clock is set, no time of 24
// hours or 30 days takes more than it may.

import { runs } from '@wallet-companion/base/test/atLength';
import type { PaymentEffect } from '@wallet-companion/pczt/signer';
import {
  orchardAddress,
  PARAMS,
  saplingAddress,
  unifiedAddress,
} from '@wallet-companion/pczt/test/spendingAccount';
import { TRANSPARENT_ADDRESS } from '@wallet-companion/pczt/test/spendingStories';
import { asTxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import fc from 'fast-check';
import { EMPTY_JOURNAL, Journal, type JournalState } from '../../src/allowance/journal.ts';
import {
  DAY_MS,
  MONTH_MS,
  type Policy,
  policySchema,
  receiversOf,
  refusalOf,
} from '../../src/allowance/policy.ts';
import { MAX_SIZE } from '../../src/allowance/signerStore.ts';
import { SteadyClock } from '../../src/allowance/steadyClock.ts';
import { POLICY, SettableClocks, START, ZEC } from '../helpers/allowanceBed.ts';

const txidOf = (n: number) => txIdToHex(asTxId(Uint8Array.of(n >> 16, n >> 8, n, ...new Uint8Array(29))));
const EFFECT: PaymentEffect = {
  txid: txidOf(1),
  account: 0,
  payments: [{ address: orchardAddress(), amount: BigInt(ZEC / 2) }],
  fee: 10_000n,
  places: ['ironwood'],
};
const refusal = (
  policy: Partial<Policy>,
  effect: Partial<PaymentEffect> = {},
  spent = { day: 0, month: 0 },
) => {
  const whole = { ...POLICY, ...policy };
  return refusalOf({ ...EFFECT, ...effect }, whole, receiversOf(whole, PARAMS), spent);
};

test('amount, fee, payee, pool, crossing, account, day and month are limited each', (t) => {
  t.is(refusal({}), undefined);
  t.is(refusal({ payees: null }, { payments: [{ address: 'somebody', amount: 5n }] }), undefined);
  const total = ZEC / 2 + 10_000;
  t.is(
    refusal({ payment_zatoshi: total, day_zatoshi: total, month_zatoshi: total, fee_zatoshi: 10_000 }),
    undefined,
  );
  t.regex(refusal({ payment_zatoshi: total - 1 })!, /one payment may take 0.50009999 ZEC/);
  t.regex(refusal({ fee_zatoshi: 9_999 })!, /fee is above/);
  t.regex(
    refusal({ day_zatoshi: total }, {}, { day: 1, month: 1 })!,
    /in 24 hours, of which 0.00000001 are spent/,
  );
  t.regex(refusal({ month_zatoshi: total }, {}, { day: 0, month: 1 })!, /in 30 days, of which 0.00000001/);
  t.regex(refusal({}, { account: 1 })!, /account is not one/);
  t.regex(refusal({ pools: ['sapling'] })!, /pool that is not allowed/);
  t.regex(refusal({}, { places: ['ironwood', 'sapling'] })!, /from one pool to another/);
  t.is(refusal({ crossing: true }, { places: ['ironwood', 'sapling'] }), undefined);
  const second = [...EFFECT.payments, { address: orchardAddress(2), amount: 1n }];
  t.regex(refusal({}, { payments: second })!, /not among the payees/);
});

test('payees are compared by their receivers, each of which may be paid', (t) => {
  const paid = (address: string) =>
    refusal({ payees: [unifiedAddress()] }, { payments: [{ address, amount: 1n }] });
  t.is(paid(orchardAddress()), undefined);
  t.is(paid(saplingAddress()), undefined);
  t.truthy(paid(saplingAddress(2)));
  t.truthy(paid(TRANSPARENT_ADDRESS));
  const open = refusal(
    { payees: [TRANSPARENT_ADDRESS] },
    { payments: [{ address: TRANSPARENT_ADDRESS, amount: 1n }] },
  );
  t.is(open, undefined);
  t.throws(() => receiversOf({ payees: ['u1other'] }, PARAMS), {
    message: /no address of this network: u1other/,
  });
});

test('a policy with another member, or without one, is none', (t) => {
  t.true(policySchema.safeParse(POLICY).success);
  t.false(policySchema.safeParse({ ...POLICY, more: 1 }).success);
  t.false(policySchema.safeParse({ ...POLICY, day_zatoshi: undefined }).success);
  t.false(
    policySchema.safeParse({ ...POLICY, delay: { above_zatoshi: 0, seconds: MONTH_MS / 1000 } }).success,
  );
});

const HOUR = 3_600_000;
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pay: fc.integer({ min: 1, max: ZEC }) }) },
  { weight: 3, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 40 * HOUR }) }) },
  { weight: 2, arbitrary: fc.record({ set: fc.integer({ min: -60 * DAY_MS, max: 60 * DAY_MS }) }) },
  { weight: 1, arbitrary: fc.constant({ restart: true }) },
);

const behindAtStarts = fc.integer({ min: 0, max: 60 * DAY_MS });

// A start believes a clock that is set ahead of what it was at the start before, as of time that has passed.
test('however the clock is set, each 24 hours and each 30 days take what they may', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), behindAtStarts, async (steps, behind) => {
      const clocks = new SettableClocks();
      let state: JournalState = EMPTY_JOURNAL;
      const opened = () =>
        new Journal(state, async (next) => {
          state = next;
        });
      let [journal, clock] = [opened(), new SteadyClock(clocks, state.at)];
      const signed: { readonly at: number; readonly total: number }[] = [];
      for (const [i, one] of steps.entries()) {
        if ('pass' in one) clocks.pass(one.pass);
        else if ('set' in one) clocks.wall = START + clocks.elapsed() + one.set;
        else if ('restart' in one) {
          clocks.wall = START + clocks.elapsed() - behind;
          [journal, clock] = [opened(), new SteadyClock(clocks, state.at)];
        } else {
          const now = clock.now();
          const effect = {
            ...EFFECT,
            txid: txidOf(i),
            payments: [{ address: orchardAddress(), amount: BigInt(one.pay) }],
          };
          const policy = { ...POLICY, payment_zatoshi: 2 * ZEC };
          if (refusalOf(effect, policy, undefined, journal.spent(now)) !== undefined) continue;
          const total = one.pay + 10_000;
          await journal.put(
            { txid: effect.txid, account: 0, payments: [], fee: 10_000, total, state: 'signed', at: now },
            now,
          );
          signed.push({ at: clocks.elapsed(), total });
        }
      }
      for (const { at } of signed)
        for (const [ms, most] of [
          [DAY_MS, POLICY.day_zatoshi],
          [MONTH_MS, POLICY.month_zatoshi],
        ] as const) {
          const inTime = signed.filter((one) => one.at <= at && one.at > at - ms);
          t.true(inTime.reduce((sum, { total }) => sum + total, 0) <= most);
        }
    }),
    { numRuns: runs(100, 2000) },
  );
});

test('a journal is full before its file would be too long to be read again', (t) => {
  const address = unifiedAddress().padEnd(150, 'x');
  const payments = Array.from({ length: 210 }, (_, i) => ({
    ...{ txid: txidOf(i), account: 0, payments: new Array(1_000).fill({ address, zatoshi: 21e14 }) },
    ...{ fee: 0, total: 0, state: 'signed' as const, at: START },
  }));
  const fullnessWith = (count: number) =>
    new Journal({ ...EMPTY_JOURNAL, payments: payments.slice(0, count) }, async () => {}).fullness(
      'signed',
      START,
    );
  t.is(fullnessWith(199), undefined);
  t.true(fullnessWith(200)?.startsWith('200000 recipients'));
  t.true(JSON.stringify(payments).length < MAX_SIZE);
});

test('a clock that was set back and forward again has freed nothing', (t) => {
  const clocks = new SettableClocks();
  const clock = new SteadyClock(clocks, 0);
  clocks.wall -= 10 * DAY_MS;
  clocks.pass(23 * HOUR);
  const paid = clock.now();
  clocks.wall += 10 * DAY_MS;
  clocks.pass(2 * HOUR);
  t.is(clock.now() - paid, 2 * HOUR);
});
