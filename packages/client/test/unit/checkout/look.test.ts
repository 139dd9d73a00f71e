// What a payer reads, and when there is something to pay: for each way an invoice can stand.

import test from 'ava';
import fc from 'fast-check';
import { type CheckoutInvoice, timeLeft } from '../../../src/checkout/checkoutStatus.ts';
import { checkoutLook, qrOutline } from '../../../src/checkout/look.ts';
import { checkoutTexts } from '../../../src/checkout/texts.ts';
import { shownInvoice } from '../../helpers/shownInvoice.ts';

const IN_TIME = Date.parse('2026-01-02T12:00:00Z');
const EN = checkoutTexts(['en']);
const REST = 'zcash:u1example?amount=0.15';

const look = (members: Partial<CheckoutInvoice>, nowMs = IN_TIME, texts = EN) => {
  const { tone, headline, lines, isPayable, isRequestRight } = checkoutLook(
    shownInvoice(members),
    texts,
    nowMs,
  );
  const pay = isPayable ? (isRequestRight ? 'by code' : 'by address') : 'nothing';
  return [tone, headline, lines.join(' ').replaceAll('\u00a0', ' '), pay];
};

const CASES: Readonly<Record<string, readonly [Partial<CheckoutInvoice>, ...string[]]>> = {
  'nothing has arrived': [{}, 'open', 'Scan the code with your wallet', '', 'by code'],
  'the payer chooses': [
    { amount_zatoshi: null, uri: 'zcash:u1example' },
    'open',
    'Scan the code with your wallet',
    '',
    'by code',
  ],
  'all of it, in a block that no node has confirmed': [
    { state: 'seen', received_zatoshi: 25_000_000, require_verified: true, verified_with: null },
    'part',
    'Payment seen',
    "It is in a block, and counts once the shop's own node has confirmed that.",
    'nothing',
  ],
  'a part, mined and not': [
    {
      state: 'seen',
      exception: 'partial',
      received_zatoshi: 4_000_000,
      unmined_zatoshi: 6_000_000,
      uri: REST,
    },
    'part',
    'Part of it has arrived',
    '0.10 ZEC of 0.25 ZEC received, 0.15 ZEC left',
    'by code',
  ],
  'a part, and the request still asks for all': [
    { exception: 'partial', received_zatoshi: 10_000_000 },
    'part',
    'Part of it has arrived',
    '0.10 ZEC of 0.25 ZEC received, 0.15 ZEC left',
    'by address',
  ],
  'a link that is no payment request': [
    { amount_zatoshi: null, uri: 'javascript:alert(1)' },
    'open',
    'Scan the code with your wallet',
    '',
    'by address',
  ],
  'all of it in the mempool': [
    { state: 'seen', unmined_zatoshi: 25_000_000 },
    'part',
    'Payment seen',
    'It counts once it is in a block, usually within two minutes.',
    'nothing',
  ],
  'the mempool is not known': [
    { unmined_zatoshi: null },
    'open',
    'Scan the code with your wallet',
    '',
    'by code',
  ],
  paid: [
    { state: 'paid', received_zatoshi: 25_000_000, confirmations: 1 },
    'good',
    'Paid',
    '1 of 3 confirmations',
    'nothing',
  ],
  'confirmed, and deeper than it must be': [
    { state: 'confirmed', exception: 'overpaid', received_zatoshi: 26_000_000, confirmations: 9 },
    'good',
    'Paid and confirmed',
    'More was paid than asked for: 0.01 ZEC 3 of 3 confirmations',
    'nothing',
  ],
  expired: [
    { state: 'expired' },
    'over',
    'The time is over',
    'Do not pay to this address any more.',
    'nothing',
  ],
  'expired with a part': [
    { state: 'expired', exception: 'partial', received_zatoshi: 10_000_000 },
    'over',
    'The time is over',
    'Do not pay to this address any more. 0.10 ZEC of 0.25 ZEC received, 0.15 ZEC left Please ask the shop.',
    'nothing',
  ],
  late: [
    { state: 'expired', exception: 'late', received_zatoshi: 25_000_000 },
    'over',
    'The time is over',
    'Do not pay to this address any more. A payment came too late: 0.25 ZEC. Please ask the shop.',
    'nothing',
  ],
  cancelled: [{ state: 'cancelled' }, 'over', 'Cancelled', 'Do not pay to this address any more.', 'nothing'],
  reversed: [
    { exception: 'reversed' },
    'over',
    '',
    'The network took a payment back. It often comes again by itself: do not pay twice. Please ask the shop.',
    'nothing',
  ],
  'reversed, and the time is over': [
    { state: 'expired', exception: 'reversed', received_zatoshi: 1_000_000 },
    'over',
    'The time is over',
    'The network took a payment back. It often comes again by itself: do not pay twice. Please ask the shop. Do not pay to this address any more. 0.01 ZEC of 0.25 ZEC received, 0.24 ZEC left',
    'nothing',
  ],
};

for (const [title, [members, ...shown]] of Object.entries(CASES))
  test(title, (t) => {
    t.deepEqual(look(members), shown);
  });

for (const uri of [
  'zcash:u1other?amount=0.25',
  'zcash:?address=u1other&amount=0.25',
  'zcash:u1example?amount=0.25&address.1=u1other&amount.1=1',
  'zcash:u1example?amount=0.25&address=u1other',
  'zcash:u1example?amount=0.25&amount=9',
  'zcash:u1example?amount=0.25&req-more=1',
  'zcash:u1example?amount=0.250000001',
  'zcash:u1example?amount=0.25e3',
  'zcash:U1EXAMPLE?amount=0.25',
])
  test(`no code is shown for what is not a request of this invoice: ${uri}`, (t) => {
    t.is(look({ uri }).at(-1), 'by address');
  });

test('once the time is over by the clock nothing is asked for, and what has come in full counts', (t) => {
  const end = Date.parse('2026-01-02T12:15:00Z');
  t.is(look({}, end - 1)[3], 'by code');
  t.deepEqual(look({}, end), look({ state: 'expired' }));
  t.is(look({ exception: 'partial', received_zatoshi: 1, uri: REST }, end)[0], 'over');
  t.is(look({ state: 'seen', unmined_zatoshi: 25_000_000 }, end)[1], 'Payment seen');
});

test('every zatoshi is shown, in the numbers of the language', (t) => {
  const members = { exception: 'partial', received_zatoshi: 1 } as const;
  t.is(
    look(members, IN_TIME, checkoutTexts(['fr', 'de-CH']))[2],
    '0,00000001 ZEC von 0,25 ZEC erhalten, 0,24999999 ZEC offen',
  );
  const whole = { exception: 'partial', amount_zatoshi: 21e14, received_zatoshi: 1 } as const;
  const uri = 'zcash:u1example?amount=20999999.99999999';
  t.is(look({ ...whole, uri })[3], 'by code');
  t.is(look({ ...whole, uri: uri.replace(/9$/, '8') })[3], 'by address');
});

test('the time that is left counts down to nothing', (t) => {
  const at = (seconds: number) => timeLeft(new Date(seconds * 1000).toISOString(), 0);
  t.deepEqual(
    [at(0), at(1), at(59), at(60), at(905), at(3605)],
    ['', '0:01', '0:59', '1:00', '15:05', '1:00:05'],
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 6 }), (seconds) => {
      const back = at(seconds)
        .split(':')
        .reduce((sum, part) => sum * 60 + Number(part), 0);
      t.is(back, seconds);
    }),
  );
});

test('of an SVG nothing is taken but two values that are checked', (t) => {
  t.deepEqual(qrOutline(shownInvoice().qr ?? ''), { width: '9', path: 'M4 4h1v1h-1z' });
  t.is(qrOutline('<svg viewBox="0 0 9 9"><path d="M4 4<script>"/>'), undefined);
  t.is(qrOutline(''), undefined);
});

test('no language lacks a placeholder', (t) => {
  const placeholders = (texts: object) =>
    Object.entries(texts).map(([name, text]) => [name, (String(text).match(/\{\w+\}/g) ?? []).sort()]);
  for (const lang of ['de', 'es']) t.deepEqual(placeholders(checkoutTexts([lang])), placeholders(EN));
});
