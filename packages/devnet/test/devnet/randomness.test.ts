import { concatBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { seededRandomness } from '../../src/devnet/randomness.ts';

test('the stream does not depend on how it is cut', (t) => {
  const whole = seededRandomness('seed').bytes(200_000);
  const cut = seededRandomness('seed');
  t.deepEqual(concatBytes(cut.bytes(1), cut.bytes(65_535), cut.bytes(100_000), cut.bytes(34_464)), whole);
});

test('below() stays below and reaches every value', (t) => {
  const randomness = seededRandomness('dice');
  const seen = new Set(Array.from({ length: 500 }, () => randomness.below(6)));
  t.deepEqual([...seen].sort(), [0, 1, 2, 3, 4, 5]);
});
