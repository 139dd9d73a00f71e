// Recovery of sent notes with an outgoing viewing key: protocol specification §4.20.3, ZIP 212. It needs full
// ciphertexts; the compact form of a block is not enough.
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import { decodeInteger32 } from '../curves/integers.ts';
import { MAX_MONEY } from '../network.ts';
import { isLeadByteAllowed } from './leadBytes.ts';
import { open, openOutgoing } from './noteCipher.ts';
import type { NoteScheme } from './noteScheme.ts';
import { COMPACT_PLAINTEXT_SIZE, type NotePlaintext, parseNotePlaintext } from './plaintext.ts';
import type { EncryptedOutput } from './trialDecryption.ts';

/** `ciphertext` is the full encCiphertext. */
export interface RecoverableOutput extends EncryptedOutput {
  readonly cv: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
}

/** Shielded coinbase outputs must be recoverable with this key (ZIP 213), so that anyone can read them. */
export const COINBASE_OVK = new Uint8Array(32);

export interface RecoveredNote {
  readonly plaintext: NotePlaintext;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** 512 bytes. */
  readonly memo: Uint8Array;
}

export interface RecoveredOutput extends RecoveredNote {
  /** Index into the given outgoing viewing keys. */
  readonly keyIndex: number;
}

/** What recovers with one of several keys, the first of which counts (ZIP 316: it belongs to the paying pool). */
export function tryRecoverOutput<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  output: RecoverableOutput,
  ovks: readonly Uint8Array[],
  leadBytes: number,
): RecoveredOutput | undefined {
  for (const [keyIndex, ovk] of ovks.entries()) {
    const note = tryRecoverNote(scheme, output, ovk, leadBytes);
    if (note !== undefined && note.plaintext.value <= MAX_MONEY) return { keyIndex, ...note };
  }
  return undefined;
}

/** Undefined when the output was not made for this key or is not valid. `leadBytes`: mask of `allowedLeadBytes`. */
export const tryRecoverNote = <Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  output: RecoverableOutput,
  ovk: Uint8Array,
  leadBytes: number,
): RecoveredNote | undefined =>
  tryRecoverNoteWithOck(scheme, output, outgoingCipherKey(scheme, output, ovk), leadBytes);

/** ock, which opens this output and no other (§4.20.1). */
export const outgoingCipherKey = <Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  { cv, commitment, ephemeralKey }: RecoverableOutput,
  ovk: Uint8Array,
): Uint8Array => scheme.deriveOutgoingKey(ovk, cv, commitment, ephemeralKey);

/** As `tryRecoverNote`, with the outgoing cipher key of this output alone. */
export function tryRecoverNoteWithOck<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  { rho, commitment, ephemeralKey, outCiphertext, ciphertext }: RecoverableOutput,
  ock: Uint8Array,
  leadBytes: number,
): RecoveredNote | undefined {
  const outgoing = openOutgoing(ock, outCiphertext);
  if (outgoing === undefined) return undefined;
  const pkd = scheme.decodeTransmissionKey(outgoing.pkd);
  const esk = decodeInteger32(outgoing.esk);
  if (pkd === undefined || esk === 0n || esk >= scheme.scalarOrder) return undefined;
  const scalar = scheme.prepareScalar(esk);
  const [sharedSecret] = scheme.sharedSecrets([pkd], [scalar]);
  const bytes = open(scheme.deriveEncryptionKey(sharedSecret!, ephemeralKey), ciphertext);
  if (bytes === undefined || !isLeadByteAllowed(leadBytes, bytes[0]!)) return undefined;
  const plaintext = parseNotePlaintext(bytes);
  const gd = scheme.diversifyHash(plaintext.diversifier);
  const derivedEsk = scheme.deriveEphemeralSecret(plaintext, rho);
  if (gd === undefined || derivedEsk === undefined || (derivedEsk !== 'free' && derivedEsk !== esk))
    return undefined;
  const [epk] = scheme.multiply(gd, [scalar]);
  if (epk === undefined || !equalBytes(scheme.encode(epk), ephemeralKey)) return undefined;
  const note = scheme.createNote(plaintext, gd, pkd, rho);
  if (note === undefined || !equalBytes(note.commitment, commitment)) return undefined;
  return {
    plaintext,
    recipient: concatBytes(plaintext.diversifier, outgoing.pkd),
    memo: bytes.subarray(COMPACT_PLAINTEXT_SIZE),
  };
}
