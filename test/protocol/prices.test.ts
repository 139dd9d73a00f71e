// Documents of price sources that are right or wrong.

import test from 'ava';
import { readDayRates, readQuote } from '../../src/protocol/prices.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const TIME = '2026-11-29T12:00:00Z';

test('both documented forms of a quote are read, digit by digit', (t) => {
  const own = { time: TIME, source: 'desk', prices: { EUR: '412.3700000001', JPY: 60123 } };
  t.deepEqual(readQuote(JSON.stringify(own), NOW), {
    quote: { time: NOW, source: 'desk', prices: { EUR: '412.3700000001', JPY: '60123' } },
  });
  const theirs = `{"zcash": {"eur": 412.37, "usd": 431.2, "last_updated_at": ${NOW / 1000 - 60}}}`;
  t.deepEqual(readQuote(theirs, NOW), {
    quote: { time: NOW - 60_000, source: 'coingecko', prices: { EUR: '412.37', USD: '431.2' } },
  });
});

test('a quote with anything wrong in it is refused whole', (t) => {
  const good = { time: TIME, source: 'desk', prices: { EUR: '1' } };
  t.truthy(readQuote(JSON.stringify(good), NOW).quote);
  for (const [what, changed] of [
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no prices', { ...good, prices: {} }],
    ['a price of nothing', { ...good, prices: { EUR: '412', USD: '0' } }],
    ['a negative one', { ...good, prices: { EUR: -1 } }],
    ['a huge one', { ...good, prices: { EUR: '1000000000000' } }],
    ['an exponent', { ...good, prices: { EUR: 1e21 } }],
    ['too many decimals', { ...good, prices: { EUR: '1.00000000001' } }],
    ['no number', { ...good, prices: { EUR: null } }],
    ['a currency in small letters', { ...good, prices: { eur: '1' } }],
    ['the future', { ...good, time: '2026-11-29T12:02:01Z' }],
    ['no time', { source: 'desk', prices: { EUR: '1' } }],
    ['a day alone', { ...good, time: '2026-11-29' }],
    ['a hidden source', { ...good, source: '\u202edesk' }],
    ['no time of the other form', { zcash: { eur: 1 } }],
    ['a wrong price of the other form', { zcash: { eur: -1, last_updated_at: NOW / 1000 } }],
  ] as const) {
    const read = readQuote(typeof changed === 'string' ? changed : JSON.stringify(changed), NOW);
    t.is(read.quote, undefined, what);
    t.is(typeof read.problem, 'string', what);
  }
});

test('rates of days are read line by line, and none of a file with anything wrong in it', (t) => {
  const head = 'date,currency,rate\n';
  const good = `${head}2026-03-01,USD,431.2\r\n2026-03-01,EUR,412.37\n2024-02-29,EUR,0.0000000001\n`;
  const { days } = readDayRates(`\ufeff${good}`);
  t.is(days?.currency, 'USD');
  t.deepEqual(
    [...(days?.rates ?? [])],
    [
      ['USD 2026-03-01', '431.2'],
      ['EUR 2026-03-01', '412.37'],
      ['EUR 2024-02-29', '0.0000000001'],
    ],
  );
  for (const [what, text, problem] of [
    ['no heading', '2026-03-01,EUR,1\n', 'the first line'],
    ['nothing', '', 'the first line'],
    ['the heading alone', head, 'no rates'],
    ['a day twice', `${good}2026-03-01,EUR,412.37`, 'line 5 repeats'],
    ['a gap', `${head}2026-03-01,EUR,1\n\n2026-03-02,EUR,1`, 'line 3 is'],
    ['no day of the calendar', `${head}2025-02-29,EUR,1`, 'line 2 is'],
    ['a time', `${head}2025-02-01T00:00:00Z,EUR,1`, 'line 2 is'],
    ['small letters', `${head}2025-02-01,eur,1`, 'line 2 is'],
    ['nothing as a price', `${head}2025-02-01,EUR,0`, 'line 2 is'],
    ['no price', `${head}2025-02-01,EUR,`, 'line 2 is'],
    ['a decimal comma', `${head}2025-02-01,EUR,1,5`, 'line 2 is'],
    ['an exponent', `${head}2025-02-01,EUR,1e3`, 'line 2 is'],
  ] as const) {
    const read = readDayRates(text);
    t.is(read.days, undefined, what);
    t.true(read.problem?.includes(problem), `${what}: ${read.problem}`);
  }
});
