// What the pages say about grants, what a person can choose of what is asked for, and the code in an address.

import { CompanionError } from '@wallet-companion/client';
import test from 'ava';
import { Formats } from '../src/model/amounts.ts';
import {
  dayChoices,
  daysOf,
  EVERYTHING,
  type Grant,
  limitsText,
  offerChoices,
  requireChoice,
  SCOPES_OFFERED,
  scopesText,
  scopeText,
  untilText,
  walletsText,
} from '../src/model/grants.ts';
import { placeIn, withoutCode } from '../src/model/place.ts';
import { needsGrant, Objection } from '../src/model/problems.ts';
import { grantsTexts } from '../src/texts/grants.ts';

const english = new Formats('en', 'UTC');

test('who decides reads what each scope opens', (t) => {
  t.deepEqual([...SCOPES_OFFERED], Object.keys(grantsTexts().scopes));
  t.regex(scopeText('prepare'), /PCZT.*full viewing key.*every note, past and future/);
  for (const text of [scopeText('admin'), grantsTexts().bareOrigin])
    t.regex(text, /everything but recovery phrase, viewing keys, password and grants/);
  t.is(scopesText(['read', 'invoice']), 'read, make invoices');
  for (const newer of ['toString', 'fly']) t.is(scopeText(newer), newer);
});

test('wallets have their names, and all of them words', (t) => {
  t.is(walletsText(['*']), 'all wallets, also later ones');
  t.is(walletsText(['default', 'shop']), 'the default wallet, shop');
});

test('in the place of all, each can be ticked', (t) => {
  t.deepEqual(offerChoices(['read', 'send'], EVERYTHING, SCOPES_OFFERED), ['read', 'send']);
  t.deepEqual(offerChoices(['admin'], EVERYTHING, SCOPES_OFFERED), SCOPES_OFFERED);
  t.deepEqual(offerChoices(['*'], '*', ['default', 'shop']), ['*', 'default', 'shop']);
  t.deepEqual(requireChoice(['*', 'shop'], '*', 'wallets'), ['*']);
  t.deepEqual(requireChoice(['default', 'shop'], '*', 'wallets'), ['default', 'shop']);
  t.throws(() => requireChoice([], '*', 'wallets'), { instanceOf: Objection, message: /wallets/ });
});

test('a time is chosen that is no longer than what was asked for', (t) => {
  const values = (asked: number | null) => dayChoices(asked, english).map(([value]) => value);
  t.deepEqual(values(null), ['', '365', '30', '1']);
  t.deepEqual(values(365), ['365', '30', '1']);
  t.deepEqual(dayChoices(7, english), [
    ['7', '7 days'],
    ['1', 'A day'],
  ]);
  t.deepEqual(dayChoices(1, english), [['1', 'A day']]);
  t.deepEqual(daysOf('', null), {});
  t.deepEqual(daysOf('30', null), { days: 30 });
  t.deepEqual(daysOf('30', 30), {});
  t.deepEqual(daysOf('1', 30), { days: 1 });
});

test('a grant says until when it holds, and what it allows at most', (t) => {
  const none = { payment_zatoshi: null, day_zatoshi: null, payees: null, calls_per_minute: null };
  const grant = { expires_at: '2026-01-02T03:04:05Z', expired: false, limits: none } as Grant;
  t.regex(untilText(grant, english), /^until Jan 2, 2026/);
  t.regex(untilText({ ...grant, expired: true }, english), /^expired Jan 2, 2026/);
  t.is(untilText({ ...grant, expires_at: null }, english), 'until it is revoked');
  t.is(limitsText(grant, english), '');
  const limits = { payment_zatoshi: 50_000_000, day_zatoshi: 0, payees: ['u1'], calls_per_minute: 60 };
  t.is(
    limitsText({ limits }, english),
    '0.50\u00a0ZEC in a payment, 0.00\u00a0ZEC in a day, only to 1 address, 60 calls in a minute',
  );
});

test('the code is taken out of the fragment, and what names a page stays', (t) => {
  t.deepEqual(withoutCode('#code=Zk8-y_Q2x1'), { code: 'Zk8-y_Q2x1', rest: '' });
  t.deepEqual(withoutCode('#code='), { code: '', rest: '' });
  const { code, rest } = withoutCode('#code=abc#savings/pay/12');
  t.deepEqual([code, placeIn(rest)], ['abc', { wallet: 'savings', page: 'pay', item: '12' }]);
  for (const hash of ['', '#/activity', '#code', '#/code=abc'])
    t.deepEqual(withoutCode(hash), { code: undefined, rest: hash });
});

test('that a grant is needed is another thing than any other refusal', (t) => {
  t.true(needsGrant(new CompanionError('GRANT_REQUIRED', 'x')));
  t.false(needsGrant(new CompanionError('WRONG_PASSWORD', 'x')));
  t.false(needsGrant(new Error('GRANT_REQUIRED')));
});
