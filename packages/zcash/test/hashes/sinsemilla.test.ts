import { asciiBytes, bytesToHex, hexToBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { decodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { affinePallas, encodePallas, PALLAS_SCALAR_ORDER } from '../../src/zcash/curves/pallas.ts';
import { type BitString, joinBits, readBits } from '../../src/zcash/hashes/bitString.ts';
import { hashToPallas } from '../../src/zcash/hashes/pallasHash.ts';
import {
  createSinsemillaCommitment,
  createSinsemillaHash,
  NOTE_COMMIT_ORCHARD,
} from '../../src/zcash/hashes/sinsemilla.ts';
import { fromNoblePallas, toNoblePallas } from '../helpers/nobleCurves.ts';
import { testEachCase } from '../helpers/vectors.ts';

function bitsOf(text: string): BitString {
  const bytes = new Uint8Array(Math.ceil(text.length / 8));
  [...text].forEach((bit, i) => {
    if (bit === '1') bytes[i >>> 3]! |= 1 << (i & 7);
  });
  return joinBits([bytes, text.length]);
}

testEachCase<{ domain: string; msg: string; point: string; hash: string }>(
  'orchard_sinsemilla',
  'Sinsemilla',
  (t, { domain, msg, point, hash }) => {
    const sinsemilla = createSinsemillaHash(Buffer.from(domain, 'hex').toString('latin1'));
    t.is(bytesToHex(encodePallas(sinsemilla.hashToPoint(bitsOf(msg))!)), point);
    t.is(sinsemilla.hash(bitsOf(msg)), decodeInteger32(hexToBytes(hash)));
  },
);

/** The definition, step by step, with complete additions of the reference curve. */
function slowHash(domain: string, text: string): bigint {
  let sum = toNoblePallas(hashToPallas('z.cash:SinsemillaQ', asciiBytes(domain)));
  for (let i = 0; i < text.length; i += 10) {
    const piece = [...text.slice(i, i + 10)].reduce((value, bit, j) => value + (bit === '1' ? 2 ** j : 0), 0);
    const s = toNoblePallas(hashToPallas('z.cash:SinsemillaS', u32ToLeBytes(piece)));
    sum = sum.add(s).add(sum);
  }
  return fromNoblePallas(sum)!.x;
}

const messages = fc
  .array(fc.constantFrom('0', '1'), { minLength: 1, maxLength: 300 })
  .map((bits) => bits.join(''));

test('the shared-denominator steps equal the definition', (t) => {
  fc.assert(
    fc.property(messages, (message) => {
      t.is(createSinsemillaHash('test').hash(bitsOf(message)), slowHash('test', message));
    }),
    { numRuns: runs(5, 15) },
  );
  t.is(createSinsemillaHash('test').hash(bitsOf('0'.repeat(2530))), slowHash('test', '0'.repeat(2530)));
});

test('a commitment adds the randomness base', (t) => {
  fc.assert(
    fc.property(messages, integersBelow(PALLAS_SCALAR_ORDER), (message, randomness) => {
      const bits = bitsOf(message);
      const hash = createSinsemillaHash('z.cash:Orchard-NoteCommit-M').hashToPoint(bits);
      const base = toNoblePallas(NOTE_COMMIT_ORCHARD.randomnessBase.point);
      t.deepEqual(
        affinePallas(NOTE_COMMIT_ORCHARD.commitToAccumulator(bits, randomness)!),
        fromNoblePallas(toNoblePallas(hash).add(base.multiplyUnsafe(randomness))),
      );
    }),
    { numRuns: runs(5, 15) },
  );
});

test('messages of more than 253 pieces are refused', (t) => {
  t.throws(() => createSinsemillaHash('test').hash(bitsOf('0'.repeat(2531))), { instanceOf: RangeError });
});

test('an empty message leaves the starting point', (t) => {
  const commitment = createSinsemillaCommitment('z.cash:Orchard-CommitIvk');
  t.is(commitment.shortCommit(joinBits(), 0n), commitment.start.x);
});

test('bit strings join parts that end inside a byte', (t) => {
  fc.assert(
    fc.property(fc.array(messages, { maxLength: 5 }), (parts) => {
      const joined = joinBits(...parts.map((part) => [bitsOf(part).bytes, part.length] as const));
      const text = parts.join('');
      const read = Array.from({ length: text.length }, (_, i) => readBits(joined, i, 1)).join('');
      return joined.length === text.length && read === text;
    }),
  );
  t.pass();
});

test('bits after a part’s length do not leak into the next part', (t) => {
  const joined = joinBits([Uint8Array.of(0xff), 3], [Uint8Array.of(0), 5], [Uint8Array.of(0xff), 1]);
  t.deepEqual([joined.bytes[0], joined.bytes[1], joined.length], [0b111, 1, 9]);
});
