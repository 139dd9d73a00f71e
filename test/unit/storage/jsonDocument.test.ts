import { runs } from '@wallet-companion/base/test/atLength';
import { JsonDocument, JsonDocumentError } from '@wallet-companion/disk/json';
import test from 'ava';
import fc from 'fast-check';

const values = (document: JsonDocument): Record<string, unknown> =>
  Object.fromEntries([...document.members].map(([key, { value }]) => [key, value]));

const lineOfFault = (text: string): number | undefined => {
  try {
    JsonDocument.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof JsonDocumentError) return error.line;
    throw error;
  }
};

test('reads what JSON.parse reads, for every object', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(4), (object, indent) => {
      const text = JSON.stringify(object, null, indent);
      t.deepEqual(values(JsonDocument.parse(text)), JSON.parse(text));
    }),
  );
});

test('refuses what JSON.parse refuses, for every small damage to a document', (t) => {
  const text = JSON.stringify(
    { a: [1, -2.5e3, 'x"\\u0041', null, true], b: { c: {}, d: [] }, e: false },
    null,
    1,
  );
  fc.assert(
    fc.property(
      fc.nat(text.length),
      fc.nat(2),
      fc.stringMatching(/^[{}[\]",:\\0-9a-fnrtul.eE+\- \n\t]{0,3}$/),
      (at, removed, inserted) => {
        const damaged = text.slice(0, at) + inserted + text.slice(at + removed);
        let parsed: unknown;
        try {
          parsed = JSON.parse(damaged);
        } catch {
          t.not(lineOfFault(damaged), undefined, damaged);
          return;
        }
        const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
        if (!isObject) t.not(lineOfFault(damaged), undefined, damaged);
        else if (lineOfFault(damaged) === undefined) t.deepEqual(values(JsonDocument.parse(damaged)), parsed);
        else t.throws(() => JsonDocument.parse(damaged), { message: /stands twice/ });
      },
    ),
    { numRuns: runs(300, 3000) },
  );
});

test('says the line of the fault', (t) => {
  t.is(lineOfFault('{\n  "a": 1,\n  "b": 2,\n}'), 4);
  t.is(lineOfFault('{\n  "a": 1\n  "b": 2\n}'), 3);
  t.is(lineOfFault('{\r\n"a": tru\r\n}'), 2);
  t.is(lineOfFault('{"a": "unfinished\n}'), 1);
  t.is(lineOfFault('\n\n[]'), 3);
  t.is(lineOfFault('{}\n{}'), 2);
  t.is(lineOfFault('{\n"a": 1,\n"b": 1,\n"a": 2}'), 4);
  t.is(lineOfFault(''), 1);
});

test('a member knows the line of its key', (t) => {
  const { members } = JsonDocument.parse('{ "a": 1,\n\n"b":\n2, "c": {"a": 1}}');
  t.deepEqual(
    [...members].map(([key, { line }]) => [key, line]),
    [
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ],
  );
});

test('deep nesting and long strings end quickly', (t) => {
  t.throws(() => JsonDocument.parse(`{"a":${'['.repeat(1e5)}`), { message: /too deeply/ });
  t.throws(() => JsonDocument.parse(`{"a":"${'\\\\'.repeat(2e5)}`), { message: /complete string/ });
  t.is(JsonDocument.parse(`{"a":"${'x\\n'.repeat(2e5)}"}`).members.size, 1);
});

test('a change touches its member and nothing else of the text', (t) => {
  const text = '{ "big": 12345678901234567890,\n\t"theme" : "dark"  ,"x":[ 1,2 ] }\n';
  const changed = JsonDocument.parse(text).with(new Map<string, unknown>([['theme', 'light']]));
  t.is(changed.text, '{ "big": 12345678901234567890,\n\t"theme" : "light"  ,"x":[ 1,2 ] }\n');
});

test('a new member goes to the end', (t) => {
  const added = (text: string): string => JsonDocument.parse(text).with(new Map([['n', 1]])).text;
  t.is(added('{}\n'), '{\n  "n": 1\n}\n');
  t.is(added('{\n  "a": 1\n}\n'), '{\n  "a": 1,\n  "n": 1\n}\n');
  t.is(added('{"a": 1}'), '{"a": 1,\n  "n": 1\n}');
  t.is(added('\ufeff{ }'), '\ufeff{\n  "n": 1\n}');
});

test('any changes to any document give the values of both', (t) => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(object, object, fc.nat(3), (before, changes, indent) => {
      const document = JsonDocument.parse(JSON.stringify(before, null, indent));
      const changed = document.with(new Map(Object.entries(changes)));
      const expected = JSON.parse(
        JSON.stringify(Object.fromEntries([...Object.entries(before), ...Object.entries(changes)])),
      );
      t.deepEqual(values(changed), expected);
    }),
  );
});
