// Base64 that leaves no copy: the same as Node's.

import test from 'ava';
import * as fc from 'fast-check';
import { fromBase64, toBase64 } from '../../src/memory/base64.ts';

test('any bytes have the text that Node gives, and come back', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = toBase64(bytes);
      t.is(text, Buffer.from(bytes).toString('base64'));
      t.deepEqual(fromBase64(text), bytes);
    }),
  );
});

test('RFC 4648 §10', (t) => {
  for (const [plain, text] of [
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg=='],
    ['fooba', 'Zm9vYmE='],
    ['foobar', 'Zm9vYmFy'],
  ] as const) {
    t.is(toBase64(Buffer.from(plain)), text);
    t.is(Buffer.from(fromBase64(text)).toString(), plain);
  }
});
