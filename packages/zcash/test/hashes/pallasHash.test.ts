import { asciiBytes, bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import test from 'ava';
import { decodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { encodePallas, type PallasPoint } from '../../src/zcash/curves/pallas.ts';
import {
  ORCHARD_NULLIFIER_BASE,
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
} from '../../src/zcash/hashes/orchardBases.ts';
import { diversifyHashOrchard, hashToPallas, mapToIsoPallas } from '../../src/zcash/hashes/pallasHash.ts';
import { COMMIT_IVK, NOTE_COMMIT_ORCHARD } from '../../src/zcash/hashes/sinsemilla.ts';
import { toNoblePallas } from '../helpers/nobleCurves.ts';
import { testEachCase } from '../helpers/vectors.ts';

const text = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1');
const encoded = (point: PallasPoint | undefined): string => (point ? bytesToHex(encodePallas(point)) : '');

testEachCase<{ domain: string; msg: string; point: string }>(
  'orchard_group_hash',
  'hash to Pallas',
  (t, vector) => {
    t.is(encoded(hashToPallas(text(vector.domain), hexToBytes(vector.msg))), vector.point);
  },
);

testEachCase<{ u: string; point: string }>('orchard_map_to_curve', 'map to iso-Pallas', (t, { u, point }) => {
  t.is(encoded(mapToIsoPallas(decodeInteger32(hexToBytes(u)))), point);
});

testEachCase<Record<string, string>>('orchard_generators', 'Orchard generators', (t, vector) => {
  t.deepEqual(
    {
      skb: encoded(ORCHARD_SPEND_AUTH_BASE.point),
      nkb: encoded(ORCHARD_NULLIFIER_BASE.point),
      vcvb: encoded(ORCHARD_VALUE_BASE.point),
      vcrb: encoded(ORCHARD_VALUE_RANDOMNESS_BASE.point),
      cmb: encoded(NOTE_COMMIT_ORCHARD.randomnessBase.point),
      cmq: encoded(NOTE_COMMIT_ORCHARD.start),
      ivkb: encoded(COMMIT_IVK.randomnessBase.point),
      ivkq: encoded(COMMIT_IVK.start),
      mcq: encoded(hashToPallas('z.cash:SinsemillaQ', asciiBytes('z.cash:Orchard-MerkleCRH'))),
    },
    vector,
  );
});

test('u = 0 takes the exceptional case of the map and still gives a point', (t) => {
  const { x, y } = mapToIsoPallas(0n);
  const a = 0x18354a2eb0ea8c9c49be2d7258370742b74134581a27a59f92bb4b0b657a014bn;
  const p = 0x40000000000000000000000000000000224698fc094cf91b992d30ed00000001n;
  t.is((y * y - x ** 3n - a * x - 1265n) % p, 0n);
});

test('diversifiers of any bytes have a base point on the curve', (t) => {
  for (const byte of [0, 1, 127, 255])
    t.notThrows(() => toNoblePallas(diversifyHashOrchard(new Uint8Array(11).fill(byte))).assertValidity());
});
