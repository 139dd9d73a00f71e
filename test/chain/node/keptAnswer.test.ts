// The result of an answer, read from its digits as they come, is the one that its text has.

import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { parseObject } from '#chain/node/answerBody';
import { type AnswerBody, decodeHex, KeptAnswer } from '#chain/node/keptAnswer';

/** Cut at these places, which may lie anywhere. */
function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => Buffer.from(bytes.subarray(places[i], end)));
}

function read(bytes: Buffer, cuts: readonly number[], wantsHex: boolean): AnswerBody {
  const kept = new KeptAnswer(bytes.length, wantsHex);
  for (const piece of pieces(bytes, cuts)) {
    if (piece.length === 0) continue;
    kept.add(piece);
    // What was read may be written over.
    piece.fill(0x7e);
    kept.expect(bytes.length);
  }
  const body = kept.end();
  kept.clear();
  return body;
}

/** What a caller makes of it: any two texts that are the same bytes, or none, are the same. */
function meaning({ text, hexResult }: AnswerBody): unknown {
  const reply = parseObject(text);
  if (reply === undefined) return 'no object';
  const result = hexResult === undefined ? reply['result'] : Buffer.from(hexResult).toString('hex');
  const isHex = typeof result === 'string' && /^(?:[0-9a-f]{2})*$/i.test(result);
  const answered = typeof result !== 'string' ? result : isHex ? result.toLowerCase() : 'no hex';
  return { ...reply, result: answered };
}

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const hex = fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean()).map(([bytes, upper]) => {
  const digits = Buffer.from(bytes).toString('hex');
  return upper ? digits.toUpperCase() : digits;
});

/** As nodes write it, in each order that they are known to use. */
const FORMS: readonly ((digits: string) => string)[] = [
  (digits) => `{"jsonrpc":"2.0","id":7,"result":"${digits}"}`,
  (digits) => `{"jsonrpc":"2.0","result":"${digits}","id":7}`,
  (digits) => `{"result":"${digits}","error":null,"id":7}\n`,
  (digits) => `{"result":"${digits}","id":null}`,
];

test('of the forms that nodes use, the text is not kept, however it comes', (t) => {
  fc.assert(
    fc.property(fc.constantFrom(...FORMS), hex, cuts, (form, digits, places) => {
      const { text, hexResult } = read(Buffer.from(form(digits)), places, true);
      return (
        Buffer.from(hexResult ?? []).toString('hex') === digits.toLowerCase() && text.toString() === form('')
      );
    }),
  );
  t.pass();
});

const odd = fc.oneof(
  hex,
  hex.map((digits) => digits.slice(1)),
  hex.map((digits) => `${digits}g${digits}`),
  hex.map((digits) => `${digits}\\u0041${digits}`),
  hex.map((digits) => `${digits}\\"${digits}`),
  fc.constant(''),
  fc.string(),
);
const value = fc.oneof(
  odd.map((text) => `"${text}"`),
  fc.json(),
  fc.constantFrom('null', '7', '07', '{"result":"00"}', '["result"]', '"2.0"', '"\\"result\\":\\""'),
);
const member = fc
  .tuple(fc.constantFrom('result', 'result', 'id', 'jsonrpc', 'error', 're\\u0073ult', 'more'), value)
  .map(([name, text]) => `"${name}":${text}`);
const spaced = fc.constantFrom('', '', '', ' ', '\n', '\ufeff', '\u00a0', ',');
const anyAnswer = fc.oneof(
  fc
    .tuple(spaced, fc.array(fc.tuple(member, spaced), { maxLength: 5 }), spaced)
    .map(([before, members, behind]) => `${before}{${members.map((m) => m.join('')).join(',')}}${behind}`),
  fc.tuple(fc.constantFrom(...FORMS), odd).map(([form, digits]) => form(digits)),
  fc
    .tuple(fc.constantFrom(...FORMS), hex, fc.nat(), fc.string({ maxLength: 3 }))
    .map(([form, digits, at, put]) => {
      const text = form(digits);
      const place = at % (text.length + 1);
      return `${text.slice(0, place)}${put}${text.slice(place + put.length)}`;
    }),
  fc
    .tuple(fc.constantFrom(...FORMS), hex, fc.nat())
    .map(([form, digits, length]) => form(digits).slice(0, length % (form(digits).length + 1))),
  fc
    .tuple(fc.constantFrom(...FORMS), hex, fc.constantFrom(' ', ',"more":1}', '}', '"', 'ÿ'), fc.nat(900))
    .map(([form, digits, end, count]) => form(digits) + end.repeat(count)),
);

test('any answer, however it comes, means what its text means', (t) => {
  fc.assert(
    fc.property(anyAnswer, cuts, (text, places) => {
      const bytes = Buffer.from(text);
      t.deepEqual(meaning(read(bytes, places, true)), meaning(read(bytes, places, false)), text);
    }),
    { numRuns: runs(300, 3_000) },
  );
});

test('megabytes of digits are read, and become text again where a last one is none', (t) => {
  const block = Buffer.alloc(1_000_000, 'some block');
  const places = Array.from({ length: 40 }, (_, i) => i * 65_521);
  for (const form of FORMS) {
    const good = Buffer.from(form(block.toString('hex')));
    t.true(block.equals(read(good, places, true).hexResult ?? Buffer.alloc(0)));
    const bad = Buffer.from(form(`${block.toString('hex')}x`));
    const { text, hexResult } = read(bad, places, true);
    t.is(hexResult, undefined);
    t.true(text.equals(bad));
  }
});

test('every pair of characters is two digits or none', (t) => {
  for (let high = 0; high < 256; high++) {
    for (let low = 0; low < 256; low++) {
      const text = Buffer.of(high, low);
      const read = Buffer.from(text.toString('latin1'), 'hex');
      const target = new Uint8Array(2);
      if (decodeHex(text, target, 1) !== (read.length === 1) || (read.length === 1 && target[1] !== read[0]))
        t.fail(`${high} ${low}`);
    }
  }
  t.pass();
});

test('digits are read to their last, and a wrong one is seen wherever it is', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), fc.nat(), (length, at) => {
      const bytes = Buffer.alloc(length, 'the bytes of a block');
      const digits = Buffer.from(bytes.toString('hex'));
      const target = Buffer.alloc(length + 2);
      const isRead = decodeHex(digits, target, 1);
      digits[at % digits.length] = 0x67;
      const isWrongRead = decodeHex(digits, Buffer.alloc(length), 0);
      return isRead && !isWrongRead && bytes.equals(target.subarray(1, -1)) && target[length + 1] === 0;
    }),
    { numRuns: runs(5, 50) },
  );
  t.pass();
});
