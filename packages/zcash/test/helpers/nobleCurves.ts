// The slow, obvious twins of our curves: the general implementations of @noble/curves.
import { weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { jubjub } from '@noble/curves/misc.js';
import type { JubjubPoint } from '../../src/zcash/curves/jubjub.ts';
import { PALLAS_BASE, PALLAS_SCALAR_ORDER, type PallasPoint } from '../../src/zcash/curves/pallas.ts';

export const NoblePallas = weierstrass({
  p: PALLAS_BASE.order,
  n: PALLAS_SCALAR_ORDER,
  h: 1n,
  a: 0n,
  b: 5n,
  Gx: PALLAS_BASE.order - 1n,
  Gy: 2n,
});
/** Each curve's order is the other one's field. */
export const NobleVesta = weierstrass({
  p: PALLAS_SCALAR_ORDER,
  n: PALLAS_BASE.order,
  h: 1n,
  a: 0n,
  b: 5n,
  Gx: PALLAS_SCALAR_ORDER - 1n,
  Gy: 2n,
});
export const NobleJubjub = jubjub.Point;

export const PALLAS_GENERATOR: PallasPoint = { x: PALLAS_BASE.order - 1n, y: 2n };

export const fromNoblePallas = (point: InstanceType<typeof NoblePallas>): PallasPoint | undefined =>
  point.is0() ? undefined : { x: point.toAffine().x, y: point.toAffine().y };

export const toNoblePallas = (point: PallasPoint | undefined): InstanceType<typeof NoblePallas> =>
  point === undefined ? NoblePallas.ZERO : NoblePallas.fromAffine(point);

export const fromNobleJubjub = (point: InstanceType<typeof NobleJubjub>): JubjubPoint => {
  const { x, y } = point.toAffine();
  return { u: x, v: y };
};

export const toNobleJubjub = ({ u, v }: JubjubPoint): InstanceType<typeof NobleJubjub> =>
  NobleJubjub.fromAffine({ x: u, y: v });
