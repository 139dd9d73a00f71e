import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, equalBytes, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import fc from 'fast-check';
import { f4jumble, f4jumbleInverse } from '../../src/zcash/hashes/f4jumble.ts';
import { testEachCase } from '../helpers/vectors.ts';

testEachCase<{ normal: string; jumbled: string }>('f4jumble', 'F4Jumble', (t, { normal, jumbled }) => {
  t.is(bytesToHex(f4jumble(hexToBytes(normal))), jumbled);
  t.is(bytesToHex(f4jumbleInverse(hexToBytes(jumbled))), normal);
});

testEachCase<{ length: number; jumbled_hash: string }>(
  'f4jumble_long',
  'F4Jumble of long messages',
  (t, { length, jumbled_hash }) => {
    const message = new Uint8Array(length).map((_, i) => i);
    const jumbled = f4jumble(message);
    t.is(bytesToHex(blake2b(jumbled)), jumbled_hash);
    // A deep comparison of four million bytes would take longer than all the rest.
    t.true(equalBytes(f4jumbleInverse(jumbled), message));
  },
);

test('the inverse undoes it for any length', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 38, maxLength: 300 }), (message) => {
      t.deepEqual(f4jumbleInverse(f4jumble(message)), message);
    }),
  );
});

test('lengths outside the limits are refused', (t) => {
  for (const length of [0, 37, 4_194_369]) {
    t.throws(() => f4jumble(new Uint8Array(length)), { instanceOf: FormatError });
    t.throws(() => f4jumbleInverse(new Uint8Array(length)), { instanceOf: FormatError });
  }
});
