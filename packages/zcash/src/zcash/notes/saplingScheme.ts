// Sapling notes: protocol specification §4.7.2, §4.16, §4.20, §5.4; ZIP 212 for lead byte 2.

import { decodeInteger32, encodeInteger32 } from '../curves/integers.ts';
import {
  affineJubjub,
  affineJubjubAll,
  ExtendedAccumulator,
  encodeJubjub,
  isJubjubIdentity,
  JUBJUB_ORDER,
  type JubjubPoint,
  toJubjubScalar,
  tryDecodeJubjub,
} from '../curves/jubjub.ts';
import {
  agreeJubjub,
  createJubjubTable,
  isInJubjubSubgroup,
  type JubjubScalar,
  multiplyJubjubTable,
  recodeJubjubScalar,
} from '../curves/jubjubMultiply.ts';
import { blake2b, blake2s } from '../hashes/blake2.ts';
import { diversifyHashSapling, SAPLING_NULLIFIER_BASE } from '../hashes/jubjubHash.ts';
import { commitNoteSapling } from '../hashes/pedersen.ts';
import { prfExpand } from '../hashes/prfExpand.ts';
import { asNullifier } from '../identifiers.ts';
import type { Note, NoteScheme } from './noteScheme.ts';
import type { NotePlaintext } from './plaintext.ts';

const FREE_RANDOMNESS = 1;
const RCM_TAG = 0x04;
const ESK_TAG = 0x05;

const expand = (rseed: Uint8Array, tag: number): bigint =>
  toJubjubScalar(prfExpand(rseed, Uint8Array.of(tag)));

/** rcm; undefined when the 32 bytes of a note with lead byte 1 are not a canonical scalar. */
function deriveRcm({ leadByte, rseed }: NotePlaintext): bigint | undefined {
  if (leadByte !== FREE_RANDOMNESS) return expand(rseed, RCM_TAG);
  const rcm = decodeInteger32(rseed);
  return rcm < JUBJUB_ORDER ? rcm : undefined;
}

function createNote(plaintext: NotePlaintext, gd: JubjubPoint, pkd: JubjubPoint): Note | undefined {
  const rcm = deriveRcm(plaintext);
  if (rcm === undefined) return undefined;
  const cm = affineJubjub(commitNoteSapling(encodeJubjub(gd), encodeJubjub(pkd), plaintext.value, rcm));
  return {
    commitment: encodeInteger32(cm.u),
    nullifier: (nk, position) => {
      const rho = new ExtendedAccumulator().set(cm);
      SAPLING_NULLIFIER_BASE.addTo(rho, BigInt(position));
      return asNullifier(blake2s('Zcash_nf', nk, encodeJubjub(affineJubjub(rho))));
    },
  };
}

function decodeTransmissionKey(bytes: Uint8Array): JubjubPoint | undefined {
  const point = tryDecodeJubjub(bytes);
  return point !== undefined && !isJubjubIdentity(point) && isInJubjubSubgroup(point) ? point : undefined;
}

/** The second half of the table pays off from the second scalar on. */
const sharedTable = (point: JubjubPoint, scalars: readonly JubjubScalar[]) =>
  createJubjubTable(point, scalars.length > 1 ? 2 : 1);

export type SaplingScheme = NoteScheme<JubjubPoint, JubjubScalar>;

export const SAPLING: SaplingScheme = {
  pool: 'sapling',
  scalarOrder: JUBJUB_ORDER,
  // Small-order points are not refused: agreement multiplies by the cofactor, as the specification defines.
  decodeEphemeralKey: tryDecodeJubjub,
  decodeTransmissionKey,
  encode: encodeJubjub,
  diversifyHash: diversifyHashSapling,
  prepareScalar: recodeJubjubScalar,
  multiply: (point, scalars) => {
    const table = sharedTable(point, scalars);
    const products = affineJubjubAll(scalars.map((scalar) => multiplyJubjubTable(table, scalar)));
    return products.map((product) => (isJubjubIdentity(product) ? undefined : product));
  },
  sharedSecrets: (points, scalars) => {
    const products = points.flatMap((point) => {
      const table = sharedTable(point, scalars);
      return scalars.map((scalar) => agreeJubjub(table, scalar));
    });
    return affineJubjubAll(products).map(encodeJubjub);
  },
  deriveEncryptionKey: (sharedSecret, ephemeralKey) =>
    blake2b('Zcash_SaplingKDF', 32, sharedSecret, ephemeralKey),
  deriveOutgoingKey: (ovk, cv, commitment, ephemeralKey) =>
    blake2b('Zcash_Derive_ock', 32, ovk, cv, commitment, ephemeralKey),
  deriveEphemeralSecret: (plaintext) =>
    plaintext.leadByte === FREE_RANDOMNESS ? 'free' : expand(plaintext.rseed, ESK_TAG),
  createNote: (plaintext, gd, pkd) => createNote(plaintext, gd, pkd),
};
