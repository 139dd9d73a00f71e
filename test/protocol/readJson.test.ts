import test from 'ava';
import fc from 'fast-check';
import { readJson } from '../../src/protocol/readJson.ts';

test('a name twice in one object is seen, however it is written', (t) => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1 , "\\u0061" : 2}',
    '[{"b":{"a":"{","x":[],"a":1}}]',
    '{"\\\\":1,"\\\\":2}',
    '{"a\\"":1,"b":"\\\\","a\\"":1}',
  ])
    t.throws(() => readJson(text), { message: /twice/ }, text);
});

test('the same name in different objects, and as a value, is none', (t) => {
  for (const text of [
    '{"a":{"a":1},"b":["a","a"],"c":{"a":"a"}}',
    '[]',
    '{"a":"\\"a\\":1,"}',
    '{"\\\\":"\\\\\\""}',
  ])
    t.deepEqual(readJson(text), JSON.parse(text), text);
});

test('whatever JSON writes is read as it is, unless a name is put in twice', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      for (const indent of [0, 2]) {
        const text = JSON.stringify(value, null, indent);
        t.deepEqual(readJson(text), JSON.parse(text));
        const [name] = Object.keys(value);
        t.throws(() => readJson(`${text.trimEnd().slice(0, -1)},${JSON.stringify(name)}:0}`));
      }
    }),
  );
});

test('a number that a double does not hold is read as none, and every other one as it is', (t) => {
  for (const number of [
    '9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '0.10000000000000000555',
    '12345678901234567168',
  ])
    t.deepEqual(readJson(`{"a":["${number}",[${number}] ,{"b":${number}}],"c":1}`), {
      a: [number, [Number.POSITIVE_INFINITY], { b: Number.POSITIVE_INFINITY }],
      c: 1,
    });
  for (const number of [
    '9007199254740992',
    '1.10',
    '-0.0',
    '0e7',
    '12e-1',
    '1E+2',
    '100000000000000000000000',
    '5e-324',
  ])
    t.deepEqual(readJson(`[${number}]`), [Number(number)], number);
});
