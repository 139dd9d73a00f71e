import { runs } from '@wallet-companion/base/test/atLength';
import test from 'ava';
import fc from 'fast-check';
import { JUBJUB_ORDER } from '../../src/zcash/curves/jubjub.ts';
import { joinBits, readBits } from '../../src/zcash/hashes/bitString.ts';
import { PEDERSEN_BASES, pedersenHash } from '../../src/zcash/hashes/pedersen.ts';
import { fromNobleJubjub, NobleJubjub, toNobleJubjub } from '../helpers/nobleCurves.ts';

/** The definition: each chunk of three bits is a signed digit of its segment's scalar. */
function slowHash(bytes: Uint8Array, length: number): bigint {
  const bits = joinBits([bytes, length]);
  let sum = NobleJubjub.ZERO;
  for (let start = 0, segment = 0; start < length; start += 189, segment++) {
    let scalar = 0n;
    for (let j = 0; j < 63 && start + 3 * j < length; j++) {
      const [s0, s1, s2] = [0, 1, 2].map((k) => readBits(bits, start + 3 * j + k, 1)) as [
        number,
        number,
        number,
      ];
      scalar += BigInt((1 - 2 * s2) * (1 + s0 + 2 * s1)) << BigInt(4 * j);
    }
    const reduced = ((scalar % JUBJUB_ORDER) + JUBJUB_ORDER) % JUBJUB_ORDER;
    sum = sum.add(toNobleJubjub(PEDERSEN_BASES[segment]!.point).multiplyUnsafe(reduced));
  }
  return fromNobleJubjub(sum).u;
}

test('the hash equals the definition for every length', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 755 }), fc.uint8Array({ minLength: 95, maxLength: 95 }), (extra, bytes) => {
      t.is(pedersenHash(joinBits([bytes, extra + 1])), slowHash(bytes, extra + 1));
    }),
    { numRuns: runs(10, 40) },
  );
});

test('whole segments of the largest and smallest digits', (t) => {
  for (const byte of [0x00, 0xff]) {
    const bytes = new Uint8Array(95).fill(byte);
    for (const length of [189, 378, 567, 582, 756]) {
      t.is(pedersenHash(joinBits([bytes, length])), slowHash(bytes, length));
    }
  }
});

test('messages beyond four segments are refused', (t) => {
  t.throws(() => pedersenHash(joinBits([new Uint8Array(96), 757])), { instanceOf: RangeError });
});
