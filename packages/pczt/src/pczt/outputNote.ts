// A note as a PCZT describes it (recipient, value, rseed), and the values derived from it: commitment, ephemeral key
// and the key of its ciphertext.
import { decodeInteger32 } from '@wallet-companion/zcash/curves';
import type { Note, NotePlaintext } from '@wallet-companion/zcash/notes';
import { NOTE_SCHEMES } from '@wallet-companion/zcash/notes';
import type { Pool } from '@wallet-companion/zcash/pools';

export interface DescribedNote {
  readonly leadByte: number;
  readonly recipient: Uint8Array;
  readonly value: bigint;
  /** With lead byte 1 it is rcm. */
  readonly rseed: Uint8Array;
  /** Empty in Sapling. */
  readonly rho: Uint8Array;
}

export const plaintextOf = ({ leadByte, recipient, value, rseed }: DescribedNote): NotePlaintext => ({
  leadByte,
  diversifier: recipient.subarray(0, 11),
  value,
  rseed,
});

/** Undefined where no such note can exist. */
export function noteOf(pool: Pool, described: DescribedNote): Note | undefined {
  const scheme = NOTE_SCHEMES[pool];
  const gd = scheme.diversifyHash(described.recipient.subarray(0, 11));
  const pkd = scheme.decodeTransmissionKey(described.recipient.subarray(11, 43));
  if (gd === undefined || pkd === undefined) return undefined;
  return scheme.createNote(plaintextOf(described), gd, pkd, described.rho);
}

export interface NoteKeys {
  readonly ephemeralKey: Uint8Array;
  /** K_enc */
  readonly encryptionKey: Uint8Array;
  /** Little-endian. */
  readonly esk: bigint;
}

/** The sender's keys, derived from rseed; undefined where no such note can exist, or the sender chose esk freely. */
export function noteKeysOf(pool: Pool, described: DescribedNote): NoteKeys | undefined {
  const scheme = NOTE_SCHEMES[pool];
  const gd = scheme.diversifyHash(described.recipient.subarray(0, 11));
  const pkd = scheme.decodeTransmissionKey(described.recipient.subarray(11, 43));
  const esk = scheme.deriveEphemeralSecret(plaintextOf(described), described.rho);
  if (gd === undefined || pkd === undefined || esk === undefined || esk === 'free') return undefined;
  const prepared = scheme.prepareScalar(esk);
  const [epk] = scheme.multiply(gd, [prepared]);
  const [sharedSecret] = scheme.sharedSecrets([pkd], [prepared]);
  if (epk === undefined || sharedSecret === undefined) return undefined;
  const ephemeralKey = scheme.encode(epk);
  return { ephemeralKey, encryptionKey: scheme.deriveEncryptionKey(sharedSecret, ephemeralKey), esk };
}

/** Whether the raw address belongs to the incoming viewing key. */
export function isAddressOf(pool: Pool, recipient: Uint8Array, ivk: Uint8Array): boolean {
  const scheme = NOTE_SCHEMES[pool];
  const gd = scheme.diversifyHash(recipient.subarray(0, 11));
  if (gd === undefined) return false;
  const [pkd] = scheme.multiply(gd, [scheme.prepareScalar(decodeInteger32(ivk))]);
  return pkd !== undefined && scheme.encode(pkd).every((byte, i) => byte === recipient[11 + i]);
}
