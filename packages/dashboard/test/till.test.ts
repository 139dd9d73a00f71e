// What the till says about an invoice.

import test from 'ava';
import { Arrivals } from '../src/model/arrivals.ts';
import { addressIn } from '../src/model/refund.ts';
import { type Invoice, matching, tillLook } from '../src/model/till.ts';
import { tillTexts } from '../src/texts/till.ts';

const texts = tillTexts();
const invoice = (part: Partial<Invoice>): Invoice =>
  ({
    state: 'new',
    exception: null,
    amount_zatoshi: 100,
    received_zatoshi: 0,
    unmined_zatoshi: 0,
    confirmations: 0,
    required_confirmations: 10,
    ...part,
  }) as Invoice;

for (const [what, given, look] of [
  ['nothing has arrived', {}, { tone: 'open', due: 100, headline: texts.scan }],
  ['the payer chooses', { amount_zatoshi: null }, { tone: 'open', due: undefined }],
  [
    'all of it is unmined',
    { state: 'seen', unmined_zatoshi: 100 },
    { tone: 'part', due: null, headline: texts.seen },
  ],
  [
    'a part is mined, another one not',
    { state: 'seen', exception: 'partial', received_zatoshi: 30, unmined_zatoshi: 20 },
    { tone: 'part', due: 50, headline: texts.part, lines: [[texts.stillDue, { zatoshi: 50 }]] },
  ],
  [
    'the mempool was not looked at',
    { received_zatoshi: 30, unmined_zatoshi: null, exception: 'partial' },
    { tone: 'part', due: 70 },
  ],
  [
    'it is paid',
    { state: 'paid', received_zatoshi: 100, confirmations: 3 },
    { tone: 'good', due: null, lines: [[texts.confirmations, '3 / 10']] },
  ],
  [
    'all of it is in a block without the mark that is demanded',
    { state: 'seen', received_zatoshi: 100, require_verified: true, verified_with: null },
    { tone: 'part', due: null, headline: texts.seen, lines: [[texts.check]] },
  ],
  [
    'a compact server alone reports that it is paid',
    { state: 'paid', received_zatoshi: 100, confirmations: 3, verified_with: null },
    { tone: 'good', lines: [[texts.confirmations, '3 / 10'], [texts.alone]] },
  ],
  [
    'it is confirmed long since, and overpaid',
    { state: 'confirmed', exception: 'overpaid', received_zatoshi: 120, confirmations: 300 },
    {
      tone: 'good',
      lines: [
        [texts.overpaid, { zatoshi: 20 }],
        [texts.confirmations, '10 / 10'],
      ],
    },
  ],
  [
    'it was paid too late',
    { state: 'expired', exception: 'late', received_zatoshi: 100 },
    { tone: 'over', due: null, lines: [[texts.late, { zatoshi: 100 }]] },
  ],
  [
    'a payment was taken back',
    { exception: 'reversed' },
    { tone: 'open', due: 100, lines: [[texts.reversed]] },
  ],
] as const)
  test(`the look of an invoice where ${what}`, (t) =>
    t.like(tillLook(invoice(given as Partial<Invoice>), texts), look));

test('the address is taken out of what a reader for codes types', (t) => {
  const address = 'u1'.padEnd(60, 'x');
  for (const text of [
    address,
    ` ${address}\n`,
    `zcash:${address}`,
    `ZCASH:${address}?amount=1&memo=x`,
    address.toUpperCase(),
  ])
    t.is(addressIn(text), address);
  for (const text of ['', 'Alice', `https://${address}`, `${address} ${address}`, 'zcash:?address=x'])
    t.is(addressIn(text), undefined, text);
});

test('a part of an order number finds its invoices, each once', (t) => {
  const [one, other, none] = ['A-17', 'b-170', null].map((reference) =>
    invoice({ invoice_id: String(reference), reference }),
  ) as [Invoice, Invoice, Invoice];
  t.deepEqual(matching([one, none, other, one], '17'), [one, other]);
  t.deepEqual(matching([one, other], 'a-17'), [one]);
});

test('more money makes a sound, and no block, confirmation or return of it', (t) => {
  const arrivals = new Arrivals();
  const heard = [
    [0, 0],
    [0, 60],
    [60, 0],
    [60, null],
    [0, 0],
    [60, 0],
    [60, 40],
  ].map(([received_zatoshi = 0, unmined_zatoshi = 0]) =>
    arrivals.hasMore({
      invoice_id: 'a',
      state: 'seen',
      received_zatoshi: received_zatoshi ?? 0,
      unmined_zatoshi,
    }),
  );
  t.deepEqual(heard, [false, true, false, false, false, false, true]);
  const other = { received_zatoshi: 1, unmined_zatoshi: 0 };
  t.true(arrivals.hasMore({ ...other, invoice_id: 'b', state: 'paid' }));
  t.false(arrivals.hasMore({ ...other, invoice_id: 'c', state: 'confirmed' }));
});
