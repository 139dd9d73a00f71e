import { bytesToHex } from '@wallet-companion/base/bytes';
import {
  isInJubjubSubgroup,
  isJubjubIdentity,
  tryDecodeJubjub,
  tryDecodePallas,
} from '@wallet-companion/zcash/curves';
import test from 'ava';
import { jubjubPoints, pallasPoints } from '../../src/devnet/otherPoints.ts';
import { seededRandomness } from '../../src/devnet/randomness.ts';

/** More than a row, so that several steps are taken. */
const COUNT = 600;

test('Pallas points decode and do not repeat', (t) => {
  const source = pallasPoints(seededRandomness('points'));
  const points = Array.from({ length: COUNT }, () => source.next());
  t.true(points.every((point) => tryDecodePallas(point) !== undefined));
  t.is(new Set(points.map(bytesToHex)).size, COUNT);
});

test('Jubjub points are of the prime-order group and do not repeat', (t) => {
  const source = jubjubPoints(seededRandomness('points'));
  const points = Array.from({ length: COUNT }, () => source.next());
  for (const bytes of points.filter((_, i) => i % 20 === 0)) {
    const point = tryDecodeJubjub(bytes);
    t.true(point !== undefined && !isJubjubIdentity(point) && isInJubjubSubgroup(point));
  }
  t.is(new Set(points.map(bytesToHex)).size, COUNT);
});

test('a seed names one row of points', (t) => {
  const first = (seed: string) => bytesToHex(pallasPoints(seededRandomness(seed)).next());
  t.is(first('a'), first('a'));
  t.not(first('a'), first('b'));
});
