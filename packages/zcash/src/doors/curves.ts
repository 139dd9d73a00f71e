// Curves and hashes of the protocol, for code that makes notes rather than finds them.

export { decodeInteger32, encodeInteger32 } from '../zcash/curves/integers.ts';
export {
  affineJubjub,
  ExtendedAccumulator,
  encodeJubjub,
  isJubjubIdentity,
  JUBJUB_BASE,
  JUBJUB_ORDER,
  type JubjubPoint,
  toJubjubScalar,
  toNiels,
  tryDecodeJubjub,
} from '../zcash/curves/jubjub.ts';
export { isInJubjubSubgroup, multiplyJubjub } from '../zcash/curves/jubjubMultiply.ts';
export {
  affinePallas,
  affinePallasAll,
  encodePallas,
  JacobianAccumulator,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  toPallasBase,
  toPallasScalar,
  tryDecodePallas,
} from '../zcash/curves/pallas.ts';
export { multiplyPallas } from '../zcash/curves/pallasMultiply.ts';
export { type Blake2b256, blake2b, blake2b256, blake2s } from '../zcash/hashes/blake2.ts';
export {
  diversifyHashSapling,
  SAPLING_PROOF_BASE,
  SAPLING_VALUE_BASE,
  SAPLING_VALUE_RANDOMNESS_BASE,
} from '../zcash/hashes/jubjubHash.ts';
export {
  ORCHARD_NULLIFIER_BASE,
  ORCHARD_SPEND_AUTH_BASE,
  ORCHARD_VALUE_BASE,
  ORCHARD_VALUE_RANDOMNESS_BASE,
} from '../zcash/hashes/orchardBases.ts';
export { diversifyHashOrchard, hashToPallas, ISO_PALLAS } from '../zcash/hashes/pallasHash.ts';
export { PEDERSEN_BASES } from '../zcash/hashes/pedersen.ts';
export {
  CAPACITY_FOR_TWO,
  poseidonParameters,
  poseidonPower,
  poseidonStates,
} from '../zcash/hashes/poseidon.ts';
export { sha256 } from '../zcash/hashes/sha256.ts';
export { COMMIT_IVK, MERKLE_CRH_ORCHARD, NOTE_COMMIT_ORCHARD } from '../zcash/hashes/sinsemilla.ts';
