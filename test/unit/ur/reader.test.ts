// The reader of uniform resources: losses, repetitions, other messages, what does not fit, and how much it keeps.

import { runs } from '@wallet-companion/base/test/atLength';
import {
  pcztOf,
  pcztUr,
  UrError,
  type UrPart,
  UrReader,
  urCode,
  urParts,
} from '@wallet-companion/devices/ur';
import test from 'ava';
import fc from 'fast-check';

const bytes = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (Math.imul(at + seed, 2_654_435_761) >>> 13) & 0xff);
const first = (count: number, parts: Iterator<UrPart, never>): UrPart[] =>
  Array.from({ length: count }, () => parts.next().value);
const partsOf = (message: Uint8Array, maxFragment: number, count: number, type = 'bytes'): string[] =>
  first(count, urParts(type, message, { maxFragment })).map(({ text }) => text);

test('any order, any repetition and a fifth lost give the message', (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 4_000 }),
      fc.integer({ min: 10, max: 300 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.infiniteStream(fc.nat(99)),
      (message, maxFragment, start, draws) => {
        const reader = new UrReader();
        const parts = urParts('bytes', message, { maxFragment });
        const total = parts.next().value.total;
        // Who begins to look late sees mixtures alone.
        for (let at = 0; at < start % (2 * total); at++) parts.next();
        for (let shown = 0; reader.message === undefined; shown++) {
          if (shown > 10 * total + 50) return false;
          const { text } = parts.next().value;
          const draw = draws.next().value;
          if (draw >= 20) reader.receive(text);
          if (draw >= 90 && reader.receive(text) !== 'known') return false;
        }
        return Buffer.from(reader.message.cbor).equals(message);
      },
    ),
    { numRuns: runs(200) },
  );
  t.pass();
});

test('parts of another message are distinguished, and of another type', (t) => {
  const reader = new UrReader();
  const [one, second] = partsOf(bytes(900), 100, 2);
  t.is(reader.receive(one!), 'new');
  t.is(reader.receive(one!), 'known');
  const others = [
    ...partsOf(bytes(900, 2), 100, 2),
    ...partsOf(bytes(900), 90, 2),
    ...partsOf(bytes(900), 100, 2, 'zcash-pczt'),
  ];
  for (const other of others) t.is(reader.receive(other), 'other');
  t.is(reader.receive(second!), 'new');
  t.deepEqual(reader.progress, { read: 2, needed: 9 });
  for (const text of partsOf(bytes(900), 100, 9)) reader.receive(text);
  t.deepEqual(reader.progress, { read: 9, needed: 9 });
  t.is(reader.receive(others[0]!), 'other');
  t.is(reader.receive(second!), 'known');
  t.deepEqual(reader.message?.cbor, bytes(900));
});

const [good] = partsOf(bytes(900), 100, 1);
for (const [what, text, message] of [
  ['an address', 'https://example.org', 'a code is no uniform resource (UR)'],
  ['nothing', '', 'a code is no uniform resource (UR)'],
  ['a type that is a text', good!.replace('bytes', 'a'.repeat(41)), 'a code is no uniform resource (UR)'],
  ['a changed letter', good!.replace(/..$/, 'ae'), 'a code does not fit its checksum'],
  ['letters that are no byte', good!.replace(/..$/, 'xx'), 'a code has letters that stand for no byte'],
  ['half of it', good!.slice(0, -1), 'a code is cut off'],
  ['another number', good!.replace('/1-9/', '/2-9/'), 'a code has two different numbers'],
  ['a book', `ur:bytes/${'ae'.repeat(2 << 20)}`, 'a code is too long'],
  [
    'a body that is no part',
    partsOf(bytes(20), 100, 1)[0]!.replace('bytes/', 'bytes/1-9/'),
    'a code has content that is no CBOR',
  ],
] as const)
  test(`${what} is refused, and changes nothing`, (t) => {
    const reader = new UrReader();
    reader.receive(good!);
    t.throws(() => reader.receive(text), { instanceOf: UrError, message });
    t.deepEqual(reader.progress, { read: 1, needed: 9 });
  });

test('a message whose parts do not fit together begins anew', (t) => {
  const [one, second, third] = partsOf(bytes(300), 100, 3);
  // The checksum of the whole is a number of each part; this makes another message of it, with parts that fit themselves.
  const reader = new UrReader();
  t.is(reader.receive(one!), 'new');
  const forged = forge(second!);
  t.is(reader.receive(forged), 'new');
  t.throws(() => reader.receive(second!), { instanceOf: UrError, message: /contradicts/ });
  t.throws(() => reader.receive(third!), { instanceOf: UrError, message: /do not fit their checksum/ });
  t.deepEqual(reader.progress, { read: 0, needed: 0 });
  for (const text of [one, second, third]) reader.receive(text!);
  t.deepEqual(reader.message?.cbor, bytes(300));
});

/** The part with another last byte, and a checksum that fits. */
function forge(text: string): string {
  const { type, body } = splitPart(text);
  body[body.length - 1]! ^= 1;
  // A message of one code is written as its bytes and their checksum: the same letters as a part's body.
  return urParts('x', body, { maxFragment: 1_000 }).next().value.text.replace('ur:x/', type);
}

function splitPart(text: string): { type: string; body: Uint8Array } {
  const at = text.lastIndexOf('/') + 1;
  const reader = new UrReader();
  reader.receive(`ur:x/${text.slice(at)}`);
  return { type: text.slice(0, at), body: reader.message!.cbor };
}

test('a message of the largest size is put together, of its mixtures alone; a larger one is not sent', (t) => {
  const largest = bytes(1 << 20);
  const parts = urParts('bytes', largest, { maxFragment: 2_000 });
  const { total } = parts.next().value;
  for (let at = 1; at < total; at++) parts.next();
  const reader = new UrReader();
  while (reader.message === undefined) reader.receive(parts.next().value.text);
  t.true(Buffer.from(reader.message.cbor).equals(largest));
  for (const [length, maxFragment] of [
    [0, 100],
    [(1 << 20) + 1, 2_000],
    [1 << 20, 200],
    [10, 0],
  ] as const)
    t.throws(() => urParts('bytes', bytes(length), { maxFragment }).next(), { instanceOf: RangeError });
});

test('a payment of a usual size fits codes that a terminal of 80 columns can show', (t) => {
  const { type, cbor } = pcztUr(bytes(4_900));
  const parts = first(100, urParts(type, cbor, { maxFragment: 200 }));
  t.is(parts[0]!.total, 25);
  t.deepEqual(new Set(parts.map(({ text }) => urCode(text).length)), new Set([69]));
  const reader = new UrReader();
  for (const { text } of parts) reader.receive(text);
  t.deepEqual(pcztOf(reader.message!), bytes(4_900));
});
