// Text of command lines and queries as input, and input as text again.

import { textOf } from '@wallet-companion/client/contract';
import test from 'ava';
import { inputFromText } from '../../src/protocol/textInput.ts';

const prepare = (entries: [string, string][]) => ({ ...inputFromText('payments.prepare', entries) });

test('a list of names has commas between them, and spaces do not matter', (t) => {
  t.deepEqual(prepare([['privacy', 'crossing_pools, unusual_fee']]), {
    privacy: ['crossing_pools', 'unusual_fee'],
  });
  t.deepEqual(prepare([['pools', 'ironwood']]), { pools: ['ironwood'] });
  t.deepEqual(prepare([['pools', '']]), {});
});

test('a list of objects is JSON; what is none stays text, to be refused by its name', (t) => {
  t.deepEqual(prepare([['recipients', '[{"address":"u1","zatoshi":5}]']]), {
    recipients: [{ address: 'u1', zatoshi: 5 }],
  });
  t.deepEqual(prepare([['recipients', '[{"address"']]), { recipients: '[{"address"' });
});

test('other fields are what they were', (t) => {
  t.deepEqual(
    prepare([
      ['zatoshi', '5'],
      ['everything', 'true'],
      ['memo', '[1,2]'],
      ['hight', '5'],
    ]),
    { zatoshi: 5, everything: true, memo: '[1,2]', hight: '5' },
  );
});

for (const [value, text] of [
  [['a', 'b'], 'a,b'],
  [[{ a: 1 }], '[{"a":1}]'],
  [5, '5'],
  [true, 'true'],
  ['a,b', 'a,b'],
] as const)
  test(`${JSON.stringify(value)} as text`, (t) => t.is(textOf(value), text));
