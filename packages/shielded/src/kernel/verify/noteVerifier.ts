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
}

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
