// Sapling spends and outputs: protocol specification §7.3 and §7.4, transaction version 4 (all fields of a description
// together), and 5 and 6 (proofs and signatures apart, one anchor for all spends).
import { type ByteReader, FormatError } from '@wallet-companion/base/bytes';
import { asNullifier, type Nullifier } from '../identifiers.ts';
import { NO_RECORDS, type Records, recordField, takeRecords } from './records.ts';

const V4_SPEND_SIZE = 384;
const V4_OUTPUT_SIZE = 948;
const V5_SPEND_SIZE = 96;
const V5_OUTPUT_SIZE = 756;
export const SAPLING_PROOF_SIZE = 192;
export const SIGNATURE_SIZE = 64;
/** Counts of shielded parts must stay below this (v5 onward, ZIP 225). */
export const SHIELDED_COUNT_LIMIT = 0x1_0000;

/** Offsets inside an output description; the same in all versions, the v4 proof comes last. */
export const SAPLING_OUTPUT = {
  cv: 0,
  cmu: 32,
  ephemeralKey: 64,
  encCiphertext: 96,
  outCiphertext: 676,
} as const;

export interface SaplingBundle {
  readonly version: number;
  /** v4: cv, anchor, nullifier, rk, proof, spendAuthSig. v5, v6: cv, nullifier, rk. */
  readonly spends: Records;
  /** cv, cmu, ephemeralKey, encCiphertext, outCiphertext; v4 also the proof. */
  readonly outputs: Records;
  /** Zatoshi leaving the pool. */
  readonly valueBalance: bigint;
  /** v5, v6 with spends; else empty. */
  readonly anchor: Uint8Array;
  /** v5, v6; else empty runs. */
  readonly spendProofs: Records;
  readonly spendAuthSigs: Records;
  readonly outputProofs: Records;
  /** Empty when there is neither spend nor output. */
  readonly bindingSig: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const EMPTY: Omit<SaplingBundle, 'version'> = {
  spends: NO_RECORDS,
  outputs: NO_RECORDS,
  valueBalance: 0n,
  anchor: NOTHING,
  spendProofs: NO_RECORDS,
  spendAuthSigs: NO_RECORDS,
  outputProofs: NO_RECORDS,
  bindingSig: NOTHING,
};
export const emptySapling = (version: number): SaplingBundle => ({ version, ...EMPTY });

export function readShieldedCount(reader: ByteReader, size: number): number {
  const count = reader.count(size);
  if (count >= SHIELDED_COUNT_LIMIT) throw new FormatError(`${count} shielded parts in one transaction`);
  return count;
}

/** The v4 part before the JoinSplits. Its binding signature follows them: see `readV4BindingSig`. */
export function readV4Sapling(reader: ByteReader): Omit<SaplingBundle, 'bindingSig'> {
  const valueBalance = reader.i64();
  const spends = takeRecords(reader, reader.count(V4_SPEND_SIZE), V4_SPEND_SIZE);
  const outputs = takeRecords(reader, reader.count(V4_OUTPUT_SIZE), V4_OUTPUT_SIZE);
  return { ...EMPTY, version: 4, valueBalance, spends, outputs };
}

export function readV4BindingSig(
  reader: ByteReader,
  bundle: Pick<SaplingBundle, 'spends' | 'outputs'>,
): Uint8Array {
  return bundle.spends.count + bundle.outputs.count > 0 ? reader.take(SIGNATURE_SIZE) : NOTHING;
}

export function readV5Sapling(reader: ByteReader, version: number): SaplingBundle {
  const spends = takeRecords(reader, readShieldedCount(reader, V5_SPEND_SIZE), V5_SPEND_SIZE);
  const outputs = takeRecords(reader, readShieldedCount(reader, V5_OUTPUT_SIZE), V5_OUTPUT_SIZE);
  if (spends.count + outputs.count === 0) return emptySapling(version);
  return {
    version,
    spends,
    outputs,
    valueBalance: reader.i64(),
    anchor: spends.count > 0 ? reader.take(32) : NOTHING,
    spendProofs: takeRecords(reader, spends.count, SAPLING_PROOF_SIZE),
    spendAuthSigs: takeRecords(reader, spends.count, SIGNATURE_SIZE),
    outputProofs: takeRecords(reader, outputs.count, SAPLING_PROOF_SIZE),
    bindingSig: reader.take(SIGNATURE_SIZE),
  };
}

export interface SaplingSpendFields {
  readonly cv: Uint8Array;
  readonly anchor: Uint8Array;
  readonly nullifier: Nullifier;
  readonly rk: Uint8Array;
}

/** Offset of the nullifier inside a spend description. */
export const saplingNullifierOffset = ({ version }: SaplingBundle): number => (version === 4 ? 64 : 32);

export function saplingSpend(bundle: SaplingBundle, index: number): SaplingSpendFields {
  const field = (offset: number) => recordField(bundle.spends, index, offset, 32);
  return bundle.version === 4
    ? { cv: field(0), anchor: field(32), nullifier: asNullifier(field(64)), rk: field(96) }
    : { cv: field(0), anchor: bundle.anchor, nullifier: asNullifier(field(32)), rk: field(64) };
}

export interface SaplingOutputFields {
  readonly cv: Uint8Array;
  readonly cmu: Uint8Array;
  readonly ephemeralKey: Uint8Array;
  /** 580 bytes. */
  readonly encCiphertext: Uint8Array;
  /** 80 bytes. */
  readonly outCiphertext: Uint8Array;
}

/** The fields of one output of a parsed bundle, from 0; views of its bytes. */
export function saplingOutput(bundle: SaplingBundle, index: number): SaplingOutputFields {
  const field = (offset: number, length: number) => recordField(bundle.outputs, index, offset, length);
  return {
    cv: field(SAPLING_OUTPUT.cv, 32),
    cmu: field(SAPLING_OUTPUT.cmu, 32),
    ephemeralKey: field(SAPLING_OUTPUT.ephemeralKey, 32),
    encCiphertext: field(SAPLING_OUTPUT.encCiphertext, 580),
    outCiphertext: field(SAPLING_OUTPUT.outCiphertext, 80),
  };
}
