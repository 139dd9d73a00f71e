import { bech32m } from '@scure/base';
import { FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { seedFingerprint } from '../../src/zcash/keys/seedFingerprint.ts';
import { testEachCase } from '../helpers/vectors.ts';

for (const file of ['zip_0032_arbitrary', 'zip_0032_registered']) {
  testEachCase<{ seed: string; seedfp: string }>(file, 'seed fingerprint', (t, { seed, seedfp }) => {
    const fingerprint = seedFingerprint(hexToBytes(seed));
    t.is<string, string>(bech32m.encode('zip32seedfp', bech32m.toWords(fingerprint), false), seedfp);
  });
}

test('seeds of other lengths and of one repeated byte are refused', (t) => {
  for (const seed of [
    new Uint8Array(31).fill(1),
    new Uint8Array(253).fill(1),
    new Uint8Array(32),
    new Uint8Array(64).fill(0xff),
  ]) {
    t.throws(() => seedFingerprint(seed), { instanceOf: FormatError });
  }
  t.is(seedFingerprint(new Uint8Array(32).fill(1)).length, 32);
});
