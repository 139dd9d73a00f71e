// The curve arithmetic done for every output: from transmitted ephemeral keys to the x- (Pallas) or v-coordinates
// (Jubjub) of the key agreement with every viewing key, without their sign. No square root is taken: the point is moved
// to an isomorphic curve on which the missing coordinate is rational (docs/inside/kernel.md, "No square root").

import { JUBJUB_D, PALLAS_ZETA } from '../plan/curveConstants.ts';
import { decodeInteger } from '../plan/integers.ts';
import type { ScalarPlan } from '../plan/steps.ts';
import type { SignOfSecret } from '../verify/noteVerifier.ts';
import { BatchInversion } from './batchInversion.ts';
import { type FieldLanes, LANES_PER_BLOCK } from './fieldLanes.ts';
import {
  MONTGOMERY_A_THIRD as A_THIRD,
  divideJubjub as divide,
  MONTGOMERY_B,
  modJubjub as mod,
  WEIERSTRASS_A,
  WEIERSTRASS_B,
} from './jubjub.ts';
import { PointBatch } from './pointBatch.ts';

export interface SharedSecrets {
  /** Per key: address of `rows` canonical 32-byte coordinates; undefined when the multiple is the identity. */
  readonly secrets: readonly (number | undefined)[];
  /** Rows whose value is meaningless: points of small order on the twist. */
  readonly spoiltRows: ReadonlySet<number>;
  /** The sign of one secret; valid until the next batch. */
  signOf(key: number, row: number): SignOfSecret;
}

/** Computes the secrets of 4*blocks ephemeral keys at `epks` (32 bytes each; bit 255 is ignored). */
export interface SecretComputation {
  compute(epks: number, blocks: number, plan: ScalarPlan): SharedSecrets;
}

/**
 * Pallas: with g = x^3 + 5 the point (g x, g^2) lies on y^2 = x^3 + 5 g^3, which is isomorphic to the curve when g is
 * a square and to its twist otherwise; the formulas use neither coefficient. x = X / g in the end.
 */
export class PallasSecrets implements SecretComputation {
  readonly #field: FieldLanes;
  readonly #five: number;
  readonly #zetaPowers: readonly [number, number];

  constructor(field: FieldLanes) {
    this.#field = field;
    this.#five = field.constant(5n);
    this.#zetaPowers = [field.constant(PALLAS_ZETA), field.constant(PALLAS_ZETA ** 2n)];
  }

  compute(epks: number, blocks: number, plan: ScalarPlan): SharedSecrets {
    const field = this.#field;
    field.discard();
    const x = field.array(blocks);
    const y = field.array(blocks);
    const g = field.array(blocks);
    field.read(x, epks, blocks);
    field.sqr(y, x, blocks);
    field.mulPlusConstant(g, y, x, this.#five, blocks);
    field.mul(x, x, g, blocks);
    field.sqr(y, g, blocks);
    const batch = new PointBatch(field, { blocks, plan, zetaPowers: this.#zetaPowers }, { x, y });
    batch.run();
    // g is never 0: -5 is not a cube.
    const inverse = new BatchInversion(field, blocks).invert(g);
    if (inverse === undefined) throw new Error('x^3 + 5 has no root on Pallas');
    field.leaveMontgomery(inverse, inverse, blocks);
    const product = field.array(blocks);
    const secrets = plan.results.map((slot) => {
      if (slot === undefined) return undefined;
      const bytes = field.memory.allocate(blocks * LANES_PER_BLOCK * 32);
      field.mul(product, batch.slot(slot).x, inverse, blocks);
      field.write(bytes, product, blocks);
      return bytes;
    });
    field.flush();
    // y = Y / g^(3/2), and the square root of g = y^2 of the ephemeral key is its y.
    const signOf: SharedSecrets['signOf'] = (key, row) => (note, ephemeral) => {
      const p = field.modulus;
      const scale = field.stored(inverse, row);
      const result = field.element(batch.slot(plan.results[key]!).y, row);
      const ordinate = (((result * scale) % p) * ((scale * ephemeral) % p)) % p;
      const abscissa = coordinateOf(note.secret);
      const isOnCurve = (ordinate * ordinate - abscissa ** 3n - 5n) % p === 0n;
      return isOnCurve ? Number(ordinate & 1n) : undefined;
    };
    return { secrets, spoiltRows: batch.spoiltLanes, signOf };
  }
}

/** The coordinate that an encoding contains. */
const coordinateOf = (encoding: Uint8Array): bigint => BigInt.asUintN(255, decodeInteger(encoding));

/**
 * Jubjub: v alone gives the Weierstrass abscissa X = N/D, with M = D^3 (X^3 + a X + b) the point (N M, M^2) lies on
 * y^2 = x^3 + a g^2 x + b g^3 for g = M D, and X = x / g. The result v = (B X - A/3 - 1) / (B X - A/3 + 1).
 */
export class JubjubSecrets implements SecretComputation {
  readonly #field: FieldLanes;
  readonly #constants: Readonly<
    Record<'n0' | 'n1' | 'd0' | 'd1' | 'a' | 'b' | 'aThird' | 'scale' | 'above' | 'below', number>
  >;

  constructor(field: FieldLanes) {
    this.#field = field;
    const constant = (value: bigint) => field.constant(mod(value));
    this.#constants = {
      n0: constant(1n + A_THIRD),
      n1: constant(1n - A_THIRD),
      d0: constant(MONTGOMERY_B),
      d1: constant(-MONTGOMERY_B),
      a: constant(WEIERSTRASS_A),
      b: constant(WEIERSTRASS_B),
      aThird: constant(divide(WEIERSTRASS_A, 3n)),
      scale: constant(MONTGOMERY_B),
      above: constant(1n - A_THIRD),
      below: constant(-1n - A_THIRD),
    };
  }

  compute(epks: number, blocks: number, plan: ScalarPlan): SharedSecrets {
    const field = this.#field;
    field.discard();
    const c = this.#constants;
    const array = () => field.array(blocks);
    const [v, n, d, m, g, x, y, s, t, linearThird] = Array.from({ length: 10 }, array) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    field.read(v, epks, blocks);
    field.affine(n, v, c.n1, c.n0, blocks);
    field.affine(d, v, c.d1, c.d0, blocks);
    field.sqr(s, d, blocks);
    field.mul(t, s, d, blocks);
    field.scale(t, t, c.b, blocks);
    field.scale(s, s, c.a, blocks);
    field.sqrPlus(s, n, s, blocks);
    field.mulPlus(m, n, s, t, blocks);
    field.mul(g, m, d, blocks);
    field.mul(x, n, m, blocks);
    field.sqr(y, m, blocks);
    field.sqr(s, g, blocks);
    field.scale(linearThird, s, c.aThird, blocks);
    const batch = new PointBatch(field, { blocks, plan, linearThird }, { x, y });
    batch.run();

    const below = s;
    const above = t;
    field.scale(below, g, c.below, blocks);
    field.scale(above, g, c.above, blocks);
    const keys = plan.results.map((slot) => {
      if (slot === undefined) return undefined;
      const { x: result } = batch.slot(slot);
      const [numerator, denominator] = [array(), array()];
      field.scalePlus(numerator, result, c.scale, below, blocks);
      field.scalePlus(denominator, result, c.scale, above, blocks);
      return { numerator, denominator };
    });
    const spoilt = new Set(batch.spoiltLanes);
    const present = keys.filter((key) => key !== undefined);
    field.flush();
    const signOf = this.#signs(m, (key) => batch.slot(plan.results[key]!).y);
    if (present.length === 0) return { secrets: keys.map(() => undefined), spoiltRows: spoilt, signOf };
    // One inversion for all keys.
    const products = present.map(({ denominator }) => denominator);
    const multiplyUp = () => {
      for (let k = 1; k < present.length; k++) {
        if (products[k] === present[k]!.denominator) products[k] = array();
        field.mul(products[k]!, products[k - 1]!, present[k]!.denominator, blocks);
      }
      return products.at(-1)!;
    };
    const inversion = new BatchInversion(field, blocks);
    const inverse = inversion.invertOr(multiplyUp, () => {
      // v is infinite: a point of order 4 on the twist.
      for (const { denominator } of present) field.replaceZeros(denominator, blocks, spoilt);
    });
    field.leaveMontgomery(inverse, inverse, blocks);
    const out = new Map<object, number>();
    for (let k = present.length - 1; k >= 0; k--) {
      const key = present[k]!;
      if (k > 0) field.mul(x, inverse, products[k - 1]!, blocks);
      else field.copy(x, inverse, blocks);
      field.mul(inverse, inverse, key.denominator, blocks);
      field.mul(y, key.numerator, x, blocks);
      const bytes = field.memory.allocate(blocks * LANES_PER_BLOCK * 32);
      field.write(bytes, y, blocks);
      out.set(key, bytes);
    }
    field.flush();
    return {
      secrets: keys.map((key) => (key === undefined ? undefined : out.get(key))),
      spoiltRows: spoilt,
      signOf,
    };
  }

  /**
   * u = x / y of the Montgomery curve, x = (1 + v) / (1 - v), and y is that of the lanes times B / g^(3/2), which the
   * ephemeral key gives: M^2 B / g^(3/2) is the y of its own.
   */
  #signs(m: number, ordinates: (key: number) => number): SharedSecrets['signOf'] {
    const field = this.#field;
    return (key, row) => (note, ephemeral) => {
      const [result, start] = [note.secret, note.ephemeralKey].map(coordinateOf) as [bigint, bigint];
      const scale = field.element(m, row);
      const above = mod((1n + result) * (1n - start));
      const below = mod(mod((1n - result) * (1n + start)) * field.element(ordinates(key), row));
      const inverse = field.inverse(below);
      if (inverse === undefined) return undefined;
      const u = mod(mod(mod(above * ephemeral) * mod(scale * scale)) * inverse);
      const [uu, vv] = [mod(u * u), mod(result * result)];
      return mod(vv - uu - 1n - JUBJUB_D * mod(uu * vv)) === 0n ? Number(u & 1n) : undefined;
    };
  }
}
