import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { receiverOfKey } from '../../src/zcash/address/transparentScript.ts';
import {
  deriveTransparentAccountKey,
  parseTransparentKey,
  transparentChildKey,
  transparentOutgoingKey,
} from '../../src/zcash/keys/transparentKeys.ts';
import { testEachCase } from '../helpers/vectors.ts';

const SEED = Uint8Array.from({ length: 32 }, (_, i) => i);

interface OutgoingVector {
  readonly c: string;
  readonly pk: string;
  readonly external_ovk: string;
  readonly internal_ovk: string;
}

for (const name of ['bip_0032', 'zip_0316'])
  testEachCase<OutgoingVector>(name, 'outgoing keys of transparent funds', (t, vector) => {
    const key = hexToBytes(vector.c + vector.pk);
    for (const scope of ['external', 'internal'] as const)
      t.is(bytesToHex(transparentOutgoingKey(key, scope)), vector[`${scope}_ovk`]);
  });

testEachCase<{ c: string; pk: string; address: string; account: number }>(
  'bip_0032',
  'transparent account key',
  (t, { c, pk, address, account }) => {
    const key = deriveTransparentAccountKey(SEED, 133, account);
    t.is(bytesToHex(key), c + pk);
    t.is(bytesToHex(receiverOfKey(key.subarray(32)).hash), address);
    t.deepEqual(parseTransparentKey(key), key);
  },
);

testEachCase<{ t_key_bytes: string | null; account: number }>(
  'unified_incoming_viewing_keys',
  'transparent external key',
  (t, { t_key_bytes, account }) => {
    const key = transparentChildKey(deriveTransparentAccountKey(SEED, 133, account), 0);
    t.is(bytesToHex(key), t_key_bytes ?? bytesToHex(key));
  },
);

test('keys that are no public keys are refused', (t) => {
  for (const bytes of [
    new Uint8Array(64),
    new Uint8Array(65),
    hexToBytes(`${'00'.repeat(32)}02${'ff'.repeat(32)}`),
    hexToBytes(`${'00'.repeat(32)}04${'01'.repeat(32)}`),
  ]) {
    t.throws(() => parseTransparentKey(bytes), { instanceOf: FormatError });
  }
});
