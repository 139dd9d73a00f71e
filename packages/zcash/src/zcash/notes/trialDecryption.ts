// Decryption with an incoming viewing key: protocol specification §4.20.2, ZIP 212. The compact form lacks memo and tag
// and is just as reliable, because commitment and ephemeral key are recomputed either way.
import { equalBytes } from '@wallet-companion/base/bytes';
import { isLeadByteAllowed } from './leadBytes.ts';
import { open, openCompact } from './noteCipher.ts';
import type { Note, NoteScheme } from './noteScheme.ts';
import { COMPACT_PLAINTEXT_SIZE, type NotePlaintext, parseNotePlaintext } from './plaintext.ts';

/** The transmitted parts that decryption reads. */
export interface EncryptedOutput {
  /** nullifier of the same action; empty in Sapling. */
  readonly rho: Uint8Array;
  /** cmu or cmx. */
  readonly commitment: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** 580 bytes, or its first 52 for the compact form. */
  readonly ciphertext: Uint8Array;
}

export interface DecryptedNote extends Note {
  readonly plaintext: NotePlaintext;
  /** 32 bytes: encoding of pk_d. */
  readonly transmissionKey: Uint8Array;
  /** 32 bytes: K_enc. */
  readonly encryptionKey: Uint8Array;
  /** 512 bytes; undefined for the compact form. */
  readonly memo: Uint8Array | undefined;
}

/**
 * Decrypts one output with an incoming viewing key (protocol specification §4.20.2); undefined when it is not for this
 * key or not valid. `leadBytes`: mask of `allowedLeadBytes`.
 */
export function tryDecryptNote<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  output: EncryptedOutput,
  ivk: Scalar,
  leadBytes: number,
): DecryptedNote | undefined {
  const epk = scheme.decodeEphemeralKey(output.ephemeralKey);
  if (epk === undefined) return undefined;
  const [sharedSecret] = scheme.sharedSecrets([epk], [ivk]);
  const encryptionKey = scheme.deriveEncryptionKey(sharedSecret!, output.ephemeralKey);
  const isCompact = output.ciphertext.length === COMPACT_PLAINTEXT_SIZE;
  const bytes = isCompact
    ? openCompact(encryptionKey, output.ciphertext)
    : open(encryptionKey, output.ciphertext);
  if (bytes === undefined || !isLeadByteAllowed(leadBytes, bytes[0]!)) return undefined;
  const plaintext = parseNotePlaintext(bytes);
  const opened = tryOpenNote(scheme, output, ivk, plaintext);
  if (opened === undefined) return undefined;
  return {
    ...opened,
    plaintext,
    encryptionKey,
    memo: isCompact ? undefined : bytes.subarray(COMPACT_PLAINTEXT_SIZE),
  };
}

/** The checks after decryption: recipient, commitment, ephemeral key. Undefined when one fails. */
export function tryOpenNote<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  output: Pick<EncryptedOutput, 'rho' | 'commitment' | 'ephemeralKey'>,
  ivk: Scalar,
  plaintext: NotePlaintext,
): (Note & { readonly transmissionKey: Uint8Array }) | undefined {
  const gd = scheme.diversifyHash(plaintext.diversifier);
  const esk = scheme.deriveEphemeralSecret(plaintext, output.rho);
  if (gd === undefined || esk === undefined) return undefined;
  // One table of g_d serves pk_d and the ephemeral key.
  const scalars = esk === 'free' ? [ivk] : [ivk, scheme.prepareScalar(esk)];
  const [pkd, epk] = scheme.multiply(gd, scalars);
  if (pkd === undefined) return undefined;
  if (esk !== 'free' && (epk === undefined || !equalBytes(scheme.encode(epk), output.ephemeralKey)))
    return undefined;
  const note = scheme.createNote(plaintext, gd, pkd, output.rho);
  if (note === undefined || !equalBytes(note.commitment, output.commitment)) return undefined;
  return { commitment: note.commitment, nullifier: note.nullifier, transmissionKey: scheme.encode(pkd) };
}
