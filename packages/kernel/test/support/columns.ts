// Columns of outputs for kernel tests: notes for given keys, other outputs, and ephemeral keys that are none.

import { concatBytes, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { IncomingKey } from '@wallet-companion/zcash/keys';
import { encryptNote } from '@wallet-companion/zcash/notes';
import { POOL, type Pool, type ShieldedProtocol } from '@wallet-companion/zcash/pools';
import type { OutputColumns } from '@wallet-companion/zcash/scan';
import { OutputColumnsBuilder } from '@wallet-companion/zcash/scan';
import {
  type AnyScheme,
  leadByteFor,
  type RandomBytes,
  SCHEMES,
} from '@wallet-companion/zcash/test/noteMaker';

export interface Row {
  readonly ephemeralKey: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly commitment: Uint8Array;
  readonly rho: Uint8Array;
  readonly leadBytes: number;
}

const leadMaskFor = (pool: Pool): number => (pool === 'sapling' ? 0b011 : 1 << (leadByteFor(pool) - 1));

export const protocolOf = (pool: Pool): ShieldedProtocol => POOL[pool].protocol;

export function incomingKey(pool: Pool, random: RandomBytes, ivk?: Uint8Array, account = 0): IncomingKey {
  const scalar = ivk ?? random(32);
  // 250 bits: below both group orders.
  if (ivk === undefined) scalar[31] = 0;
  const nk = random(32);
  nk[31]! &= 0x3f;
  return { protocol: protocolOf(pool), account, scope: 'external', ivk: scalar, dk: random(32), nk };
}

/** A field element below both moduli's smallest power of two. */
export function fieldElement(random: RandomBytes): Uint8Array {
  const bytes = random(32);
  bytes[31]! &= 0x1f;
  return bytes;
}

export function addressFor(scheme: AnyScheme, ivk: Uint8Array, random: RandomBytes): Uint8Array {
  // The schemes differ in their point and scalar types only, and each is used with its own values.
  const anyScheme = scheme as unknown as typeof SCHEMES.orchard;
  for (;;) {
    const diversifier = random(11);
    const base = anyScheme.diversifyHash(diversifier);
    if (base === undefined) continue;
    const [transmission] = anyScheme.multiply(base, [anyScheme.prepareScalar(leBytesToBigint(ivk))]);
    return Uint8Array.from([...diversifier, ...anyScheme.encode(transmission!)]);
  }
}

export interface NoteChoice {
  readonly value?: bigint;
  readonly leadByte?: number;
  /** Lead byte 1 only: the sender's choice. */
  readonly esk?: bigint;
}

/** A valid note for the key. */
export function noteRow(pool: Pool, key: IncomingKey, random: RandomBytes, choice: NoteChoice = {}): Row {
  const scheme = SCHEMES[pool] as unknown as typeof SCHEMES.orchard;
  const rho = pool === 'sapling' ? new Uint8Array(0) : fieldElement(random);
  const leadByte = choice.leadByte ?? leadByteFor(pool);
  const rseed = random(32);
  if (leadByte === 1) rseed[31] = 0;
  const note = encryptNote(
    scheme,
    {
      leadByte,
      value: choice.value ?? 12_345n,
      rseed,
      recipient: addressFor(SCHEMES[pool], key.ivk, random),
      memo: new Uint8Array(512),
      rho,
      cv: random(32),
      ovk: null,
      esk: choice.esk ?? (leadByte === 1 ? leBytesToBigint(fieldElement(random)) >> 8n : undefined),
    },
    random,
  );
  return {
    ephemeralKey: note.ephemeralKey,
    ciphertext: note.encCiphertext.slice(0, 52),
    commitment: note.commitment,
    rho,
    leadBytes: leadMaskFor(pool),
  };
}

/** A row for nobody; without `ephemeralKey` a random valid one. */
export function otherRow(pool: Pool, random: RandomBytes, ephemeralKey?: Uint8Array): Row {
  const scheme = SCHEMES[pool];
  let epk = ephemeralKey;
  while (epk === undefined) {
    const bytes = random(32);
    if (pool !== 'sapling') bytes[31]! &= 0xbf;
    if (scheme.decodeEphemeralKey(bytes) !== undefined) epk = bytes;
  }
  return {
    ephemeralKey: epk,
    ciphertext: random(52),
    commitment: fieldElement(random),
    rho: pool === 'sapling' ? new Uint8Array(0) : fieldElement(random),
    leadBytes: leadMaskFor(pool),
  };
}

/** Fields of a row, one after another. */
const LAYOUT = { ephemeralKey: 0, ciphertext: 32, commitment: 84, rho: 116 };

export function columnsOf(pool: Pool, rows: readonly Row[]): OutputColumns {
  const builder = new OutputColumnsBuilder(pool);
  for (const [position, { ephemeralKey, ciphertext, commitment, rho, leadBytes }] of rows.entries()) {
    builder.append(concatBytes(ephemeralKey, ciphertext, commitment, rho), 0, LAYOUT, position, leadBytes);
  }
  return builder.columns();
}
