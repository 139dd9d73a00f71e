// Valid curve points by the thousand for outputs of strangers: ephemeral keys, value commitments and spend keys. A
// scanner does the same work for them as for real ones.
//
// Decoding random bytes until they are a point would cost a square root each. Here a row of running sums advances by
// one common step, in affine coordinates with one inversion per row: 6 multiplications per point on Pallas, 17 on
// Jubjub.
import { leBytesToBigint } from '@wallet-companion/base/bytes';
import {
  encodeJubjub,
  encodePallas,
  JUBJUB_BASE,
  type JubjubPoint,
  PALLAS_BASE,
  type PallasPoint,
  SAPLING_VALUE_BASE,
  tryDecodePallas,
} from '@wallet-companion/zcash/curves';
import type { Randomness } from './randomness.ts';

/** An endless source of points of the prime-order group, encoded in 32 bytes. */
export interface PointSource {
  next(): Uint8Array;
}

interface Curve<Point> {
  random(randomness: Randomness): Point;
  /** Adds one step to all points of a row. */
  advance(row: readonly Point[], step: Point): Point[];
  encode(point: Point): Uint8Array;
}

/** Points that share one inversion. Longer rows save nothing: it is already below a tenth of the cost. */
const ROW_LENGTH = 256;
/** Different steps, used in turn. */
const STEP_COUNT = 8;

/** Adding two points fails if they are equal or opposite, which random points never are. */
const PALLAS: Curve<PallasPoint> = {
  random: (randomness) => {
    for (;;) {
      const point = tryDecodePallas(randomness.fieldElement());
      if (point) return point;
    }
  },
  advance: (row, step) => {
    const { order: p, reduce, invertAll } = PALLAS_BASE;
    const inverses = row.map(({ x }) => reduce(step.x - x));
    invertAll(inverses);
    return row.map(({ x, y }, i) => {
      const slope = ((step.y - y) * inverses[i]!) % p;
      const sumX = reduce(slope * slope - x - step.x);
      return { x: sumX, y: reduce(slope * (x - sumX) - y) };
    });
  },
  encode: encodePallas,
};

/** d of the curve equation: -10240/10241. */
const JUBJUB_D = JUBJUB_BASE.reduce(-10_240n * JUBJUB_BASE.invert(10_241n));

const JUBJUB: Curve<JubjubPoint> = {
  random: (randomness) => SAPLING_VALUE_BASE.multiply(leBytesToBigint(randomness.bytes(31)) + 1n),
  advance: (row, step) => {
    const { order: q, reduce, invertAll } = JUBJUB_BASE;
    const products = row.map(({ u, v }) => {
      const uv = (u * step.v) % q;
      const vu = (v * step.u) % q;
      return { cross: uv + vu, straight: (v * step.v + u * step.u) % q, k: (JUBJUB_D * ((uv * vu) % q)) % q };
    });
    const inverses = products.map(({ k }) => reduce(1n - k * k));
    invertAll(inverses);
    return products.map(({ cross, straight, k }, i) => ({
      u: reduce(cross * ((inverses[i]! * (1n - k)) % q)),
      v: reduce(straight * ((inverses[i]! * (1n + k)) % q)),
    }));
  },
  encode: encodeJubjub,
};

function runningSums<Point>(curve: Curve<Point>, randomness: Randomness): PointSource {
  const steps = Array.from({ length: STEP_COUNT }, () => curve.random(randomness));
  // Start + distance, start + 2·distance, …: all different, and cheap.
  const distance = curve.random(randomness);
  let row = [curve.random(randomness)];
  while (row.length < ROW_LENGTH) row.push(...curve.advance(row.slice(-1), distance));
  let rounds = 0;
  let next = ROW_LENGTH;
  return {
    next: () => {
      if (next === ROW_LENGTH) {
        row = curve.advance(row, steps[rounds++ % STEP_COUNT]!);
        next = 0;
      }
      return curve.encode(row[next++]!);
    },
  };
}

export const pallasPoints = (randomness: Randomness): PointSource => runningSums(PALLAS, randomness);
export const jubjubPoints = (randomness: Randomness): PointSource => runningSums(JUBJUB, randomness);
