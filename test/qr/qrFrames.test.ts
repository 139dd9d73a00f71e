// Numbered frames: whole or refused, whatever order and how often they were read.
import { crc32 } from 'node:zlib';
import test from 'ava';
import fc from 'fast-check';
import { framesOf, isFrames, joinFrames } from '../../src/qr/qrFrames.ts';
import { qrMatrix } from '../../src/qr/qrMatrix.ts';

const text = 'ABCDEFGHIJ'.repeat(100);

test('frames are numbered, and each has the CRC-32 of the whole', (t) => {
  const frames = framesOf(text);
  t.is(frames.length, 4);
  const check = crc32(text).toString(16).padStart(8, '0');
  t.is(frames[1], `p2of4 ${check} ${text.slice(280, 560)}`);
  t.true(isFrames(frames[0]!) && !isFrames(text) && !isFrames('PCZT'));
  t.is(qrMatrix(framesOf('A'.repeat(279_720)).at(-1)!)?.length, 77);
});

test('any order and any repetition give the text', (t) => {
  fc.assert(
    fc.property(
      fc.base64String({ minLength: 4, maxLength: 3000 }),
      fc.array(fc.nat(1000), { maxLength: 20 }),
      (given, again) => {
        const frames = framesOf(given);
        const read = [...frames, ...again.map((at) => frames[at % frames.length]!)];
        return joinFrames(read.reverse()) === given;
      },
    ),
  );
  t.pass();
});

const frames = framesOf(text);
const others = framesOf(text.toLowerCase());
for (const [what, lines, says] of [
  ['one that is missing', frames.slice(1), 'frames are missing: 1'],
  ['none', [], 'frames are missing: '],
  ['two texts', [...frames.slice(0, 3), others[3]!], 'the frames are of two different texts'],
  [
    'a changed one',
    [frames[0]!.replace('ABC', 'ABD'), ...frames.slice(1)],
    'the frames do not fit their checksum',
  ],
  ['one read in two ways', [...frames, frames[0]!.replace('ABC', 'ABD')], 'frame 1 was read in two ways'],
  [
    'a place beyond the end',
    [...frames, frames[0]!.replace('p1of', 'p5of')],
    'a frame has no place among the others',
  ],
  ['place 0', [frames[0]!.replace('p1of', 'p0of')], 'a frame has no place among the others'],
  ['what is no frame', [...frames, 'https://example.org'], 'a line is no frame'],
] as const)
  test(`${what} makes no whole`, (t) => {
    t.throws(() => joinFrames(lines), { instanceOf: RangeError, message: says });
  });

test('a text that is too long has no frames', (t) => {
  t.throws(() => framesOf('A'.repeat(280 * 999 + 1)), { instanceOf: RangeError });
});
