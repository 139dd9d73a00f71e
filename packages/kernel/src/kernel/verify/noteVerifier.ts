// The input and the result of the fast verification of a candidate.

import type { Nullifier } from '@wallet-companion/zcash/identifiers';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import type { Pool } from '@wallet-companion/zcash/pools';

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
export type SignOfSecret = (
  note: Pick<CandidateNote, 'secret' | 'ephemeralKey'>,
  ephemeral: bigint,
) => number | undefined;

export const REJECTED = { kind: 'rejected' } as const;
/** An exceptional case of the incomplete formulas: the reference has to decide. */
export const UNDETERMINED = { kind: 'undetermined' } as const;

export type NoteVerdict =
  | {
      readonly kind: 'verified';
      /** 32 bytes: encoding of pk_d. */
      readonly transmissionKey: Uint8Array;
      readonly nullifier: Nullifier | null;
    }
  | typeof REJECTED
  | typeof UNDETERMINED;

/** What an outgoing viewing key opened (protocol specification §4.20.3). */
export interface SentCandidate {
  readonly pool: Pool;
  /** 32 bytes each, as in outCiphertext. */
  readonly pkd: Uint8Array;
  readonly esk: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  readonly commitment: Uint8Array;
  /** Nullifier of the same action; empty in Sapling. */
  readonly rho: Uint8Array;
  /** The plaintext under an encoded shared secret; undefined when the tag is wrong or the lead byte is not allowed. */
  open(secret: Uint8Array): Uint8Array | undefined;
}

export type SentVerdict =
  | {
      readonly kind: 'verified';
      /** 564 bytes. */
      readonly plaintext: Uint8Array;
    }
  | typeof REJECTED
  | typeof UNDETERMINED;

export interface NoteVerifier {
  verify(note: CandidateNote, key: IncomingKey): NoteVerdict;
  verifySent(sent: SentCandidate): SentVerdict;
}
