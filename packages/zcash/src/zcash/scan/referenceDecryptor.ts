// Trial decryption in plain TypeScript: the reference that the kernel is tested against. An ephemeral key is decoded
// once and its multiples serve every viewing key; shared secrets of a chunk of outputs become affine with one
// inversion. The lead byte can be checked only then, because nothing is decrypted before the shared secret is known.
import { leBytesToBigint } from '@wallet-companion/base/bytes';
import type { IncomingKey } from '../keys/decryptionKeys.ts';
import { MAX_MONEY } from '../network.ts';
import { isLeadByteAllowed } from '../notes/leadBytes.ts';
import { open, openCompact } from '../notes/noteCipher.ts';
import type { NoteScheme } from '../notes/noteScheme.ts';
import { NOTE_SCHEMES } from '../notes/noteSchemes.ts';
import { parseNotePlaintext } from '../notes/plaintext.ts';
import { type RecoverableOutput, type RecoveredOutput, tryRecoverOutput } from '../notes/recovery.ts';
import { tryOpenNote } from '../notes/trialDecryption.ts';
import { POOL, type Pool } from '../pools.ts';
import type { DecryptedOutput, OutputColumns, TrialDecryptor } from './types.ts';

/** Outputs that share one field inversion: at 32 it is a hundredth of the work and the working set stays small. */
const CHUNK_ROWS = 32;

/**
 * Trial decryption of compact outputs without a kernel (protocol specification §4.20, ZIP 307). It keeps nothing
 * between calls.
 */
export class ReferenceDecryptor implements TrialDecryptor {
  decrypt(columns: OutputColumns, keys: readonly IncomingKey[]): DecryptedOutput[] {
    return decryptRows(NOTE_SCHEMES[columns.pool], columns, 0, columns.count, keys);
  }

  decryptAll(all: readonly OutputColumns[], keys: readonly IncomingKey[]): DecryptedOutput[][] {
    return all.map((columns) => this.decrypt(columns, keys));
  }

  decryptRow(columns: OutputColumns, row: number, key: IncomingKey): DecryptedOutput | undefined {
    return decryptRows(NOTE_SCHEMES[columns.pool], columns, row, row + 1, [key])[0];
  }

  encryptionKeys(columns: OutputColumns, key: IncomingKey): Uint8Array[][] {
    return Array.from({ length: columns.count }, (_, row) => this.encryptionKeysOf(columns, row, key));
  }

  open(encryptionKey: Uint8Array, ciphertext: Uint8Array): Uint8Array | undefined {
    return open(encryptionKey, ciphertext);
  }

  recover(
    pool: Pool,
    output: RecoverableOutput,
    ovks: readonly Uint8Array[],
    leadBytes: number,
  ): RecoveredOutput | undefined {
    return tryRecoverOutput(NOTE_SCHEMES[pool], output, ovks, leadBytes);
  }

  /** The encryption keys of one row: one, or none where there is no key agreement. */
  encryptionKeysOf(columns: OutputColumns, row: number, key: IncomingKey): Uint8Array[] {
    return rowEncryptionKeys(NOTE_SCHEMES[columns.pool], columns, row, key);
  }
}

function rowEncryptionKeys<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  columns: OutputColumns,
  row: number,
  key: IncomingKey,
): Uint8Array[] {
  if (key.protocol !== POOL[columns.pool].protocol) return [];
  const point = scheme.decodeEphemeralKey(columns.ephemeralKeys, row * 32);
  if (point === undefined) return [];
  const [secret] = scheme.sharedSecrets([point], [scheme.prepareScalar(leBytesToBigint(key.ivk))]);
  const ephemeralKey = columns.ephemeralKeys.subarray(row * 32, row * 32 + 32);
  return [scheme.deriveEncryptionKey(secret!, ephemeralKey)];
}

interface PreparedKey<Scalar> {
  /** Index among all given keys. */
  readonly index: number;
  readonly key: IncomingKey;
  readonly scalar: Scalar;
}

/** Decrypts the rows from `firstRow` to before `endRow`. */
function decryptRows<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  columns: OutputColumns,
  firstRow: number,
  endRow: number,
  keys: readonly IncomingKey[],
): DecryptedOutput[] {
  const { protocol } = POOL[columns.pool];
  const prepared = keys.flatMap((key, index) =>
    key.protocol === protocol ? [{ index, key, scalar: scheme.prepareScalar(leBytesToBigint(key.ivk)) }] : [],
  );
  const found: DecryptedOutput[] = [];
  if (prepared.length === 0) return found;
  const scalars = prepared.map(({ scalar }) => scalar);
  for (let first = firstRow; first < endRow; first += CHUNK_ROWS) {
    const end = Math.min(first + CHUNK_ROWS, endRow);
    const rows: number[] = [];
    const points: Point[] = [];
    for (let row = first; row < end; row++) {
      // An ephemeral key that is not a point only makes its own output undecryptable.
      const point = scheme.decodeEphemeralKey(columns.ephemeralKeys, row * 32);
      if (point === undefined) continue;
      rows.push(row);
      points.push(point);
    }
    const secrets = scheme.sharedSecrets(points, scalars);
    for (const [i, row] of rows.entries()) {
      for (const [k, key] of prepared.entries()) {
        const output = tryRow(scheme, columns, row, key, secrets[i * prepared.length + k]!);
        if (output !== undefined) found.push(output);
      }
    }
  }
  return found;
}

function tryRow<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  columns: OutputColumns,
  row: number,
  { index, key, scalar }: PreparedKey<Scalar>,
  sharedSecret: Uint8Array,
): DecryptedOutput | undefined {
  const bytes32 = (column: Uint8Array): Uint8Array => column.subarray(row * 32, row * 32 + 32);
  const ephemeralKey = bytes32(columns.ephemeralKeys);
  const encryptionKey = scheme.deriveEncryptionKey(sharedSecret, ephemeralKey);
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
    row,
    keyIndex: index,
    plaintext: bytes,
    transmissionKey: note.transmissionKey,
    encryptionKey,
    nullifier: key.nk === undefined ? null : note.nullifier(key.nk, columns.positions[row]!),
  };
}
