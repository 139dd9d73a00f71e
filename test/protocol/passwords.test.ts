// Passwords are cut out of a JSON text before it is text: what is read is what the plain reader reads, and the bytes are the password's.

import test from 'ava';
import fc from 'fast-check';
import { encodeJson, parseJsonBody } from '../../src/protocol/jsonCalls.ts';
import { parseInput } from '../../src/protocol/operations.ts';
import { withPasswordText } from '../../src/protocol/passwords.ts';

const textOf = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString();

test('a text without passwords is what JSON.parse makes of it; with one, its bytes are not in the text any more', (t) => {
  const names = fc.constantFrom('password', 'new_password', 'other', 'pass\\word', 'password ');
  const object = fc.dictionary(names, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()));
  fc.assert(
    fc.property(object, fc.nat(2), (value, indent) => {
      const json = new TextEncoder().encode(JSON.stringify(value, undefined, indent));
      const read = parseJsonBody(json) as Record<string, unknown>;
      t.deepEqual(withPasswordText(read), JSON.parse(JSON.stringify(value)));
      for (const name of ['password', 'new_password'])
        t.is(read[name] instanceof Uint8Array, typeof value[name] === 'string' && isWhole(value[name]));
      const left = JSON.parse(new TextDecoder().decode(json));
      for (const [name, given] of Object.entries(read))
        if (given instanceof Uint8Array) t.is(left[name].trim(), '');
    }),
  );
});

/** Half of a character has no UTF-8. */
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

test('bytes and text of a password are judged alike, and one password', (t) => {
  const unit = fc.oneof(
    fc.constantFrom('a', '\u0301', '\u212b', '\ufb01', '\u1100\u1161', '\ufffd', '\ufeff', '\ud83d\ude00'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  );
  const outcome = (password: unknown): unknown => {
    try {
      return withPasswordText(parseInput('wallet.unlock', { password } as never));
    } catch (error) {
      return (error as { toJSON?: () => unknown; message: string }).message;
    }
  };
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom(1, 1, 400), (parts, times) => {
      const text = parts.join('').repeat(times);
      // A text with both faults is refused for its length.
      fc.pre(times === 1 || isTyped(text));
      t.deepEqual(outcome(new TextEncoder().encode(text)), outcome(text));
    }),
  );
  t.deepEqual(outcome(new Uint8Array([0x61, 0xff])), outcome('a\ufffd'));
});

const isTyped = (text: string): boolean => isWhole(text) && !text.includes('\ufffd');

test('escapes are read, where they are characters; only members of the outermost object are cut', (t) => {
  const read = (json: string) => parseJsonBody(new TextEncoder().encode(json)) as Record<string, unknown>;
  const { password } = read('{"a":{"password":"in"},"password" :\n"\\u0061\\"\\\\\\/\\ud83d\\ude00\\u00e9"}');
  t.is(textOf(password), 'a"\\/\u{1f600}\u00e9');
  t.deepEqual(read('{"a":{"password":"in"}}'), { a: { password: 'in' } });
  t.deepEqual(read('{"password":"\\ud83d"}'), { password: '\ud83d' });
  for (const json of ['{"password":"\\x"}', '{"password":"\\u00g0"}', '{"password":"\n"}', '{"password":"a'])
    t.throws(() => read(json), { message: /not a complete JSON object/ }, json);
  t.throws(() => read('{"password":"a","password":"b"}'), { message: /a name twice/ });
  t.is(textOf(encodeJson({ a: 1 })), '{"a":1}');
});
