// Sums of multiples on lanes against those of a published library, and the cases that lanes leave to the slow sum.

import { concatBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '@wallet-companion/zcash/curves';
import { NobleVesta as Point } from '@wallet-companion/zcash/test/nobleCurves';
import test from 'ava';
import { PALLAS_MODULUS, VESTA_MODULUS } from '../../src/kernel/generator/primeField.ts';
import { loadVesta } from '../../src/kernel/loadKernel.ts';
import { decodePoints, instantiateVesta } from '../../src/kernel/vesta/vestaKernel.ts';
import { VestaSums } from '../../src/kernel/vesta/vestaSums.ts';
import { DeterministicRandom } from '../support/deterministicRandom.ts';
import { KERNELS } from '../support/kernels.ts';

type Vesta = InstanceType<typeof Point>;

const FIXED = 70;
/** No point has it. */
const NO_X = 2n;
const coordinates = (points: readonly Vesta[]): Uint8Array =>
  concatBytes(...points.flatMap(({ x, y }) => [encodeInteger32(x), encodeInteger32(y)]));
const bytesOf = (scalars: readonly bigint[]): Uint8Array => concatBytes(...scalars.map(encodeInteger32));
const sumOf = (points: readonly Vesta[], scalars: readonly bigint[]): Vesta =>
  scalars.reduce((sum, scalar, i) => sum.add(points[i]!.multiplyUnsafe(scalar)), Point.ZERO);
const encoded = ({ x, y }: Vesta): Uint8Array => encodeInteger32(x | ((y & 1n) << 255n));

for (const [build, load] of Object.entries(KERNELS)) {
  test(`${build}: sums of fixed and other points equal those of the library`, async (t) => {
    const random = new DeterministicRandom(`sums ${build}`);
    const edges = [0n, 1n, 2n, 2048n, 2049n, 2n ** 254n, PALLAS_MODULUS - 1n];
    const scalar = (): bigint =>
      random.integer(3) === 0 ? edges[random.integer(edges.length)]! : random.below(PALLAS_MODULUS);
    const points = (count: number): Vesta[] =>
      Array.from({ length: count }, () => Point.BASE.multiply(random.below(PALLAS_MODULUS - 1n) + 1n));
    const fixed = points(FIXED);
    const sums = new VestaSums(instantiateVesta(await loadVesta(await load())), coordinates(fixed));

    for (const [first, count] of [
      [0, FIXED],
      [3, 11],
      [69, 1],
    ] as const) {
      const scalars = Array.from({ length: count }, scalar);
      const sum = sumOf(fixed.slice(first), scalars);
      t.deepEqual(sums.commit([bytesOf(scalars)], first), sum.is0() ? undefined : coordinates([sum]));
    }
    t.is(sums.commit([bytesOf([0n]), bytesOf([0n])]), undefined);

    for (const count of [0, 1, 2, 99]) {
      const scalars = Array.from({ length: FIXED }, scalar);
      const [others, multiples] = [points(count), Array.from({ length: count }, scalar)];
      // A last point that takes the sum to the identity, also where it is one of the others or opposite to it.
      const rest = sumOf(fixed, scalars).add(sumOf(others, multiples)).negate();
      const isZero = (factor: bigint) =>
        sums.isZero(bytesOf(scalars), {
          points: coordinates([...others, ...others.slice(0, 1), rest]),
          scalars: bytesOf([...multiples, ...multiples.slice(0, 1).map(() => 0n), factor]),
        });
      t.true(isZero(1n));
      t.false(isZero(2n));
      const twice = { points: coordinates([rest, rest]), scalars: bytesOf([5n, PALLAS_MODULUS - 5n]) };
      t.is(sums.isZero(bytesOf([]), twice), true);
      t.is(sums.isZero(bytesOf([]), { ...twice, scalars: bytesOf([5n, 5n]) }), false);
    }

    const [one] = points(1);
    t.deepEqual(decodePoints(sums.kernel, 'vesta', encoded(one!)), coordinates([one!]));
    t.deepEqual(decodePoints(sums.kernel, 'vesta', encoded(one!.negate())), coordinates([one!.negate()]));
    for (const bad of [0n, 2n ** 255n, one!.x + VESTA_MODULUS, 2n ** 255n - 1n, NO_X])
      t.is(decodePoints(sums.kernel, 'vesta', concatBytes(encoded(one!), encodeInteger32(bad))), undefined);
  });
}
