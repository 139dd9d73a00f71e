// Curves and hashes of the protocol, for code that makes notes rather than finds them.

export { decodeInteger32, encodeInteger32 } from '../shielded/curves/integers.ts';
export {
  encodeJubjub,
  isJubjubIdentity,
  JUBJUB_BASE,
  JUBJUB_ORDER,
  type JubjubPoint,
  tryDecodeJubjub,
} from '../shielded/curves/jubjub.ts';
export { isInJubjubSubgroup } from '../shielded/curves/jubjubMultiply.ts';
export {
  encodePallas,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  tryDecodePallas,
} from '../shielded/curves/pallas.ts';
export { blake2b, blake2b256 } from '../shielded/hashes/blake2.ts';
export { SAPLING_VALUE_BASE } from '../shielded/hashes/jubjubHash.ts';
