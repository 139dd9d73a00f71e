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
  | { readonly as: 'saidByKey'; readonly change: ChangeKind }
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
const said: Rule = { as: 'said', change: 'explanation' };
const saidByKey: Rule = { as: 'saidByKey', change: 'explanation' };
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
  proprietary: saidByKey,
};

export const TRANSPARENT_RULES: Rules<TransparentBundle> = { inputs: apart, outputs: apart };

/** A script is made here, from the signatures. */
export const INPUT_RULES: Rules<TransparentInput> = {
  prevoutTxid: effect('input'),
  prevoutIndex: effect('input'),
  sequence: { as: 'effectOr', change: 'input', absent: FINAL_SEQUENCE },
  requiredTimeLockTime: said,
  requiredHeightLockTime: said,
  scriptSig: leftAside,
  value: effect('input'),
  scriptPubkey: effect('input'),
  redeemScript: said,
  partialSignatures: apart,
  sighashType: effect('input'),
  bip32Derivation: saidByKey,
  ripemd160Preimages: saidByKey,
  sha256Preimages: saidByKey,
  hash160Preimages: saidByKey,
  hash256Preimages: saidByKey,
  proprietary: saidByKey,
};

export const TRANSPARENT_OUTPUT_RULES: Rules<TransparentOutput> = {
  value: effect('amount'),
  scriptPubkey: effect('recipient'),
  redeemScript: said,
  bip32Derivation: saidByKey,
  userAddress: said,
  proprietary: saidByKey,
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
  recipient: said,
  value: said,
  rcm: said,
  rseed: said,
  rcv: said,
  proofGenerationKey: apart,
  witness: said,
  alpha: said,
  zip32Derivation: said,
  dummyAsk: spendingKey,
  proprietary: saidByKey,
};

const OUTPUT_RULES = {
  ephemeralKey: effect('ephemeralKey'),
  encCiphertext: apart,
  outCiphertext: effect('senderCopy'),
  recipient: { as: 'said', change: 'recipient' },
  value: { as: 'said', change: 'amount' },
  rseed: said,
  ock: said,
  zip32Derivation: said,
  userAddress: said,
  proprietary: saidByKey,
} as const satisfies Readonly<Record<string, Rule>>;

export const SAPLING_OUTPUT_RULES: Rules<SaplingOutput> = {
  ...OUTPUT_RULES,
  cv: effect('valueCommitment'),
  cmu: effect('payment'),
  zkproof: apart,
  rcv: said,
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
  rcv: said,
};

export const ACTION_SPEND_RULES: Rules<ActionSpend> = {
  nullifier: effect('note'),
  rk: effect('spendKey'),
  spendAuthSig: apart,
  recipient: said,
  value: said,
  rho: said,
  rseed: said,
  fvk: said,
  witness: said,
  alpha: said,
  zip32Derivation: said,
  dummySk: spendingKey,
  proprietary: saidByKey,
};

export const ACTION_OUTPUT_RULES: Rules<ActionOutput> = { ...OUTPUT_RULES, cmx: effect('payment') };
