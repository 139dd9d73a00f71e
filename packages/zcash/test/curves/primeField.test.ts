import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { JUBJUB_BASE } from '../../src/zcash/curves/jubjub.ts';
import { PALLAS_BASE } from '../../src/zcash/curves/pallas.ts';
import type { PrimeField } from '../../src/zcash/curves/primeField.ts';
import { NobleJubjub, NoblePallas } from '../helpers/nobleCurves.ts';

const fields: readonly (readonly [string, PrimeField, (value: bigint) => bigint])[] = [
  ['Pallas base field', PALLAS_BASE, (value) => NoblePallas.Fp.sqrt(value)],
  ['Jubjub base field', JUBJUB_BASE, (value) => NobleJubjub.Fp.sqrt(value)],
];

for (const [name, field, nobleSqrt] of fields) {
  const { order } = field;
  const elements = integersBelow(order);
  const isSquare = (value: bigint): boolean => {
    try {
      nobleSqrt(value);
      return true;
    } catch {
      return false;
    }
  };

  test(`${name}: roots exist exactly where the reference finds one`, (t) => {
    fc.assert(
      fc.property(elements, (value) => {
        const root = field.sqrt(value);
        if (root === undefined) return !isSquare(value);
        return root >= 0n && root < order && (root * root - value) % order === 0n;
      }),
      { numRuns: 60 },
    );
    t.pass();
  });

  test(`${name}: every square has its root`, (t) => {
    fc.assert(
      fc.property(elements, (value) => {
        const root = field.sqrt((value * value) % order);
        return root === value || root === (order - value) % order;
      }),
      { numRuns: 200 },
    );
    t.pass();
  });

  test(`${name}: roots of ratios, or of the ratio times the fixed non-residue`, (t) => {
    fc.assert(
      fc.property(elements, elements, (numerator, other) => {
        const denominator = other === 0n ? 1n : other;
        const { isSquare: found, root } = field.sqrtRatio(numerator, denominator);
        const expected = found ? numerator : numerator * field.nonResidueRoot;
        return (
          (root * root * denominator - expected) % order === 0n &&
          found === (field.sqrt(numerator * field.invert(denominator)) !== undefined)
        );
      }),
      { numRuns: 200 },
    );
    t.pass();
  });

  test(`${name}: batch inversion equals single inversion and leaves zeros`, (t) => {
    fc.assert(
      fc.property(fc.array(elements, { maxLength: 12 }), (values) => {
        const inverses = [...values];
        field.invertAll(inverses);
        return values.every((value, i) =>
          value === 0n ? inverses[i] === 0n : inverses[i] === field.invert(value),
        );
      }),
    );
    t.is(field.invert(order - 1n), order - 1n);
    t.throws(() => field.invert(0n), { instanceOf: RangeError });
  });

  test(`${name}: negative residues are made canonical`, (t) => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(order ** 2n), max: order ** 2n }), (value) => {
        const reduced = field.reduce(value);
        return reduced >= 0n && reduced < order && (reduced - value) % order === 0n;
      }),
    );
    t.pass();
  });
}
