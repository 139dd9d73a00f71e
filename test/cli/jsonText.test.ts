import assert from 'node:assert/strict';
import test from 'ava';
import fc from 'fast-check';
import { jsonText } from '../../src/cli/jsonText.ts';

test('it is the same value, without a character that the terminal may act on', (t) => {
  const texts = fc.string({ unit: 'binary', maxLength: 40 });
  fc.assert(
    fc.property(fc.dictionary(texts, texts), (value) => {
      const text = jsonText(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.ok(!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text.slice(0, -1)));
    }),
  );
  t.pass();
});

test('a memo cannot move the cursor or turn the line around', (t) => {
  const memo = '\u009b2J \u007f \u202eevil\u2066 \u{e0041} \u2028';
  t.is(jsonText({ memo }), '{"memo":"\\u009b2J \\u007f \\u202eevil\\u2066 \\udb40\\udc41 \\u2028"}\n');
});
