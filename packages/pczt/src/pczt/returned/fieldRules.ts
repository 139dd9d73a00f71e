// The rule for each field of a returned PCZT: the compiler requires one for every field of the layout.
import type {
  Action,
  ActionBundle,
  ActionOutput,
  ActionSpend,
  Global,
  SaplingBundle,
  SaplingOutput,
  SaplingSpend,
  TransparentBundle,
  TransparentInput,
  TransparentOutput,
} from '../layout.ts';
import { FINAL_SEQUENCE } from '../layout.ts';
import type { ChangeKind } from './changes.ts';

/** No rule takes a value over: a value that is not refused is ignored. */
export type Rule =
  /** An effect of the transaction: equal to ours, or absent where the format allows. */
  | { readonly as: 'effect'; readonly change: ChangeKind }
  /** The same, where an absent field has a meaning. */
  | { readonly as: 'effectOr'; readonly change: ChangeKind; readonly absent: number }
  /** An explanation: equal to ours or absent; ignored where ours is absent. */
  | { readonly as: 'said'; readonly change: ChangeKind }
  /** An explanation that is a map. */
  | { readonly as: 'reportedByKey'; readonly change: ChangeKind }
  /** Bits: ours, or fewer. */
  | { readonly as: 'bits'; readonly change: ChangeKind }
  /** Must be absent. */
  | { readonly as: 'never'; readonly change: ChangeKind }
  /** Always ignored. */
  | { readonly as: 'leftAside' }
  /** Checked by other files of this folder: lists, and the pieces that may be taken over. */
  | { readonly as: 'apart' };

export type Rules<T> = { readonly [Field in keyof T]-?: Rule };

const effect = (change: ChangeKind): Rule => ({ as: 'effect', change });
const explained: Rule = { as: 'said', change: 'explanation' };
const reportedByKey: Rule = { as: 'reportedByKey', change: 'explanation' };
const leftAside: Rule = { as: 'leftAside' };
const apart: Rule = { as: 'apart' };
const spendingKey: Rule = { as: 'never', change: 'spendingKey' };

export const GLOBAL_RULES: Rules<Global> = {
  txVersion: effect('transactionVersion'),
  versionGroupId: effect('transactionVersion'),
  consensusBranchId: effect('upgrade'),
  fallbackLockTime: { as: 'effectOr', change: 'lockTime', absent: 0 },
  expiryHeight: effect('expiry'),
  coinType: effect('network'),
  txModifiable: { as: 'bits', change: 'opened' },
  proprietary: reportedByKey,
};

export const TRANSPARENT_RULES: Rules<TransparentBundle> = { inputs: apart, outputs: apart };

/** A script is made here, from the signatures. */
export const INPUT_RULES: Rules<TransparentInput> = {
  prevoutTxid: effect('input'),
  prevoutIndex: effect('input'),
  sequence: { as: 'effectOr', change: 'input', absent: FINAL_SEQUENCE },
  requiredTimeLockTime: explained,
  requiredHeightLockTime: explained,
  scriptSig: leftAside,
  value: effect('input'),
  scriptPubkey: effect('input'),
  redeemScript: explained,
  partialSignatures: apart,
  sighashType: effect('input'),
  bip32Derivation: reportedByKey,
  ripemd160Preimages: reportedByKey,
  sha256Preimages: reportedByKey,
  hash160Preimages: reportedByKey,
  hash256Preimages: reportedByKey,
  proprietary: reportedByKey,
};

export const TRANSPARENT_OUTPUT_RULES: Rules<TransparentOutput> = {
  value: effect('amount'),
  scriptPubkey: effect('recipient'),
  redeemScript: explained,
  bip32Derivation: reportedByKey,
  userAddress: explained,
  proprietary: reportedByKey,
};

export const SAPLING_RULES: Rules<SaplingBundle> = {
  spends: apart,
  outputs: apart,
  valueSum: effect('valueBalance'),
  anchor: effect('anchor'),
  bsk: { as: 'said', change: 'bindingKey' },
};

export const SAPLING_SPEND_RULES: Rules<SaplingSpend> = {
  cv: effect('valueCommitment'),
  nullifier: effect('note'),
  rk: effect('spendKey'),
  zkproof: apart,
  spendAuthSig: apart,
  recipient: explained,
  value: explained,
  rcm: explained,
  rseed: explained,
  rcv: explained,
  proofGenerationKey: apart,
  witness: explained,
  alpha: explained,
  zip32Derivation: explained,
  dummyAsk: spendingKey,
  proprietary: reportedByKey,
};

const OUTPUT_RULES = {
  ephemeralKey: effect('ephemeralKey'),
  encCiphertext: apart,
  outCiphertext: effect('senderCopy'),
  recipient: { as: 'said', change: 'recipient' },
  value: { as: 'said', change: 'amount' },
  rseed: explained,
  ock: explained,
  zip32Derivation: explained,
  userAddress: explained,
  proprietary: reportedByKey,
} as const satisfies Readonly<Record<string, Rule>>;

export const SAPLING_OUTPUT_RULES: Rules<SaplingOutput> = {
  ...OUTPUT_RULES,
  cv: effect('valueCommitment'),
  cmu: effect('payment'),
  zkproof: apart,
  rcv: explained,
};

export const ACTION_BUNDLE_RULES: Rules<ActionBundle> = {
  actions: apart,
  flags: effect('flags'),
  valueSum: effect('valueBalance'),
  anchor: effect('anchor'),
  noteVersion: effect('transactionVersion'),
  zkproof: apart,
  bsk: { as: 'said', change: 'bindingKey' },
};

export const ACTION_RULES: Rules<Action> = {
  cvNet: effect('valueCommitment'),
  spend: apart,
  output: apart,
  rcv: explained,
};

export const ACTION_SPEND_RULES: Rules<ActionSpend> = {
  nullifier: effect('note'),
  rk: effect('spendKey'),
  spendAuthSig: apart,
  recipient: explained,
  value: explained,
  rho: explained,
  rseed: explained,
  fvk: explained,
  witness: explained,
  alpha: explained,
  zip32Derivation: explained,
  dummySk: spendingKey,
  proprietary: reportedByKey,
};

export const ACTION_OUTPUT_RULES: Rules<ActionOutput> = { ...OUTPUT_RULES, cmx: effect('payment') };
