// The formats of the books: headers and dates as the programs ask for them, what adds up, and what those programs themselves say
// where they are installed.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { startOfDay } from '../../src/books/days.ts';
import { imbalance, type Line } from '../../src/books/ledger.ts';
import { type FormatName, writeBooks } from '../../src/books/write.ts';
import { carelessCells, readCsv } from '../helpers/csvReader.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

const HOSTILE = '=1+1"; [2026/13/45] date:x\n2026-01-01 open "\\';
const MOVED: readonly Partial<Line>[] = [
  { received_zatoshi: 300_000_000, memos: [{ text: HOSTILE }], labels: ['=shop'], references: [HOSTILE] },
  { sent_zatoshi: 100_010_000, fee_zatoshi: 10_000, counterparties: ['u1friend'], memos: [{ text: '' }] },
  // From one pool to another: two lines, and a fee is all that is gone.
  { pool: 'sapling', sent_zatoshi: 50_000_000, fee_zatoshi: 15_000 },
  { pool: 'orchard', received_zatoshi: 49_985_000 },
  { received_zatoshi: 0, memos: [{ text: 'nothing but a memo' }] },
];
const OPENING = 7;
const AT_400 = { currency: 'EUR', price: '400.5', price_time: '2026-01-01', price_source: 'rates_file' };

function linesOf(moved: readonly Partial<Line>[]): Line[] {
  let balance = OPENING;
  return moved.map((one, i) => {
    balance += (one.received_zatoshi ?? 0) - (one.sent_zatoshi ?? 0);
    return {
      // The transaction of the third and fourth is one.
      txid: String(i === 3 ? 2 : i)
        .padStart(2, '0')
        .repeat(32),
      time: `2026-0${i === 3 ? 3 : i + 1}-01T03:04:05.000Z`,
      height: 100 + i,
      account: 0,
      pool: 'orchard',
      received_zatoshi: 0,
      sent_zatoshi: 0,
      fee_zatoshi: null,
      memos: [],
      labels: [],
      counterparties: [],
      references: [],
      confirmations: 1,
      balance_zatoshi: balance,
      ...one,
    };
  });
}

const LINES = linesOf(MOVED);
const LEDGER = { opening: OPENING, lines: LINES, closing: LINES.at(-1)!.balance_zatoshi! };
const ZONE = 'America/New_York';
const YEAR = { zone: ZONE, from: startOfDay(ZONE, '2025-12-01'), through: startOfDay(ZONE, '2026-12-31') };
const written = (format: FormatName): string => writeBooks(format, LEDGER, { ...YEAR, beginning: 'posted' });

test('a ledger that does not add up is written in no format', (t) => {
  t.is(imbalance(LEDGER), 0);
  const wrong = { ...LEDGER, closing: LEDGER.closing + 1 };
  t.is(imbalance(wrong), -1);
  for (const format of ['csv', 'beancount', 'hledger', 'koinly', 'cointracker'] as const)
    t.throws(() => writeBooks(format, wrong, YEAR), { instanceOf: RangeError }, format);
});

test('CoinTracker gets its columns, times in UTC, and fees as a part of what was sent', (t) => {
  t.deepEqual(readCsv(written('cointracker')), [
    'Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag'.split(
      ',',
    ),
    ['01/01/2026 03:04:05', '3.00000000', 'ZEC', '', '', '', '', ''],
    ['02/01/2026 03:04:05', '', '', '1.00010000', 'ZEC', '0.00010000', 'ZEC', ''],
    ['03/01/2026 03:04:05', '', '', '0.00015000', 'ZEC', '', '', ''],
  ]);
});

test('Koinly gets its columns; what strangers and users wrote runs as no formula', (t) => {
  const text = written('koinly');
  const [header = [], ...rows] = readCsv(text);
  t.is(
    header.join(),
    'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
  );
  t.deepEqual(rows[1]!.slice(0, 11), [
    '2026-02-01 03:04 UTC',
    '1.00000000',
    'ZEC',
    '',
    '',
    '0.00010000',
    'ZEC',
    '',
    '',
    '',
    'u1friend',
  ]);
  t.true(rows[0]![10]!.includes('invoice =1+1'));
  t.deepEqual(rows[2]!.slice(1, 10), ['0.00015000', 'ZEC', '', '', '', '', '', '', 'cost']);
  for (const cell of carelessCells(text, /[,;|\t]/))
    t.notRegex(cell.replace(/^["\s]+/, ''), /^[=+\-@]/, cell);
});

test('Beancount asserts the closing balance on the day after', (t) => {
  const text = written('beancount');
  t.regex(text, /^2025-12-01 \* "Opening balance"\n {2}Assets:Zcash {2}0\.00000007 ZEC$/m);
  // In New York it was still the day before.
  t.regex(text, /^2026-01-31 \* "u1friend" ""$/m);
  t.regex(text, /^ {2}invoice: "=1\+1\\"; /m);
  // Its lexer turns these two characters into a line break, and the doubled one into a backslash.
  t.true(text.includes('\\n2026-01-01 open \\"\\\\"\n'));
  t.regex(text, /^2027-01-01 balance Assets:Zcash {2}1\.99975007 ~ 0\.00000000 ZEC$/m);
  t.is(text.split('\n').filter((line) => /^\S+ open /.test(line)).length, 5);
  // Books that go on open nothing, and within a day nothing is asserted.
  const next = { ...YEAR, from: YEAR.from + 3_600, to: YEAR.through };
  const continued = writeBooks('beancount', LEDGER, next);
  t.notRegex(continued, /^\S+ (open|balance) /m);
  t.regex(writeBooks('beancount', LEDGER, YEAR), /^2025-12-01 balance Assets:Zcash {2}0\.00000007 ~/m);
  // A block that belongs to the period though its time does not.
  t.regex(
    writeBooks('hledger', LEDGER, { ...YEAR, from: startOfDay(ZONE, '2026-01-05') }),
    /^2026-01-05 \* \(0000/m,
  );
});

test('formats have a value in money: per posting, or as Koinly wants it, and none where a part has no price', (t) => {
  const priced = linesOf(
    MOVED.map((one, i) => {
      const values = [
        ['1201.50', ''],
        ['-400.54', '0.04'],
        ['-200.25', '0.06'],
        ['200.19', ''],
      ][i];
      const [value = '', fee = ''] = values ?? [];
      return values === undefined ? one : { ...one, fiat: { ...AT_400, value, fee } };
    }),
  );
  const books = (format: FormatName, lines: readonly Line[]): string =>
    writeBooks(format, { ...LEDGER, lines }, { ...YEAR, beginning: 'posted' });
  const worth = (lines: readonly Line[]) =>
    readCsv(books('koinly', lines))
      .slice(1)
      .map((row) => row.slice(7, 9).join(' '));
  // The value of what was sent without its fee; of the fee where nothing else is gone.
  t.deepEqual(worth(priced), ['1201.50 EUR', '400.50 EUR', '0.06 EUR']);
  t.deepEqual(worth(priced.with(3, { ...priced[3]!, fiat: undefined })).slice(2), [' ']);
  for (const format of ['beancount', 'hledger'] as const)
    t.is(books(format, priced).match(/ ZEC @ 400\.5 EUR$/gm)?.length, 7, format);
  const otherPrice = priced.with(3, { ...priced[3]!, fiat: { ...priced[3]!.fiat!, price: '400' } });
  t.is(books('hledger', otherPrice).match(/ @ /g)?.length, 5);
  accepted(t, books('beancount', priced), 'books.beancount', 'bean-check');
  accepted(t, books('hledger', priced), 'books.journal', 'hledger', 'check', '-f');
});

test('of a selection nothing is asserted', (t) => {
  for (const format of ['beancount', 'hledger'] as const)
    t.notRegex(writeBooks(format, LEDGER, { ...YEAR, isSelection: true }), /balance/i);
});

/** Skips where the program is not installed, as on most machines. */
function accepted(t: ExecutionContext, text: string, file: string, ...command: [string, ...string[]]): void {
  const [program, ...args] = command;
  if (spawnSync(program, ['--version']).error !== undefined) {
    t.pass(`${program} is not installed`);
    return;
  }
  const run = (books: string) => {
    const place = path.join(temporaryFolder(t), file);
    writeFileSync(place, books);
    return spawnSync(program, [...args, place], { encoding: 'utf8' });
  };
  const good = run(text);
  t.is(good.status, 0, good.stdout + good.stderr);
  t.not(run(text.replaceAll('1.99975007', '1.99975008')).status, 0);
}

test('Beancount itself accepts the books, and refuses another balance', (t) =>
  accepted(t, written('beancount'), 'books.beancount', 'bean-check'));

test('hledger itself accepts the books, and refuses another balance', (t) =>
  accepted(t, written('hledger'), 'books.journal', 'hledger', 'check', '-f'));
