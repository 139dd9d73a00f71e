// Exact decryption of one row with one key, by the definitions (protocol specification §4.20.3). Few rows come here.

import { leBytesToBigint } from '../../shielded/bytes.ts';
import type { IncomingKey } from '../../shielded/keys/decryptionKeys.ts';
import { MAX_MONEY } from '../../shielded/network.ts';
import { isLeadByteAllowed } from '../../shielded/notes/leadBytes.ts';
import { openCompact } from '../../shielded/notes/noteCipher.ts';
import type { NoteScheme } from '../../shielded/notes/noteScheme.ts';
import { IRONWOOD, ORCHARD } from '../../shielded/notes/orchardScheme.ts';
import { parseNotePlaintext } from '../../shielded/notes/plaintext.ts';
import { SAPLING } from '../../shielded/notes/saplingScheme.ts';
import { tryOpenNote } from '../../shielded/notes/trialDecryption.ts';
import type { DecryptedOutput, OutputColumns } from '../../shielded/scan/types.ts';

export type VerifiedNote = Omit<DecryptedOutput, 'row' | 'keyIndex'>;

export function verifyNote(columns: OutputColumns, row: number, key: IncomingKey): VerifiedNote | undefined {
  if (columns.pool === 'sapling') return verify(SAPLING, columns, row, key);
  return verify(columns.pool === 'orchard' ? ORCHARD : IRONWOOD, columns, row, key);
}

function verify<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  columns: OutputColumns,
  row: number,
  key: IncomingKey,
): VerifiedNote | undefined {
  const bytes32 = (column: Uint8Array): Uint8Array => column.subarray(row * 32, row * 32 + 32);
  const ephemeralKey = bytes32(columns.ephemeralKeys);
  const epk = scheme.decodeEphemeralKey(ephemeralKey);
  if (epk === undefined) return undefined;
  const scalar = scheme.prepareScalar(leBytesToBigint(key.ivk));
  const [secret] = scheme.sharedSecrets([epk], [scalar]);
  const encryptionKey = scheme.deriveEncryptionKey(secret!, ephemeralKey);
  const bytes = openCompact(encryptionKey, columns.ciphertexts.subarray(row * 52, row * 52 + 52));
  if (!isLeadByteAllowed(columns.leadBytes[row]!, bytes[0]!)) return undefined;
  const plaintext = parseNotePlaintext(bytes);
  if (plaintext.value > MAX_MONEY) return undefined;
  const note = tryOpenNote(
    scheme,
    { ephemeralKey, commitment: bytes32(columns.commitments), rho: bytes32(columns.nullifiers) },
    scalar,
    plaintext,
  );
  if (note === undefined) return undefined;
  return {
    plaintext: bytes,
    transmissionKey: note.transmissionKey,
    encryptionKey,
    nullifier: key.nk === undefined ? null : note.nullifier(key.nk, columns.positions[row]!),
  };
}
