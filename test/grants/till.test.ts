// The till's grant and PIN: what its page may call while it is on, who is let in beside it, and how wrong PINs wait.

import test from 'ava';
import type { Credentials } from '../../src/protocol/grants.ts';
import { type GrantBed, grantBed, WITH_PASSWORD, WITHOUT_PASSWORD } from '../helpers/grantBed.ts';
import { askedFor, reachedNames, verdict } from './reached.ts';

const PIN = { pin: '4711' };
const WRONG = { pin: '0000' };

const outcome = (
  bed: GrantBed,
  credentials: Credentials,
  name: (typeof reachedNames)[number],
  wallet = 'default',
) =>
  bed.access
    .during(bed.access.permitOf(credentials), askedFor(name, wallet), async () => undefined)
    .then(
      () => 'ok',
      (error: { readonly code: string }) => error.code,
    );

test('while the till is on, its token reaches what invoices need, and no token reaches nothing', async (t) => {
  for (const anonymousAccess of ['full', 'read', 'none'] as const) {
    const bed = grantBed('till', { anonymousAccess });
    const { code } = await bed.call('grants.page_code');
    const page = (await bed.call('grants.open_page', { code })).token;
    const other = (await bed.call('grants.create', { name: 'till', scopes: ['admin'] })).token;
    const before = await outcome(bed, {}, 'balance.get');
    t.deepEqual(await bed.call('till.get'), { is_on: false });
    const { token, grant } = await bed.call('till.start', PIN, WITH_PASSWORD);
    t.like(grant, { name: 'till 2', scopes: ['invoice'], wallets: ['default'], expires_at: null });
    t.deepEqual(await bed.call('till.get'), { is_on: true });
    const till = { is: 'grant', scopes: ['invoice'], wallets: ['default'] } as const;
    for (const name of reachedNames) {
      for (const wallet of ['default', 'savings'])
        t.is(await outcome(bed, { token }, name, wallet), verdict(till, name, wallet), name);
      // Neither without the token, nor with the one that the page had before.
      for (const credentials of [{}, { token: page }, { token: page, origin: 'http://127.0.0.1:3000' }])
        t.is(
          await outcome(bed, credentials, name),
          verdict({ is: 'nobody', reads: false }, name, 'default'),
          name,
        );
    }
    t.is(await outcome(bed, { token: other }, 'balance.get'), 'ok', 'other grants hold');
    const { token: again } = await bed.call('till.end', {}, WITH_PASSWORD);
    t.is(again === null, anonymousAccess === 'full');
    t.is(await outcome(bed, {}, 'balance.get'), before);
    if (again !== null) t.is(await outcome(bed, { token: again }, 'grants.list'), 'ok');
    t.is(await outcome(bed, { token }, 'invoices.create'), 'GRANT_REQUIRED');
    t.is(await bed.failureCode('till.end', {}, WITH_PASSWORD), 'NOT_FOUND');
  }
});

test('a lock takes the token, and what was open with it; the PIN alone gives another one', async (t) => {
  const bed = grantBed('lock');
  t.is(await bed.failureCode('till.lock'), 'NOT_FOUND');
  t.is(await bed.failureCode('till.unlock', PIN), 'NOT_FOUND');
  t.is(await bed.failureCode('till.start', PIN, WITHOUT_PASSWORD), 'INVALID_REQUEST');
  for (const pin of ['123', '123456789', '12a4', '١٢٣٤'])
    t.is(await bed.failureCode('till.start', { pin }), 'INVALID_REQUEST', pin);
  const { token, grant } = await bed.call('till.start', PIN);
  const permit = bed.access.permitOf({ token });
  const { grant: shop } = await bed.call('grants.create', { name: 'shop', scopes: ['invoice'] });
  const by = ({ id }: { readonly id: string }) => ({
    ...WITHOUT_PASSWORD,
    grant: { id, scopes: ['invoice'], wallets: ['default'], limits: {} } as const,
  });
  t.is(await bed.failureCode('till.lock', {}, by(shop)), 'GRANT_SCOPE');
  t.is(await outcome(bed, { token }, 'invoices.create'), 'ok');
  await bed.call('till.lock', {}, by(grant));
  t.is(await outcome(bed, { token }, 'invoices.create'), 'GRANT_REQUIRED');
  t.deepEqual(bed.access.renewed(permit).scopes, []);
  t.is(await bed.failureCode('till.unlock', WRONG, WITHOUT_PASSWORD), 'WRONG_PASSWORD');
  const opened = await bed.call('till.unlock', PIN, WITHOUT_PASSWORD);
  t.is(await outcome(bed, { token: opened.token }, 'invoices.create'), 'ok');
  t.is(opened.grant.id, grant.id);
  // A forgotten PIN is replaced, with the password.
  const next = await bed.call('till.start', WRONG, WITH_PASSWORD);
  t.is(bed.book.till?.id, next.grant.id);
  t.is(await bed.failureCode('till.unlock', PIN), 'WRONG_PASSWORD');
  t.is(await outcome(bed, { token: opened.token }, 'invoices.create'), 'GRANT_REQUIRED');
  await bed.call('grants.revoke', { grant: next.grant.id });
  t.deepEqual(await bed.call('till.get'), { is_on: false });
  t.is(await outcome(bed, {}, 'balance.get'), 'ok');
});

test('wrong PINs wait as passwords do, also together and after a restart', async (t) => {
  const bed = grantBed('wrong');
  await bed.call('till.start', PIN);
  const together = await Promise.all(
    Array.from({ length: 5 }, () => bed.failureCode('till.unlock', WRONG, WITHOUT_PASSWORD)),
  );
  t.deepEqual(together.sort(), [...Array(2).fill('TOO_MANY_ATTEMPTS'), ...Array(3).fill('WRONG_PASSWORD')]);
  t.is(bed.written()[0]?.pin?.wrongTries, 3);
  t.is(await bed.failureCode('till.unlock', PIN), 'TOO_MANY_ATTEMPTS');
  const after = grantBed('after', {}, bed.written());
  const refused = await after.failure('till.unlock', PIN);
  t.like(refused, { code: 'TOO_MANY_ATTEMPTS', retryAfterSeconds: 1 });
  after.now += 1_000;
  t.is(await after.failureCode('till.unlock', WRONG), 'WRONG_PASSWORD');
  t.is(after.written()[0]?.pin?.wrongTries, 4);
  after.now += 1_000;
  t.like(await after.failure('till.unlock', PIN), { retryAfterSeconds: 1 }, 'two seconds by now');
  after.now += 1_000;
  await after.call('till.unlock', PIN);
  t.is(after.written()[0]?.pin?.wrongTries, 0);
});
