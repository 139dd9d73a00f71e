// Additions that the kernel's formulas do not cover. With the protocol's generators nobody can construct one, so these
// tests use generators with a known relation: every such case must be left to the reference, and only such cases.

import { concatBytes, u32ToLeBytes } from '@wallet-companion/base/bytes';
import {
  affinePallas,
  hashToPallas,
  JacobianAccumulator,
  JUBJUB_ORDER,
  multiplyJubjub,
  multiplyPallas,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  PEDERSEN_BASES,
} from '@wallet-companion/zcash/curves';
import test, { type ExecutionContext } from 'ava';
import { instantiateKernel } from '../../src/kernel/batch/kernelInstance.ts';
import { PALLAS_MODULUS } from '../../src/kernel/generator/primeField.ts';
import type { KernelModule } from '../../src/kernel/load/kernelModule.ts';
import { encodeInteger } from '../../src/kernel/plan/integers.ts';
import type { NodeHash } from '../../src/kernel/trees/nodeHash.ts';
import { PedersenNodes } from '../../src/kernel/trees/pedersenNodes.ts';
import { LEAST_LANES, SinsemillaNodes } from '../../src/kernel/trees/sinsemillaNodes.ts';
import { KERNELS } from '../support/kernels.ts';

const BUILDS = Object.keys(KERNELS) as (keyof typeof KERNELS)[];
const LEVEL = 7;

const pairOf = (left: bigint, right: bigint) => concatBytes(encodeInteger(left), encodeInteger(right));
/** Every third bit: no window of it is that of a small number, or its opposite. */
const THIRDS = BigInt(`0b${'001'.repeat(80)}`);
/** Pairs that meet no exception. */
const others = (count: number) => Array.from({ length: count }, (_, i) => pairOf(BigInt(2 * i), THIRDS));

/** The pair alone and at the first, a middle and the last place of `size` pairs. */
function assertLeftOpen(t: ExecutionContext, hash: NodeHash, pair: Uint8Array, size: number): void {
  t.is(hash.join(LEVEL, pair), undefined);
  for (const place of [0, Math.floor(size / 2), size - 1]) {
    const pairs: Uint8Array[] = others(size);
    t.is(hash.join(LEVEL, concatBytes(...pairs))?.length, size * 32);
    pairs[place] = pair;
    t.is(hash.join(LEVEL, concatBytes(...pairs)), undefined, `place ${place} of ${size}`);
  }
}

const negative = ({ x, y }: PallasPoint): PallasPoint => ({ x, y: PALLAS_MODULUS - y });
const half = (point: PallasPoint): PallasPoint => multiplyPallas(point, (PALLAS_SCALAR_ORDER + 1n) / 2n)!;
function difference(a: PallasPoint, b: PallasPoint): PallasPoint {
  const sum = new JacobianAccumulator();
  sum.add(a.x, a.y);
  sum.add(b.x, PALLAS_MODULUS - b.y);
  return affinePallas(sum)!;
}
const sinsemillaPoint = (piece: number): PallasPoint =>
  hashToPallas('z.cash:SinsemillaS', u32ToLeBytes(piece))!;

/** The piece after the level, which no other pair of these tests has. */
const PIECE = 777;
/** What the sum 2Q + S(level) is before that piece. */
const SUMS: Readonly<Record<string, (piece: PallasPoint) => PallasPoint>> = {
  'the piece itself': (piece) => piece,
  'the opposite of the piece': negative,
  // Its sum with the piece is its own opposite.
  'minus half the piece': (piece) => negative(half(piece)),
};

for (const build of BUILDS) {
  for (const [name, sumBefore] of Object.entries(SUMS)) {
    test(`${build}: a Sinsemilla sum that is ${name} fails in lanes and singly`, async (t) => {
      const module: KernelModule = await KERNELS[build]();
      const start = half(difference(sumBefore(sinsemillaPoint(PIECE)), sinsemillaPoint(LEVEL)));
      const instance = instantiateKernel(module);
      const hash = new SinsemillaNodes(instance, module.variant, start);
      const mark = instance.memory.mark();
      const pair = pairOf(BigInt(PIECE) + (1n << 200n), 9n);
      assertLeftOpen(t, hash, pair, LEAST_LANES - 1);
      assertLeftOpen(t, hash, pair, LEAST_LANES);
      assertLeftOpen(t, hash, pair, 50);
      t.is(instance.memory.mark(), mark);
    });
  }

  test(`${build}: equal and opposite partial sums of a Pedersen hash are noticed`, async (t) => {
    const module: KernelModule = await KERNELS[build]();
    const generators = PEDERSEN_BASES.slice(0, 3).map(({ point }) => point);
    // Window 29, the eighth after the second segment's first, is added to window 0: let their points be the same.
    let inverse = 1n;
    for (
      let power = 1n << 96n, e = JUBJUB_ORDER - 2n;
      e > 0n;
      e >>= 1n, power = (power * power) % JUBJUB_ORDER
    )
      if (e & 1n) inverse = (inverse * power) % JUBJUB_ORDER;
    generators[1] = multiplyJubjub(generators[0]!, inverse);
    const instance = instantiateKernel(module);
    const hash = new PedersenNodes(instance, module.variant, generators);
    const mark = instance.memory.mark();
    // Window 0 is the level and three bits of the left node, window 29 the lowest nine of the right one.
    const equal = ((THIRDS >> 9n) << 9n) | (0b101n << 6n) | BigInt(LEVEL);
    const opposite = equal ^ 0b100_100_100n;
    for (const right of [equal, opposite]) {
      assertLeftOpen(t, hash, pairOf(0b101n, right), 3);
      assertLeftOpen(t, hash, pairOf(0b101n, right), 41);
    }
    t.is(instance.memory.mark(), mark);
  });
}
