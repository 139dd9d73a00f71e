import { FormatError } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { noMemo, parseMemo, textMemo } from '../../src/zcash/notes/memo.ts';

const memoOf = (...bytes: number[]): Uint8Array => {
  const memo = new Uint8Array(512);
  memo.set(bytes);
  return memo;
};

test('f6 and zeros are an empty memo', (t) => {
  t.deepEqual(parseMemo(noMemo()), { kind: 'none' });
});

test('texts come back, whatever their content', (t) => {
  fc.assert(
    fc.property(fc.string({ maxLength: 120, unit: 'grapheme' }), (text) => {
      const bytes = new TextEncoder().encode(text);
      fc.pre(bytes.length <= 512 && bytes.at(-1) !== 0);
      const memo = parseMemo(textMemo(text));
      return memo.kind === 'text' && memo.text === text;
    }),
  );
  t.deepEqual(parseMemo(memoOf()), { kind: 'text', text: '' });
  t.deepEqual(parseMemo(memoOf(0xf4, 0x8f, 0xbf, 0xbf)), { kind: 'text', text: '\u{10ffff}' });
});

test('a text that fills the memo is not cut', (t) => {
  t.deepEqual(parseMemo(textMemo('x'.repeat(512))), { kind: 'text', text: 'x'.repeat(512) });
  t.throws(() => textMemo('x'.repeat(513)), { instanceOf: FormatError });
  t.throws(() => textMemo('é'.repeat(257)), { instanceOf: FormatError });
});

test('a byte order mark stays in the text', (t) => {
  t.deepEqual(parseMemo(memoOf(0xef, 0xbb, 0xbf, 0x41)), { kind: 'text', text: '\ufeffA' });
});

test('ff is followed by 511 bytes of data', (t) => {
  const memo = memoOf(0xff, 1, 2);
  t.deepEqual(parseMemo(memo), { kind: 'binary', bytes: memo.subarray(1) });
});

for (const [title, memo] of [
  ['f5', memoOf(0xf5, 1)],
  ['f6 with content', memoOf(0xf6, 0, 1)],
  ['f7', memoOf(0xf7)],
  ['fe', memoOf(0xfe)],
  ['text that is not UTF-8', memoOf(0x41, 0xc3, 0x28)],
  ['a lone continuation byte', memoOf(0x80)],
] as const) {
  test(`${title} is shown as bytes`, (t) => {
    t.deepEqual(parseMemo(memo), { kind: 'unknown', bytes: memo });
  });
}

test('a memo has 512 bytes', (t) => {
  t.throws(() => parseMemo(new Uint8Array(511)), { instanceOf: FormatError });
});
