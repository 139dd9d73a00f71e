// [ivk] g_d. The circuit multiplies by k = ivk + t_Q, t_Q = r - 2^254, and Acc starts from [2] g_d: with a digit +1 or -1 for
// each bit below the top one, that is the product. Bits 254 to 4 by incomplete additions, in two halves side by side; three
// by complete ones; the lowest takes one g_d back where it is 0.
import { PALLAS_BASE, PALLAS_SCALAR_ORDER, type PallasPoint } from '@wallet-companion/zcash/curves';
import { bits } from './bits.ts';
import { addCompletely, assignAddition, IDENTITY } from './completeAddition.ts';
import { type DoubleAndAdd, doubleAndAdd } from './doubleAndAdd.ts';
import type { Region, Regions } from './layout.ts';
import { assignRunningSum } from './rangeChecks.ts';

const { reduce, invert } = PALLAS_BASE;
const T_Q = PALLAS_SCALAR_ORDER - (1n << 254n);
const BITS = 255;
const HIGH_STEPS = 125;
const LOW_STEPS = 126;
/** The row of the first step. */
const FIRST_ROW = 2;

/** Where a half has its cells. */
interface Half {
  readonly z: number;
  readonly x: number;
  readonly lambda1: number;
  readonly lambda2: number;
}
const HIGH: Half = { z: 9, x: 3, lambda1: 4, lambda2: 5 };
const LOW: Half = { z: 6, x: 7, lambda1: 8, lambda2: 2 };

/** Returns the product. */
export function assignVariableBase(regions: Regions, base: PallasPoint, scalar: bigint): PallasPoint {
  const k = scalar + T_Q;
  const region = regions.next('variable-base scalar mul');
  /** Its bits from the top one to the i-th after it. */
  const top = (i: number): bigint => k >> BigInt(BITS - 1 - i);
  const negative = { x: base.x, y: reduce(-base.y) };
  const addend = (i: number): PallasPoint => ((top(i) & 1n) === 1n ? base : negative);
  const chainOf = (start: PallasPoint, first: number, steps: number): DoubleAndAdd =>
    doubleAndAdd(
      start,
      Array.from({ length: steps }, (_, i) => addend(first + i)),
    );

  const twice = addCompletely(base, base);
  assignAddition(region, 0, twice);
  const high = chainOf(twice.sum, 0, HIGH_STEPS);
  assignHalf(region, HIGH, high, top);
  const low = chainOf(high.end, HIGH_STEPS, LOW_STEPS);
  assignHalf(region, LOW, low, (i) => top(HIGH_STEPS + i));

  for (let i = 0; i < LOW_STEPS; i++) {
    region.set(0, FIRST_ROW + i, base.x);
    region.set(1, FIRST_ROW + i, base.y);
  }

  let sum = low.end;
  let row = FIRST_ROW + LOW_STEPS + 1;
  for (let i = HIGH_STEPS + LOW_STEPS; i < BITS - 1; i++, row += 2) {
    region.set(9, row + 2, top(i));
    region.set(1, row, addend(i).y);
    const once = addCompletely(addend(i), sum);
    assignAddition(region, row, once);
    const again = addCompletely(sum, once.sum);
    assignAddition(region, row + 1, again);
    sum = again.sum;
  }

  const correction = (k & 1n) === 1n ? IDENTITY : negative;
  region.set(0, row, correction.x);
  region.set(1, row, correction.y);
  const product = addCompletely(correction, sum);
  assignAddition(region, row, product);
  region.set(9, row + 1, reduce(k));

  assignOverflowCheck(regions, scalar, k);
  return product.sum;
}

function assignHalf(
  region: Region,
  half: Half,
  { steps, end }: DoubleAndAdd,
  z: (i: number) => bigint,
): void {
  steps.forEach(({ lambda1, lambda2, x }, i) => {
    const row = FIRST_ROW + i;
    region.set(half.z, row, z(i));
    region.set(half.lambda1, row, lambda1);
    region.set(half.lambda2, row, lambda2);
    region.set(half.x, row + 1, x);
  });
  region.set(half.lambda1, FIRST_ROW + steps.length, end.y);
}

/** That k is ivk + t_Q as an integer, and not only modulo p. */
function assignOverflowCheck(regions: Regions, scalar: bigint, k: bigint): void {
  const s = reduce(scalar + (bits(k, 254, 255) << 130n));
  regions.next('s = alpha + k_254 ⋅ 2^130').set(6, 0, s);
  assignRunningSum(regions.next('13 words range check'), s, 13);
  const high = reduce(k >> 130n);
  regions.next('overflow check').set(6, 2, high === 0n ? 0n : invert(high));
}
