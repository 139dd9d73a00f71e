// What the pages compute: amounts, histories, coverage and codes, without a browser.

import { type Client, CompanionError, type Output, type Progress } from '@wallet-companion/client';
import { DEFAULT_CONFIRMATIONS } from '@wallet-companion/pczt/spending';
import test from 'ava';
import fc from 'fast-check';
import { Formats } from '../src/model/amounts.ts';
import { balanceSentence } from '../src/model/balance.ts';
import { typedBirthday } from '../src/model/birthday.ts';
import { lightsOf, SOURCES } from '../src/model/blockSource.ts';
import {
  BAR_WIDTH,
  barsOf,
  blocksOf,
  coverageTexts,
  type Reach,
  scannedPart,
  stretches,
  withProgress,
} from '../src/model/coverage.ts';
import {
  CONFIRMATIONS,
  type Note,
  noteWaits,
  readFunds,
  waitingText,
  waitingZatoshi,
} from '../src/model/funds.ts';
import {
  consentsNamed,
  leftAfter,
  leftText,
  missingText,
  type Payment,
  paymentWaits,
  pcztText,
  possible,
  shownText,
  signerWaitsText,
  stateRows,
  statusText,
  stepOf,
} from '../src/model/payments.ts';
import { hashOf, placeIn } from '../src/model/place.ts';
import { fieldsOf, Objection, problemText, wrongPasswords } from '../src/model/problems.ts';
import { qrOutline } from '../src/model/qrCode.ts';
import { estimateText, followText, syncText } from '../src/model/syncText.ts';
import { balanceHistory, kindOf, matches } from '../src/model/transactions.ts';
import { byYear } from '../src/model/years.ts';
import { payTexts } from '../src/texts/pay.ts';
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

test('the header has the light of the source that is used, and of both while none is chosen', (t) => {
  const servers = { node: { state: 'lost' }, compact_server: { state: 'up' } } as Output<'system.status'>;
  t.deepEqual(lightsOf(servers, 'compact'), [['Compact server', 'up']]);
  t.deepEqual(lightsOf(servers, 'node'), [['Node', 'lost']]);
  const peers = { ...servers.peers, state: 'connecting' } as const;
  t.deepEqual(lightsOf({ ...servers, peers }, 'peers'), [['Peers', 'lost']]);
  t.deepEqual(
    lightsOf(servers, 'auto').map(([name]) => name),
    ['Node', 'Compact server'],
  );
  t.deepEqual([...SOURCES], ['auto', 'compact', 'node', 'peers']);
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

test('money is read with its sign or code, or in the usual currency, and shown with all its decimals', (t) => {
  const german = new Formats('de');
  const read = (text: string, usual?: string) => german.typedMoney(text, ['EUR', 'USD', 'JPY'], usual);
  const euros = { amount: '12.50', currency: 'EUR' };
  for (const text of ['12,50 €', '€12,50', 'EUR 12,50', '12.50 eur', ' 12,50€ '])
    t.deepEqual(read(text), euros, text);
  t.deepEqual(read('12,50', 'EUR'), euros);
  t.deepEqual(read('$ 54,10', 'EUR'), { amount: '54.10', currency: 'USD' });
  for (const text of ['12,50', '12,50 £', '€ 12,50 €', '1.250,00 €', '-3 €', '€', '12,50 ZEC'])
    t.is(read(text), undefined, text);
  // Several currencies have this sign: the usual one is meant, else the one that has it alone here.
  const dollars = (text: string, currencies: string[], usual: string) =>
    new Formats('en-US').typedMoney(text, currencies, usual)?.currency;
  t.is(dollars('$10', ['CAD', 'USD'], 'USD'), 'USD');
  t.is(dollars('$10', ['CAD', 'USD'], 'CAD'), 'CAD');
  t.is(dollars('$10', ['AUD', 'CAD', 'USD', 'EUR'], 'EUR'), 'USD');
  t.is(dollars('$10', ['AUD', 'EUR'], 'EUR'), 'AUD');
  t.is(dollars('$10', ['AUD', 'CAD', 'EUR'], 'EUR'), undefined);
  t.is(german.money('412.3700001', 'EUR'), '412,3700001\u00a0€');
  t.is(german.money('50', 'EUR'), '50,00\u00a0€');
  t.is(new Formats('en').money('999999999999.99', 'USD'), '$999,999,999,999.99');
});

test('a day of a chart is as exact as the days around it are apart', (t) => {
  const day = 86_400;
  const labels = [365 * day, 31 * day, 7 * day, 3_600].map((step) =>
    english.date(Date.UTC(2026, 1, 3), step),
  );
  t.deepEqual(labels, ['2026', 'Feb 2026', 'Feb 3', '12:00 AM']);
});

test('a chart line has only the digits that distinguish it from the next one, and a text no faint zeros', (t) => {
  t.is(english.axis(150_000_000, 50_000_000), '1.5');
  t.is(english.axis(300_000_000, 100_000_000), '3');
  t.is(english.amountText(150_000_000), '1.50\u00a0ZEC');
  t.is(english.day('2026-02-03T12:00:00Z'), 'Feb 3, 2026');
  t.is(new Formats('de').example(), '1,25');
});

test('a duration is no more exact than an estimate can be', (t) => {
  const texts = [4, 7, 90, 3 * 3_600, 48 * 3_600].map((seconds) => english.about(seconds));
  t.deepEqual(texts, [
    'a few seconds',
    'about 10 seconds',
    'about 2 minutes',
    'about 3 hours',
    'about 2 days',
  ]);
  t.is(english.counted(1, 'note'), '1 note');
});

test('a part is all only when it is all', (t) => {
  t.is(english.percent(0.99999), '99.9%');
  t.is(english.percent(1), '100%');
});

test('a balance without a scan is unknown, and one with gaps is marked as incomplete', (t) => {
  const complete = { ...balance, complete: true, missing_ranges: [] };
  t.notRegex(balanceSentence({ ...balance, as_of_height: null }, 5, true, english), /\d/);
  t.regex(balanceSentence(balance, null, true, english), /11 blocks not scanned yet/);
  t.regex(balanceSentence(complete, 1_000_051, true, english), /2 blocks not scanned yet/);
  t.regex(balanceSentence(complete, 1_000_049, true, english), /Every block/);
});

test('funds in Orchard are shown apart', (t) => {
  const words = /0\.005\sZEC of it lies in Orchard, a pool that only drains/;
  t.regex(balanceSentence({ ...balance, withdraw_only_zatoshi: 500_000 }, null, true, english), words);
  t.notRegex(balanceSentence({ ...balance, withdraw_only_zatoshi: 0 }, null, true, english), /Orchard/);
});

test('a balance on the word of a compact server alone says so, until a node that is set has verified it', (t) => {
  const words = /compact server's word/;
  t.regex(balanceSentence({ ...balance, verified_with: null }, null, true, english), words);
  t.notRegex(balanceSentence({ ...balance, verified_with: null }, null, false, english), words);
  t.notRegex(balanceSentence({ ...balance, verified_with: 'node' }, null, true, english), words);
  t.notRegex(balanceSentence({ ...balance, as_of_height: null }, null, true, english), words);
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
  t.deepEqual(
    points.slice(1).map(({ height }) => height),
    Array(3).fill(transaction.height),
  );
  t.is(points[0]?.height, undefined);
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

test('what was scanned and what was not is described stretch by stretch, lowest first', (t) => {
  const stretch = (from: number, to: number, verified_with: 'node' | null) =>
    ({ start_height: from, end_height: to, start_hash: null, end_hash: null, verified_with }) as const;
  const hole = { start_height: 30, end_height: 39, start_date: '2026-02-03', end_date: '2026-02-04' };
  const account = {
    scanned: [stretch(1_000, 2_000, 'node'), stretch(40, 999, null)],
    missing: [hole, { ...hole, start_height: 1, end_height: 2, end_date: null }],
  } as unknown as Parameters<typeof coverageTexts>[0];
  t.deepEqual(coverageTexts(account, english), [
    'Blocks 1 to 2: not scanned yet.',
    'Blocks 30 to 39 (Feb 3, 2026 to Feb 4, 2026): not scanned yet.',
    'Blocks 40 to 999: scanned on the word of a compact server alone.',
    'Blocks 1,000 to 2,000: scanned, each linked to the one below by its hash.',
  ]);
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

test('nothing looks final before the wallet would spend it', (t) => {
  t.deepEqual(CONFIRMATIONS, DEFAULT_CONFIRMATIONS);
  t.is(waitingText(1, true, 1), '1 of 3 confirmations');
  t.is(waitingText(3, true, 1), undefined);
  t.is(waitingText(3, false, 1), '3 of 10 confirmations');
  t.is(waitingText(10, false, 1), undefined);
  t.is(waitingText(10, true, 20), '10 of 20 confirmations');
  const note = { scope: 'external', confirmations: 9, value_zatoshi: 5, spent: null } as Note;
  t.is(noteWaits({ ...note, scope: 'internal' }, 1), undefined);
  t.is(
    waitingZatoshi([note, { ...note, confirmations: 10 }, { ...note, spent: { txid: '', height: 1 } }], 1),
    5,
  );
  const mined = { status: 'mined', confirmations: 1 } as Payment;
  t.is(paymentWaits(mined, 1), '1 of 3 confirmations');
  t.is(paymentWaits({ ...mined, confirmations: 4 }, 1), '4 of 5 confirmations');
  t.is(paymentWaits({ ...mined, status: 'confirmed' }, 9), undefined);
});

test('a payment is at one step at a time, and at none when it is over unpaid', (t) => {
  const missing = [{ pool: 'orchard', signatures: 1, proofs: false, signer_keys: false }] as const;
  const payment = { status: 'prepared', missing } as unknown as Payment;
  t.is(stepOf(undefined, false), 0);
  t.is(stepOf(payment, false), 1);
  t.is(stepOf(payment, true), 2);
  t.is(stepOf({ ...payment, status: 'complete', missing: [] }, true), 3);
  for (const status of ['sent', 'in_mempool', 'mined'] as const)
    t.is(stepOf({ ...payment, status }, true), 4);
  t.is(stepOf({ ...payment, status: 'confirmed' }, true), 5);
  for (const status of ['expired', 'conflicted', 'lost_note', 'discarded'] as const)
    t.is(stepOf({ ...payment, status }, true), undefined, status);
});

const prepared = {
  status: 'prepared',
  missing: [],
  last_sent: null,
  mined_height: null,
  confirmations: 0,
  expires_at: '2026-02-03T12:00:00Z',
  last_height: 1_000_100,
  fee_zatoshi: 10_000,
  waits_for: null,
  inputs: [],
  payments: [{ amount_zatoshi: 100_000 }, { amount_zatoshi: 40_000 }],
} as unknown as Payment;
const lacks = (signatures: number, proofs: boolean, signer_keys: boolean) =>
  ({ ...prepared, missing: [{ pool: 'orchard', signatures, proofs, signer_keys }] }) as unknown as Payment;

test('a payment offers what its state lets be done', (t) => {
  const nothing = { signing: false, proving: false, sending: false, discarding: false };
  const open = { ...nothing, discarding: true };
  t.deepEqual(possible(lacks(1, false, false)), { ...open, signing: true });
  t.deepEqual(possible(lacks(0, false, true)), { ...open, signing: true });
  t.deepEqual(possible(lacks(0, true, false)), { ...open, proving: true });
  t.deepEqual(possible({ ...prepared, status: 'complete' }), { ...open, sending: true });
  t.deepEqual(possible({ ...prepared, status: 'sent' }), { ...nothing, sending: true });
  t.deepEqual(possible({ ...lacks(1, true, false), status: 'mined' }), nothing);
  const sent = { source: 'node', outcome: 'refused', detail: null } as Payment['last_sent'];
  t.deepEqual(possible({ ...prepared, status: 'lost_note' }), open);
  t.deepEqual(possible({ ...prepared, status: 'lost_note', last_sent: sent }), nothing);
});

test('what is missing is named while the payment is open', (t) => {
  t.deepEqual(missingText(lacks(2, true, false), english), ['orchard: 2 signatures, proofs']);
  t.deepEqual(missingText(lacks(1, false, true), english), [
    'orchard: 1 signature, a key that the signer has: it goes there once more',
  ]);
  t.deepEqual(missingText({ ...lacks(2, true, false), status: 'expired' }, english), []);
});

test('the funds left after a payment are shown while the payment lies ahead', (t) => {
  t.is(leftAfter(prepared, 1_000_000), 850_000);
  t.is(leftAfter(prepared, undefined), undefined);
  t.is(leftAfter({ ...prepared, status: 'mined', mined_height: 5 }, 1_000_000), undefined);
  t.is(leftAfter({ ...prepared, status: 'discarded' }, 1_000_000), undefined);
  const left = (payments: number) => leftText({ left: { payments, zatoshi: 150_000_000 } }, english);
  t.is(left(2), '1.50\u00a0ZEC did not fit into one transaction: it takes 2 more payments.');
  t.is(left(0), undefined);
  t.is(leftText({ left: null }, english), undefined);
});

test('what a payment makes public is shown before it is approved', (t) => {
  const shown = (fields: object) =>
    shownText(
      {
        pool: null,
        address: null,
        amount_zatoshi: 150_000_000,
        ...fields,
      } as Payment['becomes_public'][number],
      english,
    ).replaceAll('\u00a0', ' ');
  const crossing = { consent: 'crossing_pools' };
  t.is(shown({ ...crossing, pool: 'orchard' }), 'That 1.50 ZEC leave orchard.');
  t.is(shown({ ...crossing, amount_zatoshi: -150_000_000 }), 'That 1.50 ZEC enter the shielded pools.');
  t.is(shown({ consent: 'transparent_recipients', address: 't1x' }), 'That 1.50 ZEC go to t1x.');
  t.is(shown({ consent: 'transparent_recipients' }), 'That 1.50 ZEC go to a transparent address.');
  t.is(shown({ consent: 'unusual_fee' }), 'That the fee is 1.50 ZEC above the usual one.');
});

test('the state of a payment names its block or its last one, and the answer of the server', (t) => {
  const rows = (more: object) =>
    stateRows({ ...prepared, ...more } as Payment, 1, english).map((row) =>
      row.join(': ').replaceAll('\u202f', ' '),
    );
  const until = 'Can be mined until: Block 1,000,100, about Feb 3, 2026, 12:00 PM';
  t.deepEqual(rows({}), [until]);
  t.deepEqual(rows({ expires_at: null }), []);
  const mined = { status: 'mined', mined_height: 1_000_003, confirmations: 2 };
  t.deepEqual(rows(mined), ['Mined: Block 1,000,003, 2 of 3 confirmations']);
  t.deepEqual(rows({ ...mined, status: 'confirmed', confirmations: 5 }), [
    'Mined: Block 1,000,003, 5 confirmations',
  ]);
  const sent = (source: string, outcome: string, detail: string | null) =>
    rows({ expires_at: null, last_sent: { source, outcome, detail } });
  t.deepEqual(sent('node', 'accepted', null), ['Sent: The node has taken it.']);
  t.deepEqual(sent('compact', 'refused', 'full.'), [
    'Sent: The compact server has refused it. It said: full.',
  ]);
  t.deepEqual(sent('node', 'unanswered', null), [
    'Sent: The node has not answered, and may have it all the same.',
  ]);
});

test('what an allowance signer waits for is named, with the time it goes on', (t) => {
  const waiting = (waits_for: Payment['waits_for']) => ({ ...prepared, waits_for }) as Payment;
  const delayed = waiting({ kind: 'delay', until: '2026-02-03T12:00:00Z' });
  const text = (payment: Payment) => signerWaitsText(payment, english)?.replaceAll('\u202f', ' ');
  t.is(text(delayed), 'Waits until Feb 3, 2026, 12:00 PM as the signer wants');
  t.regex(text(waiting({ kind: 'confirmation', until: null }))!, /Waits for a yes/);
  t.is(text(waiting(null)), undefined);
  t.is(statusText(waiting(null), english), 'Waits for signatures or proofs');
  t.is(stateRows(delayed, 1, english).at(-1)![0], 'Signer');
});

test('a PCZT is read from its bytes and from base64, and no other file is one', (t) => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  t.is(pcztText(bytes('PCZT\u0001')), btoa('PCZT\u0001'));
  t.is(pcztText(bytes(' UENaVAEA\nAAA=\n')), 'UENaVAEAAAA=');
  for (const other of ['', 'UENa', 'no PCZT, but a text', '{"a":1}'])
    t.is(pcztText(bytes(other)), undefined, other);
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
  const refusal = (...consents: string[]) =>
    new CompanionError('CONSENT_NEEDED', 'Nobody needs transparent_recipients.', { consents });
  t.deepEqual(consentsNamed(refusal('unusual_fee', 'crossing_pools')), ['crossing_pools', 'unusual_fee']);
  t.deepEqual([...consentsNamed(refusal())], Object.keys(payTexts().consents));
});

test('an address names a page, and a wallet where it is not the default one', (t) => {
  for (const hash of ['#/', '#/activity', '#savings/', '#savings/pay', '#/pay/0f'])
    t.is(hashOf(placeIn(hash)), hash);
  t.deepEqual(placeIn('#savings/pay'), { wallet: 'savings', page: 'pay' });
  t.deepEqual(placeIn(''), { wallet: undefined, page: '' });
  // They could become a part of another path.
  for (const hash of ['#../', '#a%2Fb/', '#default/', '#con/', '#A/'])
    t.is(placeIn(hash).wallet, undefined, hash);
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

const follow = {
  enabled: true,
  source: 'node',
  verifies_with: 'node',
  keep_open: false,
  state: 'scanning',
  last_tip_height: 200,
  last_new_block_at: null,
  next_look_at: null,
  failure: null,
} as const;

test('a scan says what is left, and why the last one failed', (t) => {
  const scan = { reach, sync: idle, follow: undefined, progress: undefined };
  t.deepEqual(syncText(scan, english), {
    part: 0.5,
    state: '100 blocks not scanned yet.',
    rate: '',
    problem: '',
  });
  t.is(syncText({ ...scan, reach: undefined }, english).state, 'Reading\u2026');
  t.is(syncText({ ...scan, reach: { ...reach, top: null } }, english).state, 'Nothing has been scanned yet.');
  const failed = { at: '2026-01-02T03:04:05Z', detail: 'The node is gone.' };
  const sync = { ...idle, last_error: failed } as Output<'sync.status'>;
  const text = 'The last scan failed (Jan 2, 2026, 3:04 AM): The node is gone.';
  t.is(syncText({ ...scan, sync }, english).problem, text);
  const failure = { ...failed, code: 'UPSTREAM_UNAVAILABLE' };
  t.is(syncText({ ...scan, follow: { ...follow, state: 'backing_off', failure } }, english).problem, text);
});

const progress = {
  blocks_per_second: 10,
  outputs_per_second: 3,
  received_bytes_per_second: 0,
  bounded_by: null,
  work_eta_seconds: null,
} as unknown as Progress;

test('a scan of the companion goes on between its requests, by its work, and tells no time that it does not know', (t) => {
  const sync = { ...idle, work_done: 30, work_total: 300 };
  const between = syncText({ reach, sync, follow, progress: undefined }, english);
  t.like(between, { part: 0.1, state: 'Scanning: 10%, 100 blocks to go.', rate: '', problem: undefined });
  // The work is an estimate, and its end is not that of the blocks.
  const worked = { ...idle, work_done: 300, work_total: 300 };
  const late = syncText({ reach, sync: worked, follow, progress: undefined }, english);
  t.is(late.state, 'Scanning: 99.9%, 100 blocks to go.');
  const all = syncText(
    { reach: { ...reach, top: 200, tip: 200 }, sync: worked, follow, progress: undefined },
    english,
  );
  t.regex(all.state, /^Scanning: all known blocks are read/);
  const rate = (one: object): string =>
    syncText({ reach, sync, follow, progress: { ...progress, ...one } }, english).rate ?? '';
  t.is(rate({}), '10 blocks and 3 outputs a second.');
  t.is(rate({ work_eta_seconds: 600 }), '10 blocks and 3 outputs a second. About 10 minutes left.');
});

test('the page says how long a scan goes on without it', (t) => {
  t.regex(followText(undefined, 900, english), /^A scan goes up to the newest block.*until you stop it/);
  t.regex(
    followText(follow, 900, english),
    /with this page closed too, until the wallet locks itself: after 15 minutes/,
  );
  t.regex(followText({ ...follow, keep_open: true }, 900, english), /with this page closed too\./);
  t.regex(followText(follow, 0, english), /with this page closed too\./);
  t.regex(followText({ ...follow, state: 'caught_up' }, 0, english), /^Up to date\./);
  const next_look_at = '2026-01-02T03:04:05Z';
  t.regex(
    followText({ ...follow, state: 'backing_off', next_look_at }, 0, english),
    /^The next try is at Jan 2/,
  );
});

test('an open wallet is read page by page, and what was left out is reported', async (t) => {
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

test('a failure names the fields of the form that it is about', (t) => {
  const invalid = (path: string) =>
    new CompanionError('INVALID_REQUEST', 'No.', { errors: [{ path, message: 'no' }] });
  t.deepEqual(fieldsOf(new Objection('No amount.', 'amount')), ['amount']);
  t.deepEqual(fieldsOf(invalid('recipients.0.address')), ['address', 'to']);
  t.deepEqual(fieldsOf(invalid('zatoshi')), ['zatoshi', 'amount']);
  t.deepEqual(fieldsOf(new CompanionError('INVALID_MNEMONIC', 'No.')), ['secret']);
  t.deepEqual(fieldsOf(new CompanionError('INSUFFICIENT_FUNDS', 'No.')), ['amount']);
  t.deepEqual(fieldsOf(new CompanionError('BUSY', 'Later.')), []);
});

test('an estimate shows what a scan will take before it begins', (t) => {
  const estimate = { blocks: 1_000, megabytes: 2.1, seconds: 600 } as Output<'sync.estimate'>;
  t.regex(estimateText(estimate, english), /^1,000 blocks to read, 3 MB to receive: about 10 minutes of/);
  t.regex(estimateText({ ...estimate, megabytes: null }, english), /^1,000 blocks to read: about/);
});

test('a failure names no field by the name that programs use', (t) => {
  const errors = [{ path: 'node_url', message: 'must be an address' }];
  const bad = new CompanionError('INVALID_URL', 'node_url must be an address.', { errors });
  t.is(problemText(bad), 'Must be an address.');
});

test('a failure is described in words, and only a wrong password has to be typed again', (t) => {
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
