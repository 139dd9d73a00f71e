// The input and the result of the fast verification of a candidate.

import type { Nullifier } from '../../shielded/identifiers.ts';
import type { IncomingKey } from '../../shielded/keys/decryptionKeys.ts';
import type { Pool } from '../../shielded/pools.ts';

/** A row that, under an assumed shared secret, opens to an allowed lead byte and a possible value. */
export interface CandidateNote {
  readonly pool: Pool;
  /** 52 bytes. */
  readonly plaintext: Uint8Array;
  /** 32 bytes: the encoded shared secret it was opened with. */
  readonly secret: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly commitment: Uint8Array;
  /** Nullifier of the same action; empty in Sapling. */
  readonly rho: Uint8Array;
  readonly position: number;
  /** The sign of the secret, where the lanes know it; without it, it is checked by a multiplication. */
  readonly signOf?: SignOfSecret;
}

/**
 * The sign bit of the secret's encoding, for the coordinate of the ephemeral key that its encoding leaves out (Pallas:
 * y, Jubjub: u); undefined where the result is not on the curve.
 */
export type SignOfSecret = (ephemeral: bigint) => number | undefined;

export type NoteVerdict =
  | {
      readonly kind: 'verified';
      /** 32 bytes: encoding of pk_d. */
      readonly transmissionKey: Uint8Array;
      readonly nullifier: Nullifier | null;
    }
  | { readonly kind: 'rejected' }
  /** An exceptional case of the incomplete formulas: the reference has to decide. */
  | { readonly kind: 'undetermined' };

export interface NoteVerifier {
  verify(note: CandidateNote, key: IncomingKey): NoteVerdict;
}
