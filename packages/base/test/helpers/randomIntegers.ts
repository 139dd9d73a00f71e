// Integers for property tests of field and group arithmetic: random ones, and those near the edges where carries,
// signs and window boundaries sit.
import fc from 'fast-check';

export function integersBelow(order: bigint): fc.Arbitrary<bigint> {
  const edges = [0n, 1n, 2n, 3n, 15n, 16n, 17n, 31n, 32n, 33n, 63n, 64n, order >> 1n, (order >> 1n) + 1n];
  const near = edges.flatMap((edge) => [edge, order - 1n - edge]);
  const powers = fc
    .nat({ max: order.toString(2).length - 1 })
    .chain((bit) => fc.constantFrom(1n << BigInt(bit), (1n << BigInt(bit)) - 1n, (1n << BigInt(bit)) + 1n));
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.bigInt({ min: 0n, max: order - 1n }) },
      { weight: 1, arbitrary: fc.constantFrom(...near) },
      { weight: 1, arbitrary: powers },
    )
    .map((value) => value % order);
}
