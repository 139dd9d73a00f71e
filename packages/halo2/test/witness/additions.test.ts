import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import {
  multiplyPallas,
  ORCHARD_SPEND_AUTH_BASE,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
} from '@wallet-companion/zcash/curves';
import test from 'ava';
import fc from 'fast-check';
import { addCompletely, IDENTITY } from '../../src/halo2/witness/completeAddition.ts';
import { doubleAndAdd } from '../../src/halo2/witness/doubleAndAdd.ts';
import { multiplyFixedBase } from '../../src/halo2/witness/fixedBase.ts';
import { UnprovableError } from '../../src/halo2/witness/unprovable.ts';
import { witnessCircuit } from './recordedWitnesses.ts';

const BASE = ORCHARD_SPEND_AUTH_BASE.point;
const { reduce } = PALLAS_BASE;
const scalars = integersBelow(PALLAS_SCALAR_ORDER);
/** Without edges: no two points of a chain are equal or opposite. */
const unrelated = fc.bigInt({ min: 1n << 200n, max: PALLAS_SCALAR_ORDER - 1n });
const multiple = (scalar: bigint): PallasPoint => multiplyPallas(BASE, scalar) ?? IDENTITY;

test('a complete addition is the sum also of equal, opposite and no points, with the inverses of its cases', (t) => {
  const checkSum = (a: bigint, b: bigint): void => {
    const [p, q] = [multiple(a), multiple(b)];
    const { sum, alpha, beta, gamma, delta, lambda } = addCompletely(p, q);
    t.deepEqual(sum, multiple(a + b));
    const isInverse = (inverse: bigint, of: bigint): boolean =>
      reduce(of) === 0n ? inverse === 0n : reduce(inverse * of) === 1n;
    t.true(isInverse(alpha, q.x - p.x) && isInverse(beta, p.x) && isInverse(gamma, q.x));
    t.true(isInverse(delta, p.x === q.x ? q.y + p.y : 0n));
    if (p.x !== q.x) t.is(reduce(lambda * (q.x - p.x)), reduce(q.y - p.y));
    else t.is(reduce(2n * p.y * lambda), reduce(3n * p.x * p.x));
  };
  fc.assert(
    fc.property(scalars, scalars, (a, b) => {
      checkSum(a, b);
      for (const other of [a, PALLAS_SCALAR_ORDER - a, 0n]) checkSum(a, other);
    }),
    { numRuns: 20 },
  );
  checkSum(0n, 0n);
});

test('a chain of steps has the slopes of its additions; where one fails there is no proof', (t) => {
  fc.assert(
    fc.property(fc.array(unrelated, { minLength: 2, maxLength: 6 }), ([first, ...others]) => {
      let acc = multiple(first!);
      const { steps, end } = doubleAndAdd(acc, others.map(multiple));
      for (const { addend, lambda1, lambda2, x } of steps) {
        const once = addCompletely(addend, acc);
        const twice = addCompletely(once.sum, acc);
        t.deepEqual(
          [reduce(lambda1), reduce(lambda2), reduce(x)],
          [once.lambda, twice.lambda, twice.sum.x].map(reduce),
        );
        acc = twice.sum;
      }
      t.deepEqual(end, acc);
    }),
    { numRuns: 20 },
  );
  for (const other of [BASE, multiple(PALLAS_SCALAR_ORDER - 1n), multiple(PALLAS_SCALAR_ORDER - 2n)])
    t.throws(() => doubleAndAdd(BASE, [other]), { instanceOf: UnprovableError });
});

test('the windows of a fixed base give the product of each scalar', async (t) => {
  const { spendAuthBase } = await witnessCircuit();
  fc.assert(
    fc.property(scalars, (scalar) => {
      t.deepEqual(multiplyFixedBase(spendAuthBase, scalar).addition.sum, multiple(scalar));
    }),
    { numRuns: 20 },
  );
});
