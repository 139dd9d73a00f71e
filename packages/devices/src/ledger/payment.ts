// A PCZT as the app's stream of commands (docs/PCZT_APDU.md of LedgerHQ/app-zcash): its fields, packet by packet, in a fixed
// order. The app reads no PCZT bytes.
//
// The shape below is that of a decoded PCZT, so that any library's value fits.

import { type Command, MAX_DATA } from './commands.ts';
import {
  compactSize,
  derivationPath,
  fromHex,
  HARDENED,
  harden,
  joinBytes,
  optional,
  u8,
  u32,
  u64,
} from './fields.ts';
import { LedgerError } from './ledgerError.ts';
import { accountPath } from './viewingKey.ts';

type Bytes = Uint8Array | undefined;
type Amount = bigint | undefined;

interface Derivation {
  readonly seedFingerprint: Uint8Array;
  readonly derivationPath: readonly number[];
}

export interface SignableAction {
  readonly cvNet: Bytes;
  readonly rcv: Bytes;
  readonly spend: {
    readonly nullifier: Uint8Array;
    readonly rk: Uint8Array;
    readonly spendAuthSig: Bytes;
    readonly recipient: Bytes;
    readonly value: Amount;
    readonly rho: Bytes;
    readonly rseed: Bytes;
    readonly alpha: Bytes;
    readonly zip32Derivation: Derivation | undefined;
  };
  readonly output: {
    readonly cmx: Bytes;
    readonly ephemeralKey: Uint8Array;
    readonly encCiphertext: { readonly kind: string; readonly bytes: Uint8Array };
    readonly outCiphertext: Uint8Array;
    readonly recipient: Bytes;
    readonly value: Amount;
    readonly rseed: Bytes;
  };
}

export interface SignableInput {
  /** In the order of the bytes on the chain. */
  readonly prevoutTxid: Uint8Array;
  readonly prevoutIndex: number;
  readonly sequence: number | undefined;
  readonly value: bigint;
  readonly scriptPubkey: Uint8Array;
  readonly sighashType: number;
  /** By compressed public keys in hexadecimal, as below. */
  readonly bip32Derivation: ReadonlyMap<string, Derivation>;
  readonly partialSignatures: ReadonlyMap<string, Uint8Array>;
}

export interface SignableBundle {
  readonly actions: readonly SignableAction[];
  readonly flags: number;
  readonly valueSum: bigint;
  readonly anchor: Bytes;
}

export interface SignablePayment {
  readonly global: {
    readonly txVersion: number;
    readonly versionGroupId: number;
    readonly consensusBranchId: number;
    readonly fallbackLockTime: number | undefined;
    readonly expiryHeight: number;
    readonly coinType: number;
    readonly txModifiable: number;
  };
  readonly transparent: {
    readonly inputs: readonly SignableInput[];
    readonly outputs: readonly { readonly value: bigint; readonly scriptPubkey: Uint8Array }[];
  };
  readonly sapling: { readonly spends: readonly unknown[]; readonly outputs: readonly unknown[] };
  readonly orchard: SignableBundle;
  readonly ironwood: SignableBundle;
}

const HEADER = 0x52;
const TRANSPARENT_INPUT = 0x53;
const TRANSPARENT_OUTPUT = 0x54;
const ACTIONS = { orchard: 0x56, ironwood: 0x58 } as const;
export type LedgerPool = keyof typeof ACTIONS;

const FIRST = 0x00;
const NEXT = 0x80;
const LAST = 0x01;
const FINISHED = 0x01;

/** From 3.9.3 on; 10 before. */
const MAX_INPUTS = 32;
const MAX_OUTPUTS = 10;
const MAX_SCRIPT = 252;
const MAX_ACTIONS = 32;
const SIGHASH_ALL = 1;
interface PathForm {
  readonly purpose: number;
  readonly length: number;
}
/** ZIP 32. */
const ACCOUNT: PathForm = { purpose: 32, length: 3 };
/** BIP 44. */
const KEY: PathForm = { purpose: 44, length: 5 };
/** The app derives by the path alone. */
const NO_FINGERPRINT = new Uint8Array(32);
/** Version 6 signs no anchor, yet the app reads one. */
const NO_ANCHOR = new Uint8Array(32);

export const poolsOf = ({ global }: SignablePayment): readonly LedgerPool[] =>
  global.txVersion === 5 ? ['orchard'] : ['orchard', 'ironwood'];

const refused = (why: string): LedgerError => new LedgerError('unsupported', why);

/** Throws `LedgerError` for what no version of the app accepts, before anything is sent. */
export function commandsOf(payment: SignablePayment, account: number | undefined): readonly Command[] {
  const { transparent, sapling, global } = payment;
  if (sapling.spends.length + sapling.outputs.length > 0)
    throw refused('A Ledger has no Sapling: prepare the payment without it.');
  if (transparent.inputs.length > MAX_INPUTS)
    throw refused(`A Ledger takes at most ${MAX_INPUTS} transparent inputs.`);
  if (transparent.outputs.length > MAX_OUTPUTS)
    throw refused(`A Ledger takes at most ${MAX_OUTPUTS} transparent outputs.`);
  const pools = poolsOf(payment);
  const derivation = derivationOf(payment, account);
  const bundles = pools.map((pool) => sequence(ACTIONS[pool], bundlePackets(payment[pool], derivation)));
  const commands = [
    { ins: HEADER, data: headerOf(global) },
    ...sequence(TRANSPARENT_INPUT, inputPackets(payment)),
    ...sequence(TRANSPARENT_OUTPUT, outputPackets(transparent.outputs)),
    ...bundles.flat(),
  ];
  return commands.with(-1, { ...commands.at(-1)!, p2: FINISHED });
}

const sequence = (ins: number, packets: readonly Uint8Array[]): readonly Command[] =>
  packets.map((data, at) => ({
    ins,
    p1: at === 0 ? FIRST : at === packets.length - 1 ? LAST : NEXT,
    data,
  }));

const headerOf = (global: SignablePayment['global']): Uint8Array =>
  joinBytes(
    new TextEncoder().encode('PCZT'),
    u32(global.txVersion === 5 ? 1 : 2),
    u32(global.txVersion),
    u32(global.versionGroupId),
    u32(global.consensusBranchId),
    optional(global.fallbackLockTime),
    u32(global.expiryHeight),
    u32(global.coinType),
    u8(global.txModifiable),
  );

/** Inputs of one key each (P2PKH), whose path is known. */
function inputPackets({ transparent, global }: SignablePayment): readonly Uint8Array[] {
  return [
    compactSize(transparent.inputs.length),
    ...transparent.inputs.flatMap((input) => {
      const [derived, ...others] = input.bip32Derivation;
      if (derived === undefined || others.length > 0 || input.sighashType !== SIGHASH_ALL)
        throw refused('A Ledger signs for outputs of one key, with its path in the payment.');
      const [key, derivation] = derived;
      accountOf(derivation, KEY, global);
      return [
        joinBytes(input.prevoutTxid, u32(input.prevoutIndex), optional(input.sequence), u64(input.value)),
        ...pieces(input.scriptPubkey),
        joinBytes(
          u8(SIGHASH_ALL),
          compactSize(1),
          fromHex(key),
          derivation.seedFingerprint,
          derivationPath(derivation.derivationPath),
        ),
      ];
    }),
  ];
}

/** No output is shown as change: the transparent ones of a shielded wallet are payments. */
function outputPackets(outputs: SignablePayment['transparent']['outputs']): readonly Uint8Array[] {
  return [
    compactSize(outputs.length),
    ...outputs.flatMap(({ value, scriptPubkey }) => {
      if (scriptPubkey.length > MAX_SCRIPT) throw refused('A Ledger takes no script of this length.');
      return [u64(value), ...pieces(scriptPubkey), compactSize(0)];
    }),
  ];
}

/** A field of any length: its length and content, as many packets as it needs. */
function pieces(field: Uint8Array): readonly Uint8Array[] {
  const all = joinBytes(compactSize(field.length), field);
  return Array.from({ length: Math.ceil(all.length / MAX_DATA) }, (_, at) =>
    all.subarray(at * MAX_DATA, (at + 1) * MAX_DATA),
  );
}

function bundlePackets(bundle: SignableBundle, derivation: Uint8Array): readonly Uint8Array[] {
  const { actions, flags, valueSum, anchor = NO_ANCHOR } = bundle;
  if (actions.length > MAX_ACTIONS) throw refused(`A Ledger takes at most ${MAX_ACTIONS} actions of a pool.`);
  if (actions.length === 0) return [compactSize(0)];
  const isNegative = valueSum < 0n;
  return [
    compactSize(actions.length),
    ...actions.flatMap((action) => actionPackets(action, derivation)),
    joinBytes(u8(flags), u64(isNegative ? -valueSum : valueSum), u8(isNegative ? 1 : 0), anchor),
  ];
}

function actionPackets(action: SignableAction, derivation: Uint8Array): readonly Uint8Array[] {
  const { spend, output } = action;
  const { kind, bytes: ciphertext } = output.encCiphertext;
  if (kind !== 'encrypted') throw missing('ciphertexts');
  return [
    joinBytes(
      needed(action.cvNet, 'cv_net'),
      spend.nullifier,
      spend.rk,
      needed(spend.recipient, 'recipients'),
      u64(needed(spend.value, 'values')),
      needed(spend.rho, 'rho'),
      needed(spend.rseed, 'rseed'),
      needed(spend.alpha, 'alpha'),
    ),
    derivation,
    joinBytes(needed(output.cmx, 'cmx'), output.ephemeralKey),
    ...pieces(ciphertext),
    ...pieces(output.outCiphertext),
    joinBytes(
      needed(output.recipient, 'recipients'),
      u64(needed(output.value, 'values')),
      needed(output.rseed, 'rseed'),
      needed(action.rcv, 'rcv'),
    ),
  ];
}

const missing = (field: string): LedgerError =>
  refused(`The payment has no ${field}, and a Ledger checks them: give the PCZT with all of its fields.`);

function needed<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw missing(field);
  return value;
}

/**
 * Fingerprint and path of the account, the same for every action, padding too: a payment spends from one account. Where it spends
 * no notes, its transparent inputs name the account.
 */
function derivationOf(payment: SignablePayment, account: number | undefined): Uint8Array {
  const { global, transparent } = payment;
  const spent = poolsOf(payment)
    .flatMap((pool) => payment[pool].actions)
    .map(({ spend }) => spend.zip32Derivation)
    .find((one) => one !== undefined);
  const [paid] = transparent.inputs.flatMap(({ bip32Derivation }) => [...bip32Derivation.values()]);
  let number = account;
  if (spent !== undefined) number = accountOf(spent, ACCOUNT, global);
  else if (paid !== undefined) number = accountOf(paid, KEY, global);
  if (number === undefined) throw refused('The payment does not say which account of the Ledger signs it.');
  const path = accountPath(ACCOUNT.purpose, { account: number, coinType: global.coinType });
  return joinBytes((spent ?? paid)?.seedFingerprint ?? NO_FINGERPRINT, derivationPath(path));
}

/** Throws `LedgerError` for a path of another form. */
function accountOf(
  { derivationPath: path }: Derivation,
  { purpose, length }: PathForm,
  { coinType }: SignablePayment['global'],
): number {
  const [first, coin, account = 0] = path;
  const isOne = first === harden(purpose) && coin === harden(coinType) && account >= HARDENED;
  if (!isOne || path.length !== length)
    throw refused('The payment names a key that is in no account of a Ledger.');
  return account - HARDENED;
}
