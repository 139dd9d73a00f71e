// Documents of price sources that are right or wrong.

import test from 'ava';
import { readQuote } from '../../src/protocol/prices.ts';

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
