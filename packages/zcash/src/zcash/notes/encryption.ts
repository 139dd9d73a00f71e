// Note encryption: protocol specification §4.20.1, for outputs of prepared payments and of the devnet.
import { bigintToLeBytes, FormatError, wipe } from '@wallet-companion/base/bytes';
import type { Nullifier } from '../identifiers.ts';
import { seal, sealOutgoing } from './noteCipher.ts';
import type { NoteScheme } from './noteScheme.ts';
import { encodeNotePlaintext, type NotePlaintext } from './plaintext.ts';

export interface NoteToEncrypt {
  /** Lead byte, value and rseed of the plaintext; its diversifier is the recipient's. */
  readonly leadByte: number;
  readonly value: bigint;
  readonly rseed: Uint8Array;
  /** 43 bytes: diversifier and pk_d. */
  readonly recipient: Uint8Array;
  /** 512 bytes. */
  readonly memo: Uint8Array;
  /** nullifier of the same action; empty in Sapling. */
  readonly rho: Uint8Array;
  /** Value commitment as transmitted. */
  readonly cv: Uint8Array;
  /** null: no key can recover the note from outCiphertext. */
  readonly ovk: Uint8Array | null;
  /** Only for lead byte 1, where the sender chooses it. */
  readonly esk?: bigint | undefined;
}

export interface EncryptedNote {
  /** cmu or cmx. */
  readonly commitment: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** 580 bytes. */
  readonly encCiphertext: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
  /** The nullifier the note will have. */
  nullifier(nk: Uint8Array, position: number): Nullifier;
}

/**
 * Makes and encrypts a note (protocol specification §4.20.1). FormatError when the recipient or rseed makes no note
 * (try another rseed). `randomBytes` replaces a null ovk.
 */
export function encryptNote<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  note: NoteToEncrypt,
  randomBytes: (length: number) => Uint8Array,
): EncryptedNote {
  const diversifier = note.recipient.subarray(0, 11);
  const pkdBytes = note.recipient.subarray(11, 43);
  const plaintext: NotePlaintext = {
    leadByte: note.leadByte,
    diversifier,
    value: note.value,
    rseed: note.rseed,
  };
  const gd = scheme.diversifyHash(diversifier);
  const pkd = scheme.decodeTransmissionKey(pkdBytes);
  if (gd === undefined || pkd === undefined) throw new FormatError('the recipient is not a valid address');
  const derived = scheme.deriveEphemeralSecret(plaintext, note.rho);
  const esk = derived === 'free' ? note.esk : derived;
  const created = scheme.createNote(plaintext, gd, pkd, note.rho);
  if (esk === undefined || created === undefined) throw new FormatError('this rseed gives no valid note');
  const scalar = scheme.prepareScalar(esk);
  const [epk] = scheme.multiply(gd, [scalar]);
  if (epk === undefined) throw new FormatError('this ephemeral secret gives no key');
  const ephemeralKey = scheme.encode(epk);
  const [sharedSecret] = scheme.sharedSecrets([pkd], [scalar]);
  const { commitment, nullifier } = created;
  const message = encodeNotePlaintext(plaintext, note.memo);
  const encCiphertext = seal(scheme.deriveEncryptionKey(sharedSecret!, ephemeralKey), message);
  wipe(message);
  return {
    commitment,
    nullifier,
    ephemeralKey,
    encCiphertext,
    outCiphertext:
      note.ovk === null
        ? sealOutgoing(randomBytes(32), randomBytes(32), randomBytes(32))
        : sealOutgoing(
            scheme.deriveOutgoingKey(note.ovk, note.cv, commitment, ephemeralKey),
            pkdBytes,
            bigintToLeBytes(esk, 32),
          ),
  };
}
