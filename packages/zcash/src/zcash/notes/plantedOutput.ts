// Outputs that are notes of a viewing key and on no chain: a scan that is given one among the outputs of a block and does
// not find it is broken.

import { concatBytes, FormatError, leBytesToBigint } from '@wallet-companion/base/bytes';
import { orchardAddressAt } from '../keys/orchardKeys.ts';
import { saplingAddressAt } from '../keys/saplingKeys.ts';
import { POOL, type Pool } from '../pools.ts';
import { type EncryptedNote, encryptNote } from './encryption.ts';
import { NOTE_SCHEMES } from './noteSchemes.ts';
import { COMPACT_PLAINTEXT_SIZE, MEMO_SIZE } from './plaintext.ts';

type RandomBytes = (length: number) => Uint8Array;

/**
 * The fields of `BARE_OUTPUT`, for a key of the pool's protocol. The address is a random one of the key.
 */
export function makePlantedOutput(
  pool: Pool,
  leadByte: number,
  ivk: Uint8Array,
  randomBytes: RandomBytes,
): Uint8Array {
  for (;;) {
    const recipient = addressOf(pool, ivk, randomBytes);
    const rho = POOL[pool].hasRho ? small(randomBytes) : new Uint8Array(0);
    const note = recipient && tryEncrypt(pool, leadByte, recipient, rho, randomBytes);
    if (note === undefined) continue;
    const { ephemeralKey, encCiphertext, commitment } = note;
    return concatBytes(ephemeralKey, encCiphertext.subarray(0, COMPACT_PLAINTEXT_SIZE), commitment, rho);
  }
}

/** The diversifier comes from a random diversifier key, so it is none that the key's owner gives out. */
function addressOf(pool: Pool, ivk: Uint8Array, randomBytes: RandomBytes): Uint8Array | undefined {
  const key = { dk: randomBytes(32), ivk };
  return POOL[pool].protocol === 'sapling' ? saplingAddressAt(key, 0n) : orchardAddressAt(key, 0n);
}

/** Undefined for a seed that makes no note. */
function tryEncrypt(
  pool: Pool,
  leadByte: number,
  recipient: Uint8Array,
  rho: Uint8Array,
  randomBytes: RandomBytes,
): EncryptedNote | undefined {
  const note = {
    leadByte,
    value: leBytesToBigint(randomBytes(4)),
    // With lead byte 1 it is a scalar.
    rseed: small(randomBytes),
    recipient,
    memo: new Uint8Array(MEMO_SIZE),
    rho,
    cv: new Uint8Array(32),
    ovk: null,
    esk: leBytesToBigint(small(randomBytes)),
  };
  try {
    return encryptNote(NOTE_SCHEMES[pool], note, randomBytes);
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Below the orders of all fields and groups. */
function small(randomBytes: RandomBytes): Uint8Array {
  const bytes = randomBytes(32);
  bytes[31]! &= 0x0d;
  return bytes;
}
