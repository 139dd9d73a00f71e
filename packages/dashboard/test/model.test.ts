// What the pages compute: amounts, histories, coverage and codes, without a browser.

import { type Client, CompanionError, type Output } from '@wallet-companion/client';
import test from 'ava';
import fc from 'fast-check';
import { Formats } from '../src/model/amounts.ts';
import { balanceSentence } from '../src/model/balance.ts';
import { typedBirthday } from '../src/model/birthday.ts';
import {
  BAR_WIDTH,
  barsOf,
  blocksOf,
  type Reach,
  scannedPart,
  stretches,
  withProgress,
} from '../src/model/coverage.ts';
import { readFunds } from '../src/model/funds.ts';
import { balanceHistory, kindOf } from '../src/model/history.ts';
import { CONSENT_TEXT, consentsNamed } from '../src/model/payments.ts';
import { isSameWord, wordsToAsk } from '../src/model/phraseCheck.ts';
import { Objection, problemText, wrongPasswords } from '../src/model/problems.ts';
import { qrOutline } from '../src/model/qrCode.ts';
import { matches } from '../src/model/search.ts';
import { followText, syncText } from '../src/model/syncText.ts';
import { byYear } from '../src/model/years.ts';
import { balance, qrCharacters, transaction } from './helpers/samples.ts';

const english = new Formats('en', 'UTC');
const received = (received_zatoshi: number) => ({ ...transaction, received_zatoshi });

test('every zatoshi is shown, whatever the amount and the language', (t) => {
  t.deepEqual(english.amount(123_456_700_000_015), { bold: '1,234,567.00000015', faint: '' });
  t.deepEqual(english.amount(150_000_000), { bold: '1.50', faint: '000000' });
  t.deepEqual(english.amount(0), { bold: '0.00', faint: '000000' });
  t.is(new Formats('de').amount(2_099_999_999_999_999).bold, '20.999.999,99999999');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_100_000_000_000_000 }), (zatoshi) => {
      const { bold, faint } = english.amount(zatoshi);
      return BigInt((bold + faint).replaceAll(/[,.]/g, '')) === BigInt(zatoshi);
    }),
  );
});

test('an amount is read as the reader types it, and nothing else is', (t) => {
  t.is(english.typedAmount(' 1.25 '), 125_000_000);
  t.is(english.typedAmount('0.00000001'), 1);
  t.is(new Formats('de').typedAmount('1,25'), 125_000_000);
  t.is(english.typedAmount('21000000'), 2_100_000_000_000_000);
  for (const text of ['', '0', '-1', '1e3', '1.123456789', '21000000.1', '1,000', 'NaN', '0x10', '1 2']) {
    t.is(english.typedAmount(text), undefined, text);
  }
});

test('a day of a chart is as exact as the days around it are apart', (t) => {
  const day = 86_400;
  const labels = [365 * day, 31 * day, 7 * day, 3_600].map((step) =>
    english.date(Date.UTC(2026, 1, 3), step),
  );
  t.deepEqual(labels, ['2026', 'Feb 2026', 'Feb 3', '12:00 AM']);
});

test('a part is all only when it is all', (t) => {
  t.is(english.percent(0.99999), '99.9%');
  t.is(english.percent(1), '100%');
});

test('a balance that nobody looked for is unknown, and one with gaps says so', (t) => {
  const complete = { ...balance, complete: true, missing_ranges: [] };
  t.notRegex(balanceSentence({ ...balance, as_of_height: null }, 5, english), /\d/);
  t.regex(balanceSentence(balance, null, english), /11 blocks not scanned yet/);
  t.regex(balanceSentence(complete, 1_000_051, english), /2 blocks not scanned yet/);
  t.regex(balanceSentence(complete, 1_000_049, english), /Every block/);
});

test('a balance on the word of a compact server alone says so, until a node has verified it', (t) => {
  const words = /compact server's word/;
  t.regex(balanceSentence({ ...balance, verified_with: null }, null, english), words);
  t.notRegex(balanceSentence({ ...balance, verified_with: 'node' }, null, english), words);
  t.notRegex(balanceSentence({ ...balance, as_of_height: null }, null, english), words);
});

test('the history ends at the balance and takes each change away again', (t) => {
  const at = (day: number, received: number, spent: number) => ({
    ...transaction,
    time: `2026-01-0${day}T00:00:00Z`,
    received_zatoshi: received,
    spent_zatoshi: spent,
  });
  const points = balanceHistory(70, [at(3, 20, 50), at(2, 40, 0), at(1, 60, 0)]);
  t.deepEqual(
    points.map(({ zatoshi }) => zatoshi),
    [0, 60, 100, 70],
  );
  t.deepEqual(balanceHistory(5, []), []);
  // A block whose clock ran ahead does not make the line run back.
  const odd = balanceHistory(2, [at(1, 1, 0), at(3, 1, 0)]);
  t.deepEqual(
    odd.map(({ atMs }) => atMs),
    [...odd.map(({ atMs }) => atMs)].sort((a, b) => a - b),
  );
});

const heights = fc.integer({ min: 10, max: 60 });
const reaches: fc.Arbitrary<Reach> = fc
  .record({ top: heights, tip: fc.option(heights), holes: fc.uniqueArray(fc.integer({ min: 10, max: 59 })) })
  .map(({ top, tip, holes }) => ({
    birthday: 10,
    top,
    tip,
    missing: holes
      .filter((height) => height < top)
      .map((height) => ({ start_height: height, end_height: height })),
  }));

test('the stretches cover every block once, and a scan in progress counts', (t) => {
  fc.assert(
    fc.property(reaches, heights, heights, (reach, a, b) => {
      const known = stretches(reach);
      const whole = known.every(
        ({ start_height }, index) => start_height === (known[index - 1]?.end_height ?? 9) + 1,
      );
      const missing = new Set(reach.missing.map(({ start_height }) => start_height));
      const progress = { start_height: Math.min(a, b), committed_height: Math.max(a, b) };
      const after = stretches(withProgress(reach, progress));
      const isScanned = (height: number): boolean =>
        after.some((s) => s.state === 'scanned' && s.start_height <= height && height <= s.end_height);
      const all = Array.from({ length: 51 }, (_, index) => 10 + index);
      const right = all.every(
        (height) =>
          isScanned(height) ===
          ((height >= progress.start_height && height <= progress.committed_height) ||
            (height <= reach.top! && !missing.has(height))),
      );
      return whole && blocksOf(known, 'missing') === missing.size && right;
    }),
  );
  const below = [{ start_height: 1, end_height: 3 }];
  t.is(stretches({ birthday: 5, top: 9, missing: below, tip: 9 })[0]?.start_height, 5);
  t.is(scannedPart(stretches({ birthday: 5, top: null, missing: [], tip: null })), 1);
  t.is(scannedPart(stretches({ birthday: 1, top: null, missing: [], tip: 4 })), 0);
});

test('years follow each other, and hold every block between birthday and tip', (t) => {
  const known = stretches({
    birthday: 700_000,
    top: 2_000_000,
    missing: [{ start_height: 1_000_000, end_height: 1_500_000 }],
    tip: 3_900_000,
  });
  const years = byYear(known, 'main')!;
  t.is(years[0]!.year, 2020);
  t.true(years.every((year, index) => index === 0 || year.start_height === years[index - 1]!.end_height + 1));
  const states = ['scanned', 'missing', 'ahead'] as const;
  for (const state of states) {
    const split = years.reduce((sum, year) => sum + blocksOf(year.stretches, state), 0);
    t.is(split, blocksOf(known, state), state);
  }
  // Canopy: block 1,046,400, 18 November 2020.
  t.true(years[0]!.start_height < 1_046_400 && years[0]!.end_height > 1_046_400);
  // NU7: the table ends in October 2026, blocks come every 75 s up to 3,543,405, and then every 25.
  const begins2027 =
    3_543_405 + (Date.UTC(2027, 0) / 1_000 - (1_791_426_124 + (3_543_405 - 3_510_130) * 75)) / 25;
  const year2027 = years.find(({ year }) => year === 2027);
  t.true(Math.abs((year2027?.start_height ?? 0) - begins2027) < 3_600 / 25);
  t.is(byYear(known, 'test'), undefined);
});

test('different words are asked back, and one is known again however it is typed', (t) => {
  const phrase = Array.from({ length: 24 }, (_, index) => `word${index + 1}`).join(' ');
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (stream) => {
      const asked = wordsToAsk(phrase, 3, () => Number(stream.next().value));
      const numbers = asked.map(({ number }) => number);
      return (
        new Set(numbers).size === 3 &&
        numbers.every((number, index) => index === 0 || number > numbers[index - 1]!) &&
        asked.every(({ number, word }) => word === `word${number}`)
      );
    }),
  );
  t.true(isSameWord(' Word4 ', { number: 4, word: 'word4' }));
  t.false(isSameWord('word5', { number: 4, word: 'word4' }));
});

test('a code is drawn module by module as it came', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), { minLength: 7, maxLength: 7 }),
      (rows) => {
        const { width, path } = qrOutline(qrCharacters(rows));
        const drawn = rows.map((row) => row.map(() => false));
        for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
          for (let i = 0; i < Number(length); i++) drawn[Number(y)]![Number(x) + i] = true;
        }
        return width === 7 && JSON.stringify(drawn) === JSON.stringify(rows);
      },
    ),
  );
  t.pass();
});

test('a search finds memos, labels, recipients and blocks, and leaves the rest', (t) => {
  const all = { words: '', direction: 'all' } as const;
  const paid = { ...transaction, received_zatoshi: 5, spent_zatoshi: 0, height: 1234, sent_outputs: [] };
  const output = transaction.received_outputs[0]!;
  const one = {
    ...paid,
    received_outputs: [{ ...output, label: 'Caf\u00e9', memo: { text: 'For the BREAD' } }],
  };
  for (const words of ['', 'bread', 'cafe bread', '1234', transaction.txid.slice(3, 9).toUpperCase()]) {
    t.true(matches(one, { ...all, words }), words);
  }
  t.false(matches(one, { ...all, words: 'bread milk' }));
  t.true(matches(one, { words: '', direction: 'in' }));
  t.false(matches(one, { words: '', direction: 'out' }));
});

test('a birthday is a date or a height, however the height is grouped', (t) => {
  t.deepEqual(typedBirthday('  '), {});
  for (const birthday of ['2021', '2021-06', '2021-06-30'])
    t.deepEqual(typedBirthday(` ${birthday} `), { birthday });
  for (const typed of ['2900000', '2,900,000', '2.900.000', "2'900'000", '2 900 000'])
    t.deepEqual(typedBirthday(typed), { birthday_height: 2_900_000 }, typed);
  for (const typed of ['soon', '2021-6', '-1', '1e6', '12345678901'])
    t.throws(() => typedBirthday(typed), { instanceOf: Objection }, typed);
});

test('a refusal names the consents that it wants, and where it names none it may want any', (t) => {
  const refusal = (message: string, ...errors: { path: string; message: string }[]) =>
    new CompanionError('CONSENT_NEEDED', message, { errors });
  const named = refusal('It leaves orchard (crossing_pools).', { path: 'privacy', message: 'unusual_fee' });
  t.deepEqual(consentsNamed(named), ['crossing_pools', 'unusual_fee']);
  t.deepEqual(consentsNamed(refusal('Something else.')), Object.keys(CONSENT_TEXT));
});

test('what only went round within the wallet was not sent', (t) => {
  const sent = { ...received(0), spent_zatoshi: 9, sent_outputs: [] };
  const back = {
    account: 0,
    pool: 'orchard',
    output_index: 0,
    value_zatoshi: 5,
    recipient: 'u1',
    memo: null,
  };
  const inside = { ...back, pool: 'orchard', scope: 'internal' } as const;
  const outside = { ...inside, scope: 'external' } as const;
  t.is(kindOf(received(5)), 'Received');
  t.is(kindOf(sent), 'Sent');
  t.is(kindOf({ ...sent, received_zatoshi: 5, sent_outputs: [inside] }), 'Moved within the wallet');
  t.is(kindOf({ ...sent, received_zatoshi: 5, sent_outputs: [inside, outside] }), 'Sent');
});

test('one missing block among millions is seen, over its neighbours and within the bar', (t) => {
  const hole = { start_height: 3_000_000, end_height: 3_000_000 };
  const known = stretches({ birthday: 1, top: 3_000_000, missing: [hole], tip: 3_000_000 });
  const bars = barsOf(known, { start_height: 1, end_height: 3_000_000 });
  const last = bars.at(-1)!;
  t.is(last.state, 'missing');
  t.true(last.width >= 5 && last.x + last.width <= BAR_WIDTH);
});

const reach = { birthday: 1, top: 100, missing: [], tip: 200 };
const idle = {
  syncing: false,
  progress: null,
  last_error: null,
  last_finished_at: null,
  chain_tip: 200,
  work_done: null,
  work_total: null,
} as unknown as Output<'sync.status'>;

test('a scan says what is left, and why the last one failed', (t) => {
  const scan = { reach, sync: idle, isScanning: false, scanProblem: undefined };
  t.deepEqual(syncText(scan, english), {
    part: 0.5,
    state: '100 blocks not scanned yet.',
    rate: '',
    problem: '',
  });
  t.is(syncText({ ...scan, reach: undefined }, english).state, 'Reading\u2026');
  t.is(syncText({ ...scan, reach: { ...reach, top: null } }, english).state, 'Nothing has been scanned yet.');
  t.is(syncText({ ...scan, isScanning: true }, english).state, 'Scanning: 50%, 100 blocks to go.');
  const failed = { at: '2026-01-02T03:04:05Z', detail: 'The node is gone.' };
  const sync = { ...idle, last_error: failed } as Output<'sync.status'>;
  t.is(
    syncText({ ...scan, sync }, english).problem,
    'The last scan failed (Jan 2, 2026, 3:04 AM): The node is gone.',
  );
  t.is(syncText({ ...scan, sync, scanProblem: 'Busy.' }, english).problem, 'Busy.');
  t.is(syncText({ ...scan, sync, isScanning: true }, english).problem, undefined);
  t.regex(followText(undefined, english), /^Goes on while/);
});

test('an open wallet is read page by page, and what was left out is told', async (t) => {
  const asked: unknown[] = [];
  const callWith = (pages: number) =>
    (async (name: string, input?: { cursor?: string }) => {
      if (name === 'balance.get') return balance;
      if (name === 'coverage.get') return { accounts: [] };
      if (name === 'notes.list') return { notes: [], next_cursor: null };
      asked.push(input);
      const page = Number(input?.cursor ?? 1);
      return { transactions: [transaction], next_cursor: page < pages ? String(page + 1) : null };
    }) as unknown as Client['call'];
  const all = await readFunds(callWith(2));
  t.is(all.transactions.length, 2);
  t.false(all.isCut);
  t.deepEqual(asked, [{ limit: 1000 }, { limit: 1000, cursor: '2' }]);
  const some = await readFunds(callWith(1_000));
  t.is(some.transactions.length, 5);
  t.true(some.isCut);
});

test('a failure is said in words, and only a wrong password has to be typed again', (t) => {
  const wrong = new CompanionError('WRONG_PASSWORD', 'The password is wrong.', { retryAfterSeconds: 1.2 });
  t.is(problemText(wrong), 'The password is wrong. Wait 2 s.');
  t.is(
    problemText(new TypeError('x is undefined')),
    'That did not work, for a reason the page does not know.',
  );
  t.deepEqual(wrongPasswords(wrong, undefined), ['current-password']);
  t.deepEqual(wrongPasswords(new Objection('Different.', 'new'), 'new-password'), ['new-password']);
  t.deepEqual(wrongPasswords(new Objection('No amount.', 'amount'), 'off'), []);
  t.deepEqual(wrongPasswords(new CompanionError('BUSY', 'Later.'), undefined), []);
});
