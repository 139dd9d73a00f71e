// What a grant may pay: so much at once, so much in a day, to whom; and that it has to do with its own payments alone.

import test from 'ava';
import { requireLimits } from '../../../../src/actors/wallet/payments/grantLimits.ts';
import type { StoredPayment } from '../../../../src/actors/wallet/ports/payment.ts';
import type { CallingGrant, GrantLimits } from '../../../../src/protocol/grants.ts';
import type { OperationName, Output } from '../../../../src/protocol/operations.ts';
import type { Result } from '../../../../src/protocol/result.ts';
import { type CompanionWorld, companionWorld, ORCHARD_FIRST } from '../../../helpers/companionWorld.ts';
import { madeUpPayment } from '../../../helpers/madeUpPayment.ts';

const SHOP = 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU';
/** It is a transparent address: everybody may read what it is paid. */
const CONSENT = { privacy: ['transparent_recipients'] };
const DAY_MS = 24 * 3_600_000;

const grantWith = (limits: GrantLimits, id = 'payer'): CallingGrant => ({
  id,
  scopes: ['prepare', 'send'],
  wallets: ['*'],
  limits,
});

const as = (bed: CompanionWorld, grant: CallingGrant | undefined) => {
  const call = (name: OperationName, input: object): Promise<Result<unknown>> =>
    bed.wallet.link.dispatch(name, input, { requestId: 'test', ...(grant === undefined ? {} : { grant }) });
  const pay = async (zatoshi: number, address = SHOP): Promise<string> => {
    const result = await call('payments.prepare', { address, zatoshi, ...CONSENT });
    return result.ok ? 'ok' : `${result.error.code} ${result.error.errors?.map(({ path }) => path).join()}`;
  };
  return { call, pay };
};

test('a payment is no larger, and goes to no other recipient, than the grant allows', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(...Array.from({ length: 6 }, () => ({ pool: 'ironwood', zatoshi: 1_000_000 }) as const));
  const { pay } = as(bed, grantWith({ payment_zatoshi: 50_000, payees: [SHOP] }));
  t.is(await pay(50_001), 'GRANT_LIMIT payment_zatoshi');
  t.is(await pay(1_000, bed.address), 'GRANT_LIMIT payees');
  t.is(await pay(50_000), 'ok');
  const everything = await as(bed, grantWith({ payment_zatoshi: 50_000 })).call('payments.prepare', {
    address: SHOP,
    everything: true,
    ...CONSENT,
  });
  t.like(
    everything,
    { ok: false, error: { code: 'GRANT_LIMIT' } },
    'an amount that is not named counts as well',
  );
  const two = { recipients: [1, 2].map(() => ({ address: SHOP, zatoshi: 25_001 })), ...CONSENT };
  t.like(await as(bed, grantWith({ payment_zatoshi: 50_000 })).call('payments.prepare', two), {
    ok: false,
    error: { code: 'GRANT_LIMIT' },
  });
  // The owner is not limited.
  t.is(await as(bed, undefined).pay(200_000), 'ok');
});

test('a day counts what was prepared in it, discarded or not, and for each grant alone', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(...Array.from({ length: 8 }, () => ({ pool: 'ironwood', zatoshi: 1_000_000 }) as const));
  const limits = { day_zatoshi: 100_000 };
  const { call, pay } = as(bed, grantWith(limits));
  const first = await call('payments.prepare', { address: SHOP, zatoshi: 60_000, ...CONSENT });
  const { payment_id } = (first as { value: Output<'payments.prepare'> }).value;
  t.is(await pay(40_001), 'GRANT_LIMIT day_zatoshi');
  t.true((await call('payments.discard', { payment_id })).ok);
  t.is(await pay(40_001), 'GRANT_LIMIT day_zatoshi', 'a signed copy can still be sent');
  t.is(await as(bed, grantWith(limits, 'another')).pay(100_000), 'ok');
  t.is(await pay(40_000), 'ok');
  bed.wallet.clock.advance(DAY_MS - 1);
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
  bed.wallet.clock.advance(1);
  t.is(await pay(100_000), 'ok');
});

test('a day that a clock that was ahead began ends a day after the clock is right, and one that is behind ends none', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(...Array.from({ length: 4 }, () => ({ pool: 'ironwood', zatoshi: 1_000_000 }) as const));
  const { clock } = bed.wallet;
  clock.advance(bed.devnet.tip.time * 1000 - clock.now());
  const { pay } = as(bed, grantWith({ day_zatoshi: 100_000 }));
  clock.advance(30 * DAY_MS);
  t.is(await pay(100_000), 'ok');
  clock.advance(-30 * DAY_MS);
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
  clock.advance(DAY_MS - 1);
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
  clock.advance(1);
  t.is(await pay(100_000), 'ok');
  clock.advance(-30 * DAY_MS);
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
  clock.advance(30 * DAY_MS);
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
});

test('a day has 64 payments of one grant and 128 of all, however small', (t) => {
  const now = 1_000;
  const limits = { day_zatoshi: 1_000_000_000 };
  const kept = (count: number, grant: string, countsUntil = now + 1) =>
    Array.from({ length: count }, (_, i) => madeUpPayment(i, { grant, countsUntil }));
  const before = (...payments: StoredPayment[]) =>
    requireLimits(grantWith(limits), [{ address: SHOP, zatoshi: 1 }], payments, now);
  const over = kept(200, 'payer', now);
  t.notThrows(() => before(...kept(63, 'payer'), ...kept(64, 'another'), ...over));
  t.throws(() => before(...kept(64, 'payer')), { code: 'GRANT_LIMIT', message: /has prepared 64 payments/ });
  t.throws(() => before(...kept(128, 'another')), { code: 'GRANT_LIMIT', message: /prepared 128 payments/ });
});

test('what counts for a day outlives the session', async (t) => {
  const bed = await companionWorld(t, ORCHARD_FIRST);
  await bed.fund(...Array.from({ length: 3 }, () => ({ pool: 'ironwood', zatoshi: 1_000_000 }) as const));
  const { pay } = as(bed, grantWith({ day_zatoshi: 50_000 }));
  t.is(await pay(50_000), 'ok');
  await bed.wallet.call('wallet.lock');
  await bed.wallet.call('wallet.unlock', { password: 'correct horse battery staple' });
  t.is(await pay(1_000), 'GRANT_LIMIT day_zatoshi');
});
