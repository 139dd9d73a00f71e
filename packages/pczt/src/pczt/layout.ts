// The fields of a PCZT in the order of their bytes (ZIP 374; where its table and the released crates differ, the
// crates). Encoding 1 has fewer optional fields; both give the same values.
import type { DigestVersion } from '@wallet-companion/zcash/network';
import { MEMO_SIZE } from '@wallet-companion/zcash/notes';
import {
  bytes,
  bytesMap,
  bytesOf,
  bytesUpTo,
  choice,
  constant,
  fixed,
  i128,
  list,
  optional,
  present,
  record,
  signedMagnitude,
  tagged,
  text,
  textMap,
  u8,
  u32,
  u64,
  type ValueOf,
  variant,
  type Wire,
} from './wire.ts';

export type Encoding = 1 | 2;

export const ENC_CIPHERTEXT_SIZE = 580;
export const OUT_CIPHERTEXT_SIZE = 80;
/** The sequence of a transparent input without one. */
export const FINAL_SEQUENCE = 0xffff_ffff;

/** A transaction fits into a block of this size, which bounds the number of its items. */
const MAX_BLOCK_SIZE = 2_000_000;
/** BIP 32 and ZIP 32 count the depth of a key in one byte. */
const MAX_PATH_LENGTH = 255;

const listOfItems = <T>(of: Wire<T>, leastBytesInTransaction: number): Wire<readonly T[]> =>
  list(of, Math.floor(MAX_BLOCK_SIZE / leastBytesInTransaction));

const b32 = fixed(32);
const proprietary = textMap(bytes);
const derivation = record({ seedFingerprint: b32, derivationPath: list(u32, MAX_PATH_LENGTH) });
/** The siblings from the leaf's upward, joined. */
const witness = record({ position: u32, path: fixed(32 * 32) });

export const GLOBAL = record({
  // checkPczt.ts refuses all other versions.
  txVersion: u32 as Wire<DigestVersion>,
  versionGroupId: u32,
  consensusBranchId: u32,
  fallbackLockTime: optional(u32),
  expiryHeight: u32,
  coinType: u32,
  txModifiable: u8,
  proprietary,
});

const TRANSPARENT_INPUT = record({
  prevoutTxid: b32,
  prevoutIndex: u32,
  sequence: optional(u32),
  requiredTimeLockTime: optional(u32),
  requiredHeightLockTime: optional(u32),
  scriptSig: optional(bytes),
  value: u64,
  scriptPubkey: bytes,
  redeemScript: optional(bytes),
  partialSignatures: bytesMap(33, bytes),
  sighashType: u8,
  bip32Derivation: bytesMap(33, derivation),
  ripemd160Preimages: bytesMap(20, bytes),
  sha256Preimages: bytesMap(32, bytes),
  hash160Preimages: bytesMap(20, bytes),
  hash256Preimages: bytesMap(32, bytes),
  proprietary,
});

const TRANSPARENT_OUTPUT = record({
  value: u64,
  scriptPubkey: bytes,
  redeemScript: optional(bytes),
  bip32Derivation: bytesMap(33, derivation),
  userAddress: optional(text),
  proprietary,
});

export const TRANSPARENT = record({
  inputs: listOfItems(TRANSPARENT_INPUT, 41),
  outputs: listOfItems(TRANSPARENT_OUTPUT, 9),
});

const SAPLING_SPEND = record({
  cv: b32,
  nullifier: b32,
  rk: b32,
  zkproof: optional(fixed(192)),
  spendAuthSig: optional(fixed(64)),
  recipient: optional(fixed(43)),
  value: optional(u64),
  rcm: optional(b32),
  rseed: optional(b32),
  rcv: optional(b32),
  proofGenerationKey: optional(record({ ak: b32, nsk: b32 })),
  witness: optional(witness),
  alpha: optional(b32),
  zip32Derivation: optional(derivation),
  dummyAsk: optional(b32),
  proprietary,
});

const SAPLING_OUTPUT = record({
  cv: b32,
  cmu: b32,
  ephemeralKey: b32,
  encCiphertext: bytesOf(ENC_CIPHERTEXT_SIZE),
  outCiphertext: bytesOf(OUT_CIPHERTEXT_SIZE),
  zkproof: optional(fixed(192)),
  recipient: optional(fixed(43)),
  value: optional(u64),
  rseed: optional(b32),
  rcv: optional(b32),
  ock: optional(b32),
  zip32Derivation: optional(derivation),
  userAddress: optional(text),
  proprietary,
});

/** Sizes: spend description with proof and signature, output description with proof. */
const saplingOf = (encoding: Encoding) =>
  record({
    spends: listOfItems(SAPLING_SPEND, 352),
    outputs: listOfItems(SAPLING_OUTPUT, 948),
    valueSum: i128,
    anchor: encoding === 1 ? present(b32) : optional(b32),
    bsk: optional(b32),
  });

type CiphertextForm = 'encrypted' | 'memoPlaintext';

const CIPHERTEXT = ['encrypted', bytesOf(ENC_CIPHERTEXT_SIZE)] as const;
/** A memo from which the ciphertext can be restored, without its trailing zeros. */
const MEMO = ['memoPlaintext', bytesUpTo(MEMO_SIZE)] as const;

const actionOf = (encoding: Encoding) => {
  const redactable = encoding === 1 ? present(b32) : optional(b32);
  const needed = encoding === 1 ? b32 : tagged(b32);
  return record({
    cvNet: redactable,
    spend: record({
      nullifier: needed,
      rk: needed,
      spendAuthSig: optional(fixed(64)),
      recipient: optional(fixed(43)),
      value: optional(u64),
      rho: optional(b32),
      rseed: optional(b32),
      fvk: optional(fixed(96)),
      witness: optional(witness),
      alpha: optional(b32),
      zip32Derivation: optional(derivation),
      dummySk: optional(b32),
      proprietary,
    }),
    output: record({
      cmx: redactable,
      ephemeralKey: b32,
      encCiphertext: variant<CiphertextForm>(encoding === 1 ? [CIPHERTEXT] : [CIPHERTEXT, MEMO]),
      outCiphertext: bytesOf(OUT_CIPHERTEXT_SIZE),
      recipient: optional(fixed(43)),
      value: optional(u64),
      rseed: optional(b32),
      ock: optional(b32),
      zip32Derivation: optional(derivation),
      userAddress: optional(text),
      proprietary,
    }),
    rcv: optional(b32),
  });
};

/** In the order of their numbers. */
const NOTE_VERSIONS = ['V2', 'V3'] as const;
export type NoteVersion = (typeof NOTE_VERSIONS)[number];

/** The actions of a pool of the Orchard protocol. An action with its signature takes 884 bytes of the transaction. */
const actionsOf = (encoding: Encoding) =>
  record({
    actions: listOfItems(actionOf(encoding), 884),
    flags: u8,
    valueSum: signedMagnitude,
    anchor: encoding === 1 ? present(b32) : optional(b32),
    noteVersion: encoding === 1 ? constant<NoteVersion>('V2') : choice<NoteVersion>(...NOTE_VERSIONS),
    zkproof: optional(bytes),
    bsk: optional(b32),
  });

export const SAPLING_BUNDLE = { 1: saplingOf(1), 2: saplingOf(2) } as const;
export const ACTION_BUNDLE = { 1: actionsOf(1), 2: actionsOf(2) } as const;

export type Derivation = ValueOf<typeof derivation>;
export type Witness = ValueOf<typeof witness>;
export type Global = ValueOf<typeof GLOBAL>;
export type TransparentInput = ValueOf<typeof TRANSPARENT_INPUT>;
export type TransparentOutput = ValueOf<typeof TRANSPARENT_OUTPUT>;
export type TransparentBundle = ValueOf<typeof TRANSPARENT>;
export type SaplingSpend = ValueOf<typeof SAPLING_SPEND>;
export type SaplingOutput = ValueOf<typeof SAPLING_OUTPUT>;
export type SaplingBundle = ValueOf<ReturnType<typeof saplingOf>>;
export type Action = ValueOf<ReturnType<typeof actionOf>>;
export type ActionSpend = Action['spend'];
export type ActionOutput = Action['output'];
export type ActionBundle = ValueOf<ReturnType<typeof actionsOf>>;
