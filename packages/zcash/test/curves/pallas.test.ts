import { runs } from '@wallet-companion/base/test/atLength';
import { integersBelow } from '@wallet-companion/base/test/randomIntegers';
import test from 'ava';
import fc from 'fast-check';
import { LAMBDA, nonAdjacentForm, recodeScalar, splitScalar, ZETA } from '../../src/zcash/curves/glv.ts';
import { decodeInteger32, encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import {
  affinePallas,
  encodePallas,
  JacobianAccumulator,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  tryDecodePallas,
} from '../../src/zcash/curves/pallas.ts';
import {
  createPallasTable,
  multiplyPallas,
  multiplyPallasTable,
} from '../../src/zcash/curves/pallasMultiply.ts';
import { ORCHARD_NULLIFIER_BASE, ORCHARD_SPEND_AUTH_BASE } from '../../src/zcash/hashes/orchardBases.ts';
import { fromNoblePallas, NoblePallas, PALLAS_GENERATOR, toNoblePallas } from '../helpers/nobleCurves.ts';

const P = PALLAS_BASE.order;

const negated = ({ x, y }: PallasPoint): PallasPoint => ({ x, y: P - y });
const added = (a: PallasPoint, b: PallasPoint): PallasPoint | undefined => {
  const sum = new JacobianAccumulator().set(a);
  sum.add(b.x, b.y);
  return affinePallas(sum);
};
const scalars = integersBelow(PALLAS_SCALAR_ORDER);
const points = fc
  .bigInt({ min: 1n, max: 2n ** 64n })
  .map((scalar) => fromNoblePallas(NoblePallas.BASE.multiplyUnsafe(scalar))!);

test('the endomorphism is multiplication by lambda', (t) => {
  const image = fromNoblePallas(NoblePallas.BASE.multiplyUnsafe(LAMBDA))!;
  t.deepEqual(image, { x: (PALLAS_GENERATOR.x * ZETA) % P, y: PALLAS_GENERATOR.y });
});

test('split scalars add up and are short', (t) => {
  fc.assert(
    fc.property(scalars, (k) => {
      const [k1, k2] = splitScalar(k);
      const bound = 1n << 127n;
      return (
        (k1 + k2 * LAMBDA - k) % PALLAS_SCALAR_ORDER === 0n &&
        -bound < k1 &&
        k1 < bound &&
        -bound < k2 &&
        k2 < bound
      );
    }),
    { numRuns: runs(1000, 5_000) },
  );
  t.pass();
});

test('non-adjacent forms add up, with odd digits apart from each other', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 127n) + 1n, max: 2n ** 127n - 1n }), (value) => {
      const digits = nonAdjacentForm(value, 5, 129);
      let sum = 0n;
      let last = -5;
      digits.forEach((digit, bit) => {
        if (digit === 0) return;
        sum += BigInt(digit) << BigInt(bit);
        if (digit % 2 === 0 || Math.abs(digit) > 15 || bit - last < 5)
          throw new Error(`digit ${digit} at ${bit}`);
        last = bit;
      });
      return sum === value;
    }),
    { numRuns: runs(400, 2_000) },
  );
  t.pass();
});

test('multiplication equals the reference', (t) => {
  fc.assert(
    fc.property(points, scalars, (point, scalar) => {
      t.deepEqual(
        multiplyPallas(point, scalar),
        fromNoblePallas(toNoblePallas(point).multiplyUnsafe(scalar)),
      );
    }),
    { numRuns: runs(12, 60) },
  );
});

test('multiplication by multiples of the order and beyond', (t) => {
  t.is(multiplyPallas(PALLAS_GENERATOR, 0n), undefined);
  t.is(multiplyPallas(PALLAS_GENERATOR, PALLAS_SCALAR_ORDER), undefined);
  t.deepEqual(multiplyPallas(PALLAS_GENERATOR, PALLAS_SCALAR_ORDER + 1n), PALLAS_GENERATOR);
  t.deepEqual(multiplyPallas(PALLAS_GENERATOR, PALLAS_SCALAR_ORDER - 1n), negated(PALLAS_GENERATOR));
});

test('one table serves several scalars', (t) => {
  const table = createPallasTable(PALLAS_GENERATOR);
  for (const scalar of [1n, 2n, LAMBDA, LAMBDA + 1n, PALLAS_SCALAR_ORDER - LAMBDA, 3n ** 150n]) {
    t.deepEqual(
      affinePallas(multiplyPallasTable(table, recodeScalar(scalar))),
      fromNoblePallas(NoblePallas.BASE.multiplyUnsafe(scalar % PALLAS_SCALAR_ORDER)),
    );
  }
});

test('fixed-base multiplication equals the reference', (t) => {
  for (const base of [ORCHARD_SPEND_AUTH_BASE, ORCHARD_NULLIFIER_BASE]) {
    const reference = toNoblePallas(base.point);
    fc.assert(
      fc.property(scalars, (scalar) => {
        t.deepEqual(base.multiply(scalar), fromNoblePallas(reference.multiplyUnsafe(scalar)));
      }),
      { numRuns: runs(8, 40) },
    );
  }
});

test('addition handles doubles, opposites and the identity', (t) => {
  const g = PALLAS_GENERATOR;
  t.deepEqual(added(g, g), fromNoblePallas(NoblePallas.BASE.double()));
  t.is(added(g, negated(g)), undefined);
  const sum = new JacobianAccumulator();
  sum.double();
  t.is(affinePallas(sum), undefined);
  sum.add(g.x, g.y);
  t.deepEqual(affinePallas(sum), g);
  fc.assert(
    fc.property(points, points, (a, b) => {
      t.deepEqual(added(a, b), fromNoblePallas(toNoblePallas(a).add(toNoblePallas(b))));
    }),
    { numRuns: runs(8, 40) },
  );
});

test('encodings round-trip with both signs', (t) => {
  fc.assert(
    fc.property(points, (point) => {
      t.deepEqual(tryDecodePallas(encodePallas(point)), point);
      t.deepEqual(tryDecodePallas(encodePallas(negated(point))), negated(point));
    }),
    { numRuns: runs(12, 60) },
  );
});

test('the identity, coordinates beyond the field and x of no point are refused', (t) => {
  const withSign = (bytes: Uint8Array): Uint8Array => {
    bytes[31]! |= 0x80;
    return bytes;
  };
  t.is(tryDecodePallas(new Uint8Array(32)), undefined);
  t.is(tryDecodePallas(withSign(new Uint8Array(32))), undefined);
  const x = [1n, 2n, 3n, 4n, 5n, 6n, 7n].find(
    (value) => tryDecodePallas(encodeInteger32(value)) !== undefined,
  )!;
  for (const value of [0n, x]) t.is(tryDecodePallas(encodeInteger32(P + value)), undefined);
  t.is(tryDecodePallas(new Uint8Array(32).fill(0xff)), undefined);
  t.not(tryDecodePallas(encodeInteger32(P - 1n)), undefined);
});

test('any 32 bytes decode to the point they encode, or to nothing', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const point = tryDecodePallas(bytes);
      if (point !== undefined) t.deepEqual(encodePallas(point), bytes);
    }),
    { numRuns: runs(40, 200) },
  );
  t.pass();
});

test('integers round-trip at any offset', (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat({ max: 9 }), (value, offset) => {
      const bytes = new Uint8Array(32 + offset);
      bytes.set(encodeInteger32(value), offset);
      return decodeInteger32(bytes, offset) === value;
    }),
  );
  t.throws(() => decodeInteger32(new Uint8Array(31)), { instanceOf: RangeError });
});
