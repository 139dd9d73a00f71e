// The differences between the pools when notes are encrypted, decrypted and recovered (protocol specification §4.20).
// The three procedures are written once over this interface; Sapling, Orchard and Ironwood implement it.
import type { Nullifier } from '../identifiers.ts';
import type { Pool } from '../pools.ts';
import type { NotePlaintext } from './plaintext.ts';

/** A note whose commitment could be computed. */
export interface Note {
  /** cmu or cmx: 32 bytes. */
  readonly commitment: Uint8Array;
  /** The nullifier (32 bytes) under the nullifier key `nk`; only Sapling uses the leaf's position. */
  nullifier(nk: Uint8Array, position: number): Nullifier;
}

/** `Point`: a curve point other than the identity. `Scalar`: a viewing key prepared for many multiplications. */
export interface NoteScheme<Point, Scalar> {
  readonly pool: Pool;
  /** Order of the scalars' group. */
  readonly scalarOrder: bigint;

  /** epk of the 32 bytes at `offset`; undefined when no note can be decrypted with them. */
  decodeEphemeralKey(bytes: Uint8Array, offset?: number): Point | undefined;
  /** pk_d of 32 bytes: in the prime-order group and not the identity, else undefined. */
  decodeTransmissionKey(bytes: Uint8Array): Point | undefined;
  encode(point: Point): Uint8Array;
  /** g_d; undefined for an invalid diversifier (about half of all in Sapling, none in Orchard). */
  diversifyHash(diversifier: Uint8Array): Point | undefined;

  /** Any non-negative scalar. */
  prepareScalar(scalar: bigint): Scalar;
  /** [scalar]·point for each scalar, with work shared; undefined is the identity. */
  multiply(point: Point, scalars: readonly Scalar[]): (Point | undefined)[];
  /** Encoded shared secrets of every point with every scalar (point-major), with one inversion for all. */
  sharedSecrets(points: readonly Point[], scalars: readonly Scalar[]): Uint8Array[];
  /** K_enc from an encoded shared secret and the transmitted ephemeral key. */
  deriveEncryptionKey(sharedSecret: Uint8Array, ephemeralKey: Uint8Array): Uint8Array;
  /** ock from the transmitted byte strings. */
  deriveOutgoingKey(
    ovk: Uint8Array,
    cv: Uint8Array,
    commitment: Uint8Array,
    ephemeralKey: Uint8Array,
  ): Uint8Array;

  /**
   * esk derived from the plaintext; `free` when the sender chose it (lead byte 1); undefined when the note is invalid.
   */
  deriveEphemeralSecret(plaintext: NotePlaintext, rho: Uint8Array): bigint | 'free' | undefined;
  /** The note with this recipient; undefined when rho, rcm or the commitment is invalid. `rho` is empty in Sapling. */
  createNote(plaintext: NotePlaintext, gd: Point, pkd: Point, rho: Uint8Array): Note | undefined;
}
