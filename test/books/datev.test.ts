// DATEV's form: 125 columns by their names, bookings in euros by the side of the account, and nothing that a stranger wrote runs.

import { createHash } from 'node:crypto';
import test from 'ava';
import { datev, datevBytes, isLeftOut } from '../../src/books/datev.ts';
import type { DatevFrame } from '../../src/books/format.ts';
import type { Fiat, Line } from '../../src/books/ledger.ts';

const SETTINGS = {
  adviser: 1001,
  client: 7,
  accounts: { zec: '1360', income: '8400', expenses: '4900', fees: '4970' },
};
const seconds = (time: string): number => Date.parse(time) / 1000;
const DATEV: DatevFrame = {
  settings: SETTINGS,
  from: seconds('2025-12-31T23:00:00Z'),
  to: seconds('2026-12-31T22:59:59Z'),
  created: seconds('2027-01-02T03:04:05Z'),
};
const FRAME = { zone: 'Europe/Berlin', datev: DATEV };

const fiat = (value: string, fee = '', currency = 'EUR'): Fiat => ({
  currency,
  price: '412.37',
  value,
  fee,
  price_time: '2026-07-01T12:00:00Z',
  price_source: 'desk',
});
const line = (given: Partial<Line>): Line => ({
  time: '2026-06-30T22:30:00Z',
  height: 5,
  txid: 'ab'.repeat(32),
  account: 0,
  pool: 'orchard',
  received_zatoshi: 0,
  sent_zatoshi: 0,
  fee_zatoshi: null,
  memos: [],
  labels: [],
  counterparties: [],
  references: [],
  confirmations: 9,
  balance_zatoshi: 0,
  ...given,
});
const rowsOf = (...lines: Line[]): string[][] =>
  datev
    .body(lines, FRAME)
    .split('\r\n')
    .slice(0, -1)
    .map((row) => row.split(';'));

test('the head has 31 fields, and the names of 125 columns', (t) => {
  const [first = '', second = ''] = datev.head({ ...FRAME, opening: 0 }).split('\r\n');
  t.is(
    first,
    '"EXTF";700;21;"Buchungsstapel";13;20270102040405000;;"WC";"";"";1001;7;20260101;4;20260101;20261231;"Zcash 2026";"";1;0;0;"EUR";;"";;;"";;;"";""',
  );
  t.is(first.split(';').length, 31);
  // protocol/book-formats.md, the line of columns.
  const names = createHash('sha256').update(second).digest('hex');
  t.is(names, '098f89c80237a74bfa03dd3e1f4bb5cf2ecc8157fb4ee373626bdd70a0966cf7');
  t.true(datevBytes(second).includes(Buffer.from('St\xfcck;', 'latin1')));
});

test('what came is a debit, what was paid a credit with its fee apart, on the day of the place', (t) => {
  const received = line({ received_zatoshi: 6_062_518, references: ['R 17/b'], fiat: fiat('25.00') });
  const sent = line({
    sent_zatoshi: 2_425_000,
    fee_zatoshi: 10_000,
    counterparties: ['u1friend'],
    fiat: fiat('-10.00', '0.04'),
  });
  const rows = rowsOf(received, sent);
  t.deepEqual(
    rows.map((row) => [...row.slice(0, 3), ...row.slice(6, 8), ...row.slice(9, 11), row[13]]),
    [
      ['25,00', '"S"', '"EUR"', '1360', '8400', '0107', '"R17/b"', '"Zcash"'],
      ['9,96', '"H"', '"EUR"', '1360', '4900', '0107', `"${'ab'.repeat(18)}"`, '"u1friend"'],
      ['0,04', '"H"', '"EUR"', '1360', '4970', '0107', `"${'ab'.repeat(18)}"`, '"Netzwerkgebühr"'],
    ],
  );
  for (const row of rows) t.is(row.length, 125);
  t.deepEqual(rows[0]!.slice(47, 51), ['"ZEC"', '"0.06062518"', '"Kurs EUR je ZEC"', '"412.37"']);
  t.is(rows[0]![113], '0');
});

test('a line without a price in euros, or of less than a cent, is left out and not 0', (t) => {
  const lines = [
    line({ received_zatoshi: 5 }),
    line({ received_zatoshi: 5, fiat: fiat('1.00', '', 'USD') }),
    line({ received_zatoshi: 5, fiat: fiat('0.00') }),
  ];
  t.deepEqual(rowsOf(...lines), []);
  t.true(lines.every((one) => isLeftOut(one, SETTINGS)));
  t.false(isLeftOut(line({}), SETTINGS), 'it changed nothing');
  t.false(isLeftOut(line({ received_zatoshi: 5, fiat: fiat('0.01') }), SETTINGS));
});

test('text of strangers ends no cell and no line, runs nowhere, and fits', (t) => {
  for (const hostile of [
    '=1+1',
    ' -1',
    '\u200b=1+1',
    'a";"b\r\nc',
    '\u202ex',
    '\u20ac \u{1f600}',
    'x'.repeat(500),
  ]) {
    const memo = line({
      received_zatoshi: 5,
      memos: [{ text: hostile }],
      references: [hostile],
      fiat: fiat('1.00'),
    });
    const written = datev.body([memo], FRAME);
    t.is(written.split('\r\n').length, 2, hostile);
    const about = /"((?:[^"]|"")*)";;"";;;/.exec(written)?.[1] ?? '';
    t.notRegex(about, /^[=+\-@]/);
    t.true(about.replaceAll('""', '"').length <= 60);
    t.is(datevBytes(written).toString('latin1'), written, 'each character is one byte');
  }
});
