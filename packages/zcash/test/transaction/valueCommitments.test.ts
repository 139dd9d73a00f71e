import { bytesToHex, FormatError } from '@wallet-companion/base/bytes';
import { runs } from '@wallet-companion/base/test/atLength';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { SAPLING_VALUE_BASE, SAPLING_VALUE_RANDOMNESS_BASE } from '../../src/zcash/hashes/jubjubHash.ts';
import { ORCHARD_VALUE_BASE, ORCHARD_VALUE_RANDOMNESS_BASE } from '../../src/zcash/hashes/orchardBases.ts';
import { MAX_MONEY } from '../../src/zcash/network.ts';
import { cryptographyOf, type PoolCryptography } from '../../src/zcash/transaction/poolCryptography.ts';
import { toNobleJubjub, toNoblePallas } from '../helpers/nobleCurves.ts';
import {
  fromLe,
  type NoblePoint,
  PLAIN_JUBJUB,
  PLAIN_PALLAS,
  type PlainCurve,
  toLe,
} from '../helpers/plainRedDsa.ts';

const values = fc.oneof(
  fc.bigInt({ min: -MAX_MONEY, max: MAX_MONEY }),
  fc.constantFrom(0n, 1n, -1n, MAX_MONEY, -MAX_MONEY),
);

function testCommitments<P extends NoblePoint<P>>(
  name: string,
  { values: commitments, binding }: PoolCryptography,
  curve: PlainCurve<P>,
  valueBase: P,
  trapdoorBase: P,
): void {
  const trapdoors = integersBelow(curve.order);
  const parts = fc.array(fc.tuple(values, trapdoors), { maxLength: 4 });
  const plainCommit = (value: bigint, trapdoor: bigint): P => {
    const magnitude = valueBase.multiplyUnsafe(value < 0n ? -value : value);
    return (value < 0n ? magnitude.negate() : magnitude).add(trapdoorBase.multiplyUnsafe(trapdoor));
  };

  test(`${name}: commitments are those of the definition`, (t) => {
    fc.assert(
      fc.property(values, trapdoors, (value, trapdoor) => {
        t.is(
          bytesToHex(commitments.commit(value, toLe(trapdoor))),
          bytesToHex(curve.encode(plainCommit(value, trapdoor))),
        );
      }),
      { numRuns: runs(10, 40), examples: [[0n, 0n]] },
    );
  });

  test(`${name}: the keys of a binding signature belong together exactly when the values add up`, (t) => {
    fc.assert(
      fc.property(parts, parts, values, (added, subtracted, error) => {
        const commit = (list: readonly (readonly [bigint, bigint])[]) =>
          list.map(([value, trapdoor]) => commitments.commit(value, toLe(trapdoor)));
        const sum = (list: readonly (readonly [bigint, bigint])[], column: 0 | 1) =>
          list.reduce((total, entry) => total + entry[column], 0n);
        const balance = sum(added, 0) - sum(subtracted, 0);
        fc.pre(balance >= -MAX_MONEY && balance <= MAX_MONEY);
        const bsk = commitments.bindingSigningKey(
          added.map(([, trapdoor]) => toLe(trapdoor)),
          subtracted.map(([, trapdoor]) => toLe(trapdoor)),
        );
        const expected = (sum(added, 1) - sum(subtracted, 1)) % curve.order;
        t.is(fromLe(bsk), expected < 0n ? expected + curve.order : expected);
        const bvk = commitments.bindingValidatingKey(commit(added), commit(subtracted), balance);
        t.is(bytesToHex(bvk), bytesToHex(curve.encode(trapdoorBase.multiplyUnsafe(fromLe(bsk)))));
        t.true(binding.isSigningKeyOf(bvk, bsk));
        const wrong = balance + error;
        if (error === 0n || wrong < -MAX_MONEY || wrong > MAX_MONEY) return;
        const other = commitments.bindingValidatingKey(commit(added), commit(subtracted), wrong);
        t.false(binding.isSigningKeyOf(other, bsk));
      }),
      { numRuns: runs(10, 40), examples: [[[], [], 1n]] },
    );
  });

  test(`${name}: what is no value, trapdoor or commitment is refused`, (t) => {
    const trapdoor = toLe(5n);
    const cv = commitments.commit(1n, trapdoor);
    const refused = (attempt: () => unknown): void => {
      t.throws(attempt, { instanceOf: FormatError });
    };
    for (const value of [MAX_MONEY + 1n, -MAX_MONEY - 1n, 1n << 64n]) {
      refused(() => commitments.commit(value, trapdoor));
      refused(() => commitments.bindingValidatingKey([cv], [], value));
    }
    for (const bytes of [
      toLe(curve.order),
      new Uint8Array(32).fill(0xff),
      trapdoor.subarray(1),
      new Uint8Array(33),
    ]) {
      refused(() => commitments.commit(1n, bytes));
      refused(() => commitments.bindingSigningKey([bytes], []));
      refused(() => commitments.bindingSigningKey([], [bytes]));
    }
    for (const bytes of [new Uint8Array(32).fill(0xff), cv.subarray(1), Uint8Array.of(...cv, 0)]) {
      refused(() => commitments.bindingValidatingKey([bytes], [], 0n));
      refused(() => commitments.bindingValidatingKey([cv], [bytes], 0n));
    }
  });
}

testCommitments(
  'Sapling',
  cryptographyOf('sapling'),
  PLAIN_JUBJUB,
  toNobleJubjub(SAPLING_VALUE_BASE.point),
  toNobleJubjub(SAPLING_VALUE_RANDOMNESS_BASE.point),
);
testCommitments(
  'Orchard',
  cryptographyOf('orchard'),
  PLAIN_PALLAS,
  toNoblePallas(ORCHARD_VALUE_BASE.point),
  toNoblePallas(ORCHARD_VALUE_RANDOMNESS_BASE.point),
);
