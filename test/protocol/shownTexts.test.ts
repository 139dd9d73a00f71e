// Texts that a caller gives and that are shown later cannot be made to read as something else.

import test from 'ava';
import fc from 'fast-check';
import { CompanionError } from '../../src/protocol/errors.ts';
import { type OperationName, parseInput } from '../../src/protocol/operations.ts';

/** By field: whether its text may have several lines, and an input with it. */
const FIELDS: readonly [string, boolean, OperationName, (text: string) => object][] = [
  ['label', false, 'labels.set', (label) => ({ diversifier_index: '0', label })],
  [
    'name of an extension',
    false,
    'pairing.request',
    (name) => ({ origin: `chrome-extension://${'a'.repeat(32)}`, name }),
  ],
  ['URL of a node', false, 'config.node_url', (text) => ({ url: `http://127.0.0.1/${encodeSpaces(text)}` })],
  ['memo of a payment', true, 'payments.prepare', (memo) => ({ address: 'u1', amount: '1', memo })],
  [
    'memo of one recipient',
    true,
    'payments.prepare',
    (memo) => ({ recipients: [{ address: 'u1', amount: '1', memo }] }),
  ],
  ['label of a request', true, 'payment_uri.create', (label) => ({ label })],
  ['message of a request', true, 'payment_uri.qr', (message) => ({ message })],
];

const encodeSpaces = (text: string): string => text.replaceAll(' ', '%20');

function refusal(name: OperationName, input: object): string | undefined {
  try {
    parseInput(name, input);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CompanionError) return thrown.message;
    throw thrown;
  }
}

const ORDINARY = [
  'Rent, flat 3',
  'שכר דירה',
  'إيجار الشقة ٣',
  'می‌خواهم',
  'क्‍ष',
  'Ho\u0302\u0301 Chi\u0301 Minh',
  '\u845b\u{e0100}\u98fe',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u{1f469}\u{1f3fd}\u200d\u{1f52c} \u2764\ufe0f\u200d\u{1f525} 1\ufe0f\u20e3',
  '\u{1f3f3}\ufe0f\u200d\u{1f308}',
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
];

/** What turns text around, what nobody sees, and what a terminal acts on. */
const HIDDEN = [
  ...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  ...'\u200b\u2060\u2063\ufeff\u00ad\u034f\u115f\u3164\uffa0\u2028\u2029\ufff9\u2800\ufffc\u{1d159}\u{e0041}\u{e01ef}',
  ...'\u0000\u0007\u001b\u007f\u0085\u009b',
];

for (const [field, hasLines, name, input] of FIELDS) {
  test(`${field}: scripts of every direction, marks and emoji are taken`, (t) => {
    for (const text of ORDINARY) t.is(refusal(name, input(text)), undefined, JSON.stringify(text));
  });

  test(`${field}: with a hidden character anywhere it is refused, and the sentence says why`, (t) => {
    const around = fc
      .array(fc.constantFrom(...ORDINARY, 'a', ' ', '1'), { maxLength: 3 })
      .map((some) => some.join(''));
    fc.assert(
      fc.property(around, fc.constantFrom(...HIDDEN), around, (before, hidden, after) => {
        const output = refusal(name, input(`${before}x${hidden}${after}`));
        return output !== undefined && /invisible|URL/.test(output) && !output.includes(hidden);
      }),
    );
    t.pass();
  });

  test(`${field}: joiners stand where they join, and nowhere else`, (t) => {
    for (const text of [
      'a\u200db',
      'Pay\u200cee',
      '\u200dx',
      '\u{1f468}\u200d',
      '\u{1f468}\u200d\u200d\u{1f469}',
      'x\ufe0f',
    ])
      t.regex(refusal(name, input(text)) ?? '', /invisible/, JSON.stringify(text));
  });

  test(`${field}: ${hasLines ? 'it may have several lines' : 'it is one line'}`, (t) => {
    for (const text of ['one\ntwo', 'one\r\ntwo', 'one\ttwo'])
      t.is(refusal(name, input(text)) === undefined, hasLines);
  });
}
