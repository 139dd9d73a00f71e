// QR codes in every form, read back: PNG and SVG by small readers written here, blocks as a terminal draws them, and all
// of them by a decoder of QR codes.
import { crc32, inflateSync } from 'node:zlib';
import test from 'ava';
import { type QrMatrix, QUIET_ZONE, qrBlocks, qrMatrix, qrPng, qrSvg } from '../../src/qr/qrCode.ts';
import { decoded, modulesOfBlocks, modulesOfPath } from '../helpers/qrReading.ts';

const texts = [
  'zcash:u1',
  'zcash:ztestsapling10yy2ex5dcqkclhc7z7yrnjq2z6feyjad56ptwlfgmy77dmaqqrl9gyhprdx59qgmsnyfska2kez?amount=1&message=Thank%20you',
  `zcash:u1${'a'.repeat(900)}?memo=${'b'.repeat(683)}`,
];

/** Of the PNG files that have one bit a pixel; checks what a strict reader does. */
function pixelsOfPng(png: Uint8Array): boolean[][] {
  const bytes = Buffer.from(png);
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks = new Map<string, Buffer>();
  let at = 8;
  while (at < bytes.length) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    if (bytes.readUInt32BE(at + 8 + length) !== crc32(body)) throw new Error('wrong checksum');
    chunks.set(body.subarray(0, 4).toString('latin1'), body.subarray(4));
    at += length + 12;
  }
  if ([...chunks.keys()].join() !== 'IHDR,IDAT,IEND') throw new Error('other chunks');
  const header = chunks.get('IHDR')!;
  if (header.length !== 13 || header.subarray(8).toString('hex') !== '0100000000')
    throw new Error('other format');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT')!);
  const stride = 1 + Math.ceil(width / 8);
  if (lines.length !== stride * height) throw new Error('other size');
  return Array.from({ length: height }, (_, y) => {
    if (lines[y * stride] !== 0) throw new Error('a filter');
    return Array.from(
      { length: width },
      (_unused, x) => ((lines[y * stride + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0,
    );
  });
}

function modulesOfSvg(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  return modulesOfPath(/<path d="([^"]*)"\/>/.exec(svg)?.[1] ?? '', size);
}

for (const [place, text] of texts.entries()) {
  test(`text ${place} is read back from PNG, SVG and blocks`, (t) => {
    const matrix = qrMatrix(text)!;
    t.is(decoded(matrix), text);
    t.is(decoded(pixelsOfPng(qrPng(matrix)), 1), text);
    t.deepEqual(modulesOfSvg(qrSvg(matrix)), matrix as boolean[][]);
    t.is(decoded(modulesOfBlocks(qrBlocks(matrix))), text);
  });
}

test('every form has the quiet zone on all four sides', (t) => {
  const matrix = qrMatrix(texts[0]!)!;
  const isQuiet = (rows: QrMatrix, zone: number): boolean => {
    const size = rows[0]!.length;
    const inner = (at: number) => at >= zone && at < size - zone;
    return rows.every((row, y) => row.every((dark, x) => !dark || (inner(x) && inner(y))));
  };
  t.true(isQuiet(matrix, QUIET_ZONE));
  t.false(isQuiet(matrix, QUIET_ZONE + 1));
  t.true(isQuiet(modulesOfSvg(qrSvg(matrix)), QUIET_ZONE));
  t.true(isQuiet(pixelsOfPng(qrPng(matrix)), QUIET_ZONE * 8));
  t.deepEqual(modulesOfBlocks(qrBlocks(matrix)).slice(0, matrix.length), matrix as boolean[][]);
  t.is(
    new Set(
      qrBlocks(matrix)
        .split('\n')
        .slice(0, -1)
        .map((line) => line.length),
    ).size,
    1,
  );
});

test('what fits at all gets the redundancy that fits, and what does not is not cut', (t) => {
  const versionOf = (matrix: QrMatrix | undefined) => (matrix!.length - 2 * QUIET_ZONE - 17) / 4;
  t.is(versionOf(qrMatrix('a'.repeat(2331))), 40);
  t.is(versionOf(qrMatrix('a'.repeat(2332))), 36);
  t.is(versionOf(qrMatrix('a'.repeat(2953))), 40);
  t.is(qrMatrix('a'.repeat(2954)), undefined);
  t.is(qrMatrix('\u20ac'.repeat(985)), undefined);
});

test('the SVG has nothing of the text in it, and no script', (t) => {
  t.regex(
    qrSvg(qrMatrix('"/><script>alert(1)</script>')!),
    /^<svg [^>]*><path [^>]*\/><path [^>]*\/><\/svg>\n$/,
  );
});
