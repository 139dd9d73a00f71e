// What a PCZT's fields are checked with: value commitments (protocol specification §5.4.8.3) and randomised validating
// keys (§4.15), the same on both curves. All of it is computed from what the PCZT reveals.
import { FormatError } from '../bytes.ts';
import { decodeInteger32 } from '../curves/integers.ts';
import {
  addJubjub,
  affineJubjub,
  ExtendedAccumulator,
  encodeJubjub,
  JUBJUB_ORDER,
  tryDecodeJubjub,
} from '../curves/jubjub.ts';
import {
  affinePallas,
  encodePallas,
  JacobianAccumulator,
  PALLAS_SCALAR_ORDER,
  tryDecodePallas,
} from '../curves/pallas.ts';
import {
  SAPLING_SPEND_AUTH_BASE,
  SAPLING_VALUE_BASE,
  SAPLING_VALUE_RANDOMNESS_BASE,
} from '../hashes/jubjubHash.ts';
import {
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
} from '../hashes/orchardBases.ts';
import type { ShieldedProtocol } from '../pools.ts';

export interface ProtocolCurve {
  /** `cv` of a value, which is negative where an action puts more in than it takes out. */
  commit(value: bigint, trapdoor: Uint8Array): Uint8Array;
  /** `rk` of a validating key. */
  randomize(ak: Uint8Array, alpha: Uint8Array): Uint8Array;
}

function scalar(bytes: Uint8Array, order: bigint): bigint {
  const value = decodeInteger32(bytes);
  if (value >= order) throw new FormatError('a scalar is not canonical');
  return value;
}

const modulo = (value: bigint, order: bigint): bigint => ((value % order) + order) % order;

const encodePallasSum = (sum: JacobianAccumulator): Uint8Array => {
  const point = affinePallas(sum);
  return point === undefined ? new Uint8Array(32) : encodePallas(point);
};

export const PROTOCOL_CURVE: Readonly<Record<ShieldedProtocol, ProtocolCurve>> = {
  sapling: {
    commit(value, trapdoor) {
      const sum = new ExtendedAccumulator();
      SAPLING_VALUE_BASE.addTo(sum, modulo(value, JUBJUB_ORDER));
      SAPLING_VALUE_RANDOMNESS_BASE.addTo(sum, scalar(trapdoor, JUBJUB_ORDER));
      return encodeJubjub(affineJubjub(sum));
    },
    randomize(ak, alpha) {
      const point = tryDecodeJubjub(ak);
      if (point === undefined) throw new FormatError('ak is not a point');
      return encodeJubjub(addJubjub(point, SAPLING_SPEND_AUTH_BASE.multiply(scalar(alpha, JUBJUB_ORDER))));
    },
  },
  orchard: {
    commit(value, trapdoor) {
      const sum = new JacobianAccumulator();
      ORCHARD_VALUE_BASE.addTo(sum, modulo(value, PALLAS_SCALAR_ORDER));
      ORCHARD_VALUE_RANDOMNESS_BASE.addTo(sum, scalar(trapdoor, PALLAS_SCALAR_ORDER));
      return encodePallasSum(sum);
    },
    randomize(ak, alpha) {
      const point = tryDecodePallas(ak);
      if (point === undefined) throw new FormatError('ak is not a point');
      const sum = new JacobianAccumulator().set(point);
      ORCHARD_SPEND_AUTH_BASE.addTo(sum, scalar(alpha, PALLAS_SCALAR_ORDER));
      return encodePallasSum(sum);
    },
  },
};
