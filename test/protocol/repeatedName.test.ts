import test from 'ava';
import fc from 'fast-check';
import { hasRepeatedName } from '../../src/protocol/repeatedName.ts';

test('a name twice in one object is seen, however it is written', (t) => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1 , "\\u0061" : 2}',
    '[{"b":{"a":"{","x":[],"a":1}}]',
    '{"\\\\":1,"\\\\":2}',
    '{"a\\"":1,"b":"\\\\","a\\"":1}',
  ])
    t.true(hasRepeatedName(text), text);
});

test('the same name in different objects, and as a value, is none', (t) => {
  for (const text of [
    '{"a":{"a":1},"b":["a","a"],"c":{"a":"a"}}',
    '[]',
    '{"a":"\\"a\\":1,"}',
    '{"\\\\":"\\\\\\""}',
  ])
    t.false(hasRepeatedName(text), text);
});

test('whatever JSON writes has no name twice, unless one is put in', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      for (const indent of [0, 2]) {
        const text = JSON.stringify(value, null, indent);
        t.false(hasRepeatedName(text));
        const [name] = Object.keys(value);
        t.true(hasRepeatedName(`${text.trimEnd().slice(0, -1)},${JSON.stringify(name)}:0}`));
      }
    }),
  );
});
