// Inputs for the scan benchmarks. Every row has its own ephemeral key, and 1 in 256 of them passes the lead byte under
// some key, as on the chain: repeated rows would profit from warm branches. A few rows are notes of the last key, so
// that the answer can be checked before anything is timed.

import { concatBytes, leBytesToBigint, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { blake2b } from '@wallet-companion/zcash/curves';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { encryptNote, leadByteOf, NOTE_SCHEMES, type ORCHARD } from '@wallet-companion/zcash/notes';
import { isActionPool, type Pool } from '@wallet-companion/zcash/pools';
import { type OutputColumns, OutputColumnsBuilder } from '@wallet-companion/zcash/scan';

let counter = 0;
const bytes = (length: number): Uint8Array =>
  blake2b('benchmark inputs', 64, u32ToLeBytes(counter++)).slice(0, length);

/** Below every modulus and order in use, whatever the pool. */
const small = (): Uint8Array => concatBytes(bytes(31), Uint8Array.of(0));

export function randomKeys(pool: Pool, count: number): IncomingKey[] {
  const protocol = pool === 'sapling' ? 'sapling' : 'orchard';
  return Array.from({ length: count }, (_, account) => ({
    protocol,
    account,
    scope: 'external',
    // Full length, as a hash gives it: Sapling's ivk has 251 bits, Orchard's 254.
    ivk: concatBytes(bytes(31), Uint8Array.of((bytes(1)[0]! & (pool === 'sapling' ? 0x07 : 0x1f)) | 1)),
    dk: small(),
    nk: small(),
  }));
}

export interface Row {
  readonly ephemeralKey: Uint8Array;
  readonly compactCiphertext: Uint8Array;
  readonly commitment: Uint8Array;
  readonly rho: Uint8Array;
}

function otherRow(pool: Pool): Row {
  const scheme = NOTE_SCHEMES[pool];
  for (;;) {
    const ephemeralKey = bytes(32);
    if (pool !== 'sapling') ephemeralKey[31]! &= 0xbf;
    if (scheme.decodeEphemeralKey(ephemeralKey) === undefined) continue;
    return {
      ephemeralKey,
      compactCiphertext: bytes(52),
      commitment: small(),
      rho: pool === 'sapling' ? new Uint8Array(0) : small(),
    };
  }
}

function noteRow(pool: Pool, ivk: Uint8Array): Row {
  // The schemes differ in their point and scalar types only, and each is used with its own values.
  const scheme = NOTE_SCHEMES[pool] as unknown as typeof ORCHARD;
  for (;;) {
    const diversifier = bytes(11);
    const base = scheme.diversifyHash(diversifier);
    if (base === undefined) continue;
    const [transmission] = scheme.multiply(base, [scheme.prepareScalar(leBytesToBigint(ivk))]);
    const rho = pool === 'sapling' ? new Uint8Array(0) : small();
    const note = encryptNote(
      scheme,
      {
        leadByte: isActionPool(pool) ? leadByteOf(pool) : 2,
        value: 1_000_000n,
        rseed: bytes(32),
        recipient: concatBytes(diversifier, scheme.encode(transmission!)),
        memo: new Uint8Array(512),
        rho,
        cv: bytes(32),
        ovk: null,
      },
      bytes,
    );
    return {
      ephemeralKey: note.ephemeralKey,
      compactCiphertext: note.encCiphertext.slice(0, 52),
      commitment: note.commitment,
      rho,
    };
  }
}

/** Fields of an output, one after another. */
const LAYOUT = { ephemeralKey: 0, ciphertext: 32, commitment: 84, rho: 116 };

/** Positions from 0; `leadBytes`: mask of `allowedLeadBytes`. */
export function columnsOf(pool: Pool, outputs: readonly Row[], leadBytes: number): OutputColumns {
  const builder = new OutputColumnsBuilder(pool);
  for (const [position, { ephemeralKey, compactCiphertext, commitment, rho }] of outputs.entries()) {
    const bytes = concatBytes(ephemeralKey, compactCiphertext, commitment, rho);
    builder.append(bytes, 0, LAYOUT, position, leadBytes);
  }
  return builder.columns();
}

export interface ScanInput {
  readonly columns: OutputColumns;
  /** Rows that are notes of the key that was given, in ascending order. */
  readonly noteRows: readonly number[];
}

/** `notes` rows, evenly spread, belong to `owner`; the others to nobody. */
export function scanInput(pool: Pool, rows: number, owner: IncomingKey, notes: number): ScanInput {
  const noteRows = Array.from({ length: notes }, (_, i) => Math.floor(((i + 0.5) * rows) / notes));
  const isNote = new Set(noteRows);
  const outputs = Array.from({ length: rows }, (_, row) =>
    isNote.has(row) ? noteRow(pool, owner.ivk) : otherRow(pool),
  );
  const columns = columnsOf(pool, outputs, 1 << ((isActionPool(pool) ? leadByteOf(pool) : 2) - 1));
  return { columns, noteRows: [...isNote] };
}

/** Processor time in microseconds that `work` took, all threads of the process included. */
export function processorMicroseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
