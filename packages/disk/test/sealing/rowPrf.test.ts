import { cbc } from '@noble/ciphers/aes.js';
import { equalBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { nativeBlocks, portableBlocks, RowPrf } from '../../src/disk/sealing/rowPrf.ts';

const counted = (length: number, step: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => (i * step) % 256);
const KEY = counted(32, 5);

test('what a row gives is the last block of CBC under a zero vector, for rows of any count and length', (t) => {
  for (const size of [16, 32, 64]) {
    for (const count of [0, 1, 2, 77]) {
      const rows = counted(size * count, 13);
      const values = new RowPrf(KEY, size).of(rows);
      t.is(values.length, 16 * count);
      for (let i = 0; i < count; i++) {
        const row = rows.subarray(i * size, (i + 1) * size);
        const chained = cbc(KEY, new Uint8Array(16), { disablePadding: true }).encrypt(row);
        t.true(equalBytes(values.subarray(16 * i, 16 * i + 16), chained.subarray(size - 16)));
      }
    }
  }
});

test('the native cipher gives what the portable one gives', (t) => {
  t.deepEqual(Uint8Array.from(nativeBlocks(KEY, counted(160, 3))), portableBlocks(KEY, counted(160, 3)));
});

test('half a row is refused', (t) => {
  t.throws(() => new RowPrf(KEY, 32).of(new Uint8Array(48)), { instanceOf: RangeError });
});
