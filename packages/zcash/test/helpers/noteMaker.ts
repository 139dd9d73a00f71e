// Makes notes and blocks for tests out of a seed: deterministic keys, addresses, ciphertexts.

import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, leBytesToBigint, u32ToLeBytes } from '@wallet-companion/base/bytes';
import { encodeInteger32 } from '../../src/zcash/curves/integers.ts';
import { serializeBlock } from '../../src/zcash/encoding/block.ts';
import { merkleRoot } from '../../src/zcash/encoding/merkleRoot.ts';
import { parseTransaction } from '../../src/zcash/encoding/transaction.ts';
import type {
  OrchardActionContents,
  OrchardContents,
  SaplingContents,
  SaplingOutputContents,
  TransactionContents,
} from '../../src/zcash/encoding/transactionContents.ts';
import { serializeTransaction } from '../../src/zcash/encoding/transactionEncoding.ts';
import { txid } from '../../src/zcash/encoding/txid.ts';
import { asBlockHash, asNullifier } from '../../src/zcash/identifiers.ts';
import type { IncomingKey, OutgoingKey } from '../../src/zcash/keys/decryptionKeys.ts';
import { type EncryptedNote, encryptNote } from '../../src/zcash/notes/encryption.ts';
import { leadByteOf } from '../../src/zcash/notes/leadBytes.ts';
import type { NoteScheme } from '../../src/zcash/notes/noteScheme.ts';
import { NOTE_SCHEMES } from '../../src/zcash/notes/noteSchemes.ts';
import { ORCHARD } from '../../src/zcash/notes/orchardScheme.ts';
import { SAPLING } from '../../src/zcash/notes/saplingScheme.ts';
import { type ActionPool, isActionPool, type Pool, perActionPool } from '../../src/zcash/pools.ts';

export type RandomBytes = (length: number) => Uint8Array;

/** Reproducible bytes. */
export function seededBytes(seed: number): RandomBytes {
  let counter = 0;
  return (length) => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
      sha256(concatBytes(u32ToLeBytes(seed), u32ToLeBytes(counter++))),
    );
    return concatBytes(...blocks).slice(0, length);
  };
}

/** Any scheme, for code that treats the pools alike. */
export type AnyScheme = typeof SAPLING | typeof ORCHARD;
export const SCHEMES = {
  sapling: SAPLING,
  ...perActionPool((pool) => NOTE_SCHEMES[pool] as unknown as typeof ORCHARD),
};
/** Of new notes. */
export const leadByteFor = (pool: Pool): number => (isActionPool(pool) ? leadByteOf(pool) : 2);

export interface TestAccount {
  readonly incoming: IncomingKey;
  readonly outgoing: OutgoingKey;
  /** A raw address of 43 bytes. */
  readonly address: () => Uint8Array;
}

/** Keys of the right shape whose parts do not belong together as those of a real account do; scanning needs no more. */
export function testAccount(
  protocol: 'sapling' | 'orchard',
  account: number,
  random: RandomBytes,
): TestAccount {
  // 250 bits: below both group orders.
  const ivk = random(32);
  ivk[31] = 0;
  ivk[30]! |= 1;
  const nk = random(32);
  nk[31]! &= 0x3f;
  const address = (): Uint8Array =>
    protocol === 'sapling' ? addressOf(SAPLING, ivk, random) : addressOf(ORCHARD, ivk, random);
  return {
    incoming: { protocol, account, scope: 'external', ivk, dk: random(32), nk },
    outgoing: { protocol, account, scope: 'external', ovk: random(32) },
    address,
  };
}

function addressOf<Point, Scalar>(
  scheme: NoteScheme<Point, Scalar>,
  ivk: Uint8Array,
  random: RandomBytes,
): Uint8Array {
  for (;;) {
    const diversifier = random(11);
    const gd = scheme.diversifyHash(diversifier);
    if (gd === undefined) continue;
    const [pkd] = scheme.multiply(gd, [scheme.prepareScalar(leBytesToBigint(ivk))]);
    return concatBytes(diversifier, scheme.encode(pkd!));
  }
}

export interface NoteOptions {
  readonly recipient: Uint8Array;
  readonly value: bigint;
  readonly memo: Uint8Array;
  readonly ovk: Uint8Array | null;
  /** Sapling: 1 or 2. The other pools have one lead byte each. */
  readonly saplingLeadByte?: 1 | 2;
}

export function saplingOutputWith(options: NoteOptions, random: RandomBytes): SaplingOutputContents {
  const cv = random(32);
  const small = (): Uint8Array => concatBytes(random(31), Uint8Array.of(0));
  const leadByte = options.saplingLeadByte ?? 2;
  const rseed = leadByte === 1 ? small() : random(32);
  const esk = leadByte === 1 ? leBytesToBigint(small()) + 1n : undefined;
  const note = encryptNote(SAPLING, { ...options, leadByte, rseed, rho: new Uint8Array(0), cv, esk }, random);
  return { ...outputFields(note), cv, cmu: note.commitment, proof: new Uint8Array(192) };
}

export function actionWith(
  pool: ActionPool,
  options: NoteOptions,
  random: RandomBytes,
  nullifier = asNullifier(fieldElement(random)),
): OrchardActionContents {
  const cv = random(32);
  const leadByte = leadByteFor(pool);
  const note = encryptNote(
    SCHEMES[pool],
    { ...options, leadByte, rseed: random(32), rho: nullifier, cv },
    random,
  );
  return {
    ...outputFields(note),
    cv,
    nullifier,
    rk: random(32),
    cmx: note.commitment,
    spendAuthSig: new Uint8Array(64),
  };
}

const outputFields = ({ ephemeralKey, encCiphertext, outCiphertext }: EncryptedNote) => ({
  ephemeralKey,
  encCiphertext,
  outCiphertext,
});

/** Below both base fields' orders. */
function fieldElement(random: RandomBytes): Uint8Array {
  const bytes = random(32);
  bytes[31]! &= 0x3f;
  return bytes;
}

export const saplingBundle = (
  spends: SaplingContents['spends'],
  outputs: SaplingContents['outputs'],
): SaplingContents => ({ spends, outputs, valueBalance: -1n, bindingSig: new Uint8Array(64) });

export const actionBundle = (actions: OrchardContents['actions']): OrchardContents => ({
  actions,
  flags: 3,
  valueBalance: 0n,
  anchor: new Uint8Array(32),
  proof: new Uint8Array(10),
  bindingSig: new Uint8Array(64),
});

export const transactionWith = (version: 4 | 5 | 6, parts: Pick<TransactionContents, Pool>): Uint8Array =>
  serializeTransaction({
    version,
    consensusBranchId: 0x37a5_165b,
    lockTime: 0,
    expiryHeight: 0,
    inputs: [],
    outputs: [],
    ...parts,
  });

/** A block at a height from 17 to 32767 with a coinbase and the given transactions. */
export function blockWith(
  height: number,
  prevHash: Uint8Array,
  transactions: readonly Uint8Array[],
): Uint8Array {
  const coinbase = serializeTransaction({
    version: 5,
    consensusBranchId: 0x37a5_165b,
    lockTime: 0,
    expiryHeight: height,
    inputs: [
      {
        prevTxid: new Uint8Array(32),
        prevIndex: 0xffff_ffff,
        scriptSig: heightScript(height),
        sequence: 0xffff_ffff,
      },
    ],
    outputs: [{ value: 1n, scriptPubKey: new Uint8Array(25) }],
  });
  const all = [coinbase, ...transactions];
  return serializeBlock(
    {
      version: 4,
      prevHash: asBlockHash(prevHash),
      merkleRoot: merkleRoot(all.map((bytes) => txid(parseTransaction(bytes)))),
      blockCommitments: new Uint8Array(32),
      time: 1_700_000_000 + height,
      bits: 0x200f_0f0f,
      nonce: new Uint8Array(32),
      solution: new Uint8Array(36),
    },
    all,
  );
}

function heightScript(height: number): Uint8Array {
  const bytes = encodeInteger32(BigInt(height));
  const length = height < 128 ? 1 : 2;
  return concatBytes(Uint8Array.of(length), bytes.subarray(0, length));
}
