// Pallas and Jubjub as a represented group (protocol specification §4.1.9), the interface that signatures and value
// commitments need. Its identity is an ordinary point; callers that must refuse it use `isSmallOrder`.

import { recodeScalar } from './glv.ts';
import { decodeInteger32 } from './integers.ts';
import {
  affineJubjub,
  clearJubjubCofactor,
  ExtendedAccumulator,
  encodeJubjub,
  isJubjubIdentity,
  JUBJUB_ORDER,
  toJubjubScalar,
  toNiels,
  tryDecodeJubjub,
} from './jubjub.ts';
import { createJubjubTable, multiplyJubjubTable, recodeJubjubScalar } from './jubjubMultiply.ts';
import {
  affinePallas,
  encodePallas,
  JacobianAccumulator,
  PALLAS_SCALAR_ORDER,
  toPallasScalar,
  tryDecodePallas,
} from './pallas.ts';
import { createPallasTable, multiplyPallasTable } from './pallasMultiply.ts';

/** `Sum` is a point that is changed in place. */
export interface RepresentedGroup<Sum> {
  /** Prime order of the subgroup that contains the keys. */
  readonly order: bigint;
  /** ToScalar: 64 bytes, little-endian, modulo the order. */
  toScalar(wide: Uint8Array): bigint;
  identity(): Sum;
  /** `abst_G`. Undefined unless the bytes are 32 and the only encoding of a point. */
  tryDecode(bytes: Uint8Array): Sum | undefined;
  /** `repr_G` */
  encode(sum: Sum): Uint8Array;
  add(sum: Sum, other: Sum, sign: 1 | -1): void;
  /** [scalar]·point for 0 <= scalar < order; the point may be outside the subgroup. */
  product(point: Sum, scalar: bigint): Sum;
  /** Whether [cofactor]·sum is the identity; on Pallas, whether the sum is. */
  isSmallOrder(sum: Sum): boolean;
}

export const PALLAS_GROUP: RepresentedGroup<JacobianAccumulator> = {
  order: PALLAS_SCALAR_ORDER,
  toScalar: toPallasScalar,
  identity: () => new JacobianAccumulator(),
  tryDecode(bytes) {
    if (bytes.length !== 32) return undefined;
    if (decodeInteger32(bytes) === 0n) return new JacobianAccumulator();
    const point = tryDecodePallas(bytes);
    return point && new JacobianAccumulator().set(point);
  },
  encode(sum) {
    const point = affinePallas(sum);
    return point ? encodePallas(point) : new Uint8Array(32);
  },
  add(sum, other, sign) {
    const point = affinePallas(other);
    if (point) sum.add(point.x, sign === 1 ? point.y : -point.y);
  },
  product(point, scalar) {
    const affine = affinePallas(point);
    if (affine === undefined) return new JacobianAccumulator();
    return multiplyPallasTable(createPallasTable(affine), recodeScalar(scalar));
  },
  isSmallOrder: (sum) => affinePallas(sum) === undefined,
};

export const JUBJUB_GROUP: RepresentedGroup<ExtendedAccumulator> = {
  order: JUBJUB_ORDER,
  toScalar: toJubjubScalar,
  identity: () => new ExtendedAccumulator(),
  tryDecode(bytes) {
    const point = bytes.length === 32 ? tryDecodeJubjub(bytes) : undefined;
    return point && new ExtendedAccumulator().set(point);
  },
  encode: (sum) => encodeJubjub(affineJubjub(sum)),
  add: (sum, other, sign) => sum.add(toNiels(affineJubjub(other)), sign),
  product: (point, scalar) =>
    multiplyJubjubTable(createJubjubTable(affineJubjub(point)), recodeJubjubScalar(scalar)),
  isSmallOrder: (sum) => isJubjubIdentity(clearJubjubCofactor(affineJubjub(sum))),
};
