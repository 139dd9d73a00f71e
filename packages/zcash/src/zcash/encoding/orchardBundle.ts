// Orchard and Ironwood components of v5 and v6 transactions: protocol specification §7.5, ZIP 225, ZIP 229. Both have
// the same encoding; only the flags that may be set differ.

import { type ByteReader, FormatError } from '@wallet-companion/base/bytes';
import { asNullifier, type Nullifier } from '../identifiers.ts';
import { NO_RECORDS, type Records, recordField, takeRecords } from './records.ts';
import { readShieldedCount, SIGNATURE_SIZE } from './saplingBundle.ts';

const ACTION_SIZE = 820;

/** The proof size that consensus requires since NU6.2. */
export const orchardProofSize = (actions: number): number => 2720 + 2272 * actions;

/** Offsets inside an action description. */
export const ORCHARD_ACTION = {
  cv: 0,
  nullifier: 32,
  rk: 64,
  cmx: 96,
  ephemeralKey: 128,
  encCiphertext: 160,
  outCiphertext: 740,
} as const;

export interface OrchardBundle {
  /** cv_net, nullifier, rk, cmx, ephemeralKey, encCiphertext, outCiphertext. */
  readonly actions: Records;
  readonly flags: number;
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  readonly anchor: Uint8Array;
  /** Any length that the transaction states: some old proofs on chain are longer than `orchardProofSize`. */
  readonly proof: Uint8Array;
  readonly spendAuthSigs: Records;
  readonly bindingSig: Uint8Array;
}

const NOTHING = new Uint8Array(0);
export const EMPTY_ORCHARD: OrchardBundle = {
  actions: NO_RECORDS,
  flags: 0,
  valueBalance: 0n,
  anchor: NOTHING,
  proof: NOTHING,
  spendAuthSigs: NO_RECORDS,
  bindingSig: NOTHING,
};

/** Flags outside `allowedFlags` are reserved and must be zero. */
export function readOrchardBundle(reader: ByteReader, allowedFlags: number): OrchardBundle {
  const count = readShieldedCount(reader, ACTION_SIZE);
  if (count === 0) return EMPTY_ORCHARD;
  const actions = takeRecords(reader, count, ACTION_SIZE);
  const flags = reader.u8();
  if ((flags & ~allowedFlags) !== 0) throw new FormatError(`reserved action flags are set: ${flags}`);
  return {
    actions,
    flags,
    valueBalance: reader.i64(),
    anchor: reader.take(32),
    proof: reader.take(reader.count(1)),
    spendAuthSigs: takeRecords(reader, count, SIGNATURE_SIZE),
    bindingSig: reader.take(SIGNATURE_SIZE),
  };
}

export interface OrchardActionFields {
  readonly cv: Uint8Array;
  readonly nullifier: Nullifier;
  readonly rk: Uint8Array;
  readonly cmx: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** 580 bytes. */
  readonly encCiphertext: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
}

/** The fields of one action of a parsed bundle, from 0; views of its bytes. */
export function orchardAction(bundle: OrchardBundle, index: number): OrchardActionFields {
  const field = (offset: number, length: number) => recordField(bundle.actions, index, offset, length);
  return {
    cv: field(ORCHARD_ACTION.cv, 32),
    nullifier: asNullifier(field(ORCHARD_ACTION.nullifier, 32)),
    rk: field(ORCHARD_ACTION.rk, 32),
    cmx: field(ORCHARD_ACTION.cmx, 32),
    ephemeralKey: field(ORCHARD_ACTION.ephemeralKey, 32),
    encCiphertext: field(ORCHARD_ACTION.encCiphertext, 580),
    outCiphertext: field(ORCHARD_ACTION.outCiphertext, 80),
  };
}
