// Files that editors wrote.
import { Readable } from 'node:stream';
import test from 'ava';
import { readInputFile } from '../../../src/cli/inputFile.ts';

test('a byte order mark is no part of base64, and makes no base64 of JSON', async (t) => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf]);
  const read = (text: string) =>
    readInputFile('-', 'labels', Readable.from([Buffer.concat([mark, Buffer.from(text)])]));
  t.is(await read('UENa\r\n'), 'UENa');
  t.is(new TextDecoder().decode(Buffer.from(await read('{"type":"addr"}'), 'base64')), '{"type":"addr"}');
});
