// Orchard and Ironwood notes: protocol specification §4.7.3, §4.16, §4.20, §5.4; ZIP 2005 and ZIP 229 for Ironwood,
// whose notes differ in the lead byte and in a commitment trapdoor that binds all fields of the note.

import { u64ToLeBytes } from '@wallet-companion/base/bytes';
import { type GlvScalar, recodeScalar } from '../curves/glv.ts';
import { decodeInteger32, encodeInteger32 } from '../curves/integers.ts';
import {
  affinePallas,
  affinePallasAll,
  encodePallas,
  extractPallas,
  JacobianAccumulator,
  PALLAS_BASE,
  PALLAS_SCALAR_ORDER,
  type PallasPoint,
  toPallasBase,
  toPallasScalar,
  tryDecodePallas,
} from '../curves/pallas.ts';
import { createPallasTable, multiplyPallasTable } from '../curves/pallasMultiply.ts';
import { joinBits } from '../hashes/bitString.ts';
import { blake2b } from '../hashes/blake2.ts';
import { ORCHARD_NULLIFIER_BASE } from '../hashes/orchardBases.ts';
import { diversifyHashOrchard } from '../hashes/pallasHash.ts';
import { poseidonHash } from '../hashes/poseidon.ts';
import { prfExpand } from '../hashes/prfExpand.ts';
import { NOTE_COMMIT_ORCHARD } from '../hashes/sinsemilla.ts';
import { asNullifier } from '../identifiers.ts';
import { type ActionPool, POOL } from '../pools.ts';
import type { Note, NoteScheme } from './noteScheme.ts';
import type { NotePlaintext } from './plaintext.ts';

export type OrchardScheme = NoteScheme<PallasPoint, GlvScalar>;

const P = PALLAS_BASE.order;

/** PRF^expand_rseed([tag] || …): 64 bytes. */
const expand = (rseed: Uint8Array, tag: number, ...inputs: readonly Uint8Array[]): Uint8Array =>
  prfExpand(rseed, Uint8Array.of(tag), ...inputs);

const ESK_TAG = 0x04;
const RCM_TAG = 0x05;
const PSI_TAG = 0x09;
const BOUND_RCM_TAG = 0x0b;

type DeriveRcm = (
  plaintext: NotePlaintext,
  gd: Uint8Array,
  pkd: Uint8Array,
  rho: Uint8Array,
  psi: Uint8Array,
) => Uint8Array;

const orchardRcm: DeriveRcm = ({ rseed }, _gd, _pkd, rho) => expand(rseed, RCM_TAG, rho);
const boundRcm: DeriveRcm = ({ rseed, value }, gd, pkd, rho, psi) =>
  expand(rseed, BOUND_RCM_TAG, gd, pkd, u64ToLeBytes(value), rho, psi);

/** What a note's commitment binds besides its recipient, value and rho. */
export interface OrchardNoteSecrets {
  readonly psi: bigint;
  /** A scalar of the group. */
  readonly rcm: bigint;
}

/** `rho` is canonical. */
export function orchardNoteSecrets(
  pool: ActionPool,
  plaintext: NotePlaintext,
  gd: PallasPoint,
  pkd: PallasPoint,
  rho: Uint8Array,
): OrchardNoteSecrets {
  const deriveRcm = POOL[pool].trapdoorBindsNote ? boundRcm : orchardRcm;
  const psi = toPallasBase(expand(plaintext.rseed, PSI_TAG, rho));
  const rcm = deriveRcm(plaintext, encodePallas(gd), encodePallas(pkd), rho, encodeInteger32(psi));
  return { psi, rcm: toPallasScalar(rcm) };
}

function createNote(
  pool: ActionPool,
  plaintext: NotePlaintext,
  gd: PallasPoint,
  pkd: PallasPoint,
  rho: Uint8Array,
): Note | undefined {
  const rhoElement = decodeInteger32(rho);
  if (rhoElement >= P) return undefined;
  const { psi, rcm } = orchardNoteSecrets(pool, plaintext, gd, pkd, rho);
  const message = joinBits(
    [encodePallas(gd), 256],
    [encodePallas(pkd), 256],
    [u64ToLeBytes(plaintext.value), 64],
    [rho, 255],
    [encodeInteger32(psi), 255],
  );
  const sum = NOTE_COMMIT_ORCHARD.commitToAccumulator(message, rcm);
  if (sum === undefined) return undefined;
  const cm = affinePallas(sum);
  return {
    commitment: encodeInteger32(extractPallas(cm)),
    nullifier: (nk) => {
      const nullifier = new JacobianAccumulator();
      if (cm !== undefined) nullifier.set(cm);
      ORCHARD_NULLIFIER_BASE.addTo(nullifier, (poseidonHash(decodeInteger32(nk), rhoElement) + psi) % P);
      return asNullifier(encodeInteger32(extractPallas(affinePallas(nullifier))));
    },
  };
}

function createScheme(pool: ActionPool): OrchardScheme {
  return {
    pool,
    scalarOrder: PALLAS_SCALAR_ORDER,
    decodeEphemeralKey: tryDecodePallas,
    decodeTransmissionKey: (bytes) => tryDecodePallas(bytes),
    encode: encodePallas,
    diversifyHash: diversifyHashOrchard,
    prepareScalar: recodeScalar,
    multiply: (point, scalars) => affinePallasAll(products(point, scalars)),
    sharedSecrets: (points, scalars) =>
      affinePallasAll(points.flatMap((point) => products(point, scalars))).map((secret) =>
        // The identity is encoded as 32 zero bytes; only a viewing key of zero would lead to it.
        secret === undefined ? new Uint8Array(32) : encodePallas(secret),
      ),
    // Ironwood uses Orchard's personalizations.
    deriveEncryptionKey: (sharedSecret, ephemeralKey) =>
      blake2b('Zcash_OrchardKDF', 32, sharedSecret, ephemeralKey),
    deriveOutgoingKey: (ovk, cv, commitment, ephemeralKey) =>
      blake2b('Zcash_Orchardock', 32, ovk, cv, commitment, ephemeralKey),
    deriveEphemeralSecret: ({ rseed }, rho) => toPallasScalar(expand(rseed, ESK_TAG, rho)) || undefined,
    createNote: (plaintext, gd, pkd, rho) => createNote(pool, plaintext, gd, pkd, rho),
  };
}

function products(point: PallasPoint, scalars: readonly GlvScalar[]): JacobianAccumulator[] {
  const table = createPallasTable(point);
  return scalars.map((scalar) => multiplyPallasTable(table, scalar));
}

export const ORCHARD = createScheme('orchard');
export const IRONWOOD = createScheme('ironwood');
