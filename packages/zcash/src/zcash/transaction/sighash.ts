// Txid and signature hashes of v5 and v6 transactions from their effects: ZIP 244, with the digests of ZIP 229 in v6.

import {
  asciiBytes,
  concatBytes,
  FormatError,
  u32ToLeBytes,
  u64ToLeBytes,
} from '@wallet-companion/base/bytes';
import { encodeScript, encodeTransparentOutput } from '../encoding/transparentBundle.ts';
import {
  combineTransparent,
  encodeOutpoint,
  outputsDigest,
  prevoutsDigest,
  sequencesDigest,
} from '../encoding/transparentDigest.ts';
import { componentDigests, rootDigest } from '../encoding/txid.ts';
import { blake2b256 } from '../hashes/blake2.ts';
import { asTxId, type TxId } from '../identifiers.ts';
import { isCoinbase, type SpentOutput, type TransactionEffects } from './effects.ts';
import { encodeEffects } from './effectsEncoding.ts';

const AMOUNTS = asciiBytes('ZTxTrAmountsHash');
const SCRIPTS = asciiBytes('ZTxTrScriptsHash');
const INPUT = asciiBytes('Zcash___TxInHash');

/** Hash types of the signatures of transparent inputs. */
export const SIGHASH = { all: 1, none: 2, single: 3 } as const;
/** A flag for each of those. */
export const ANYONE_CAN_PAY = 0x80;
/** From v5 on no other values are valid. */
const HASH_TYPES = Object.values(SIGHASH).flatMap((type) => [type, type + ANYONE_CAN_PAY]);

/** The id (ZIP 244), known before the transaction is proved or signed. */
export function txidOfEffects(effects: TransactionEffects): TxId {
  return asTxId(rootDigest(sharedDigests(effects).parts, effects.consensusBranchId));
}

/**
 * The 32 bytes that every spend authorization and binding signature signs (ZIP 244). Without transparent inputs it is
 * the txid.
 */
export function shieldedSighash(effects: TransactionEffects): Uint8Array {
  return signatureHash(effects, SIGHASH.all, undefined);
}

/** The message of the signature of one transparent input. */
export function transparentSighash(
  effects: TransactionEffects,
  input: number,
  hashType: number = SIGHASH.all,
): Uint8Array {
  const spent = effects.inputs[input];
  if (spent === undefined) throw new RangeError(`there is no input ${input}`);
  if (!HASH_TYPES.includes(hashType)) throw new FormatError(`no signature has the hash type ${hashType}`);
  if ((hashType & ~ANYONE_CAN_PAY) === SIGHASH.single && effects.outputs[input] === undefined)
    throw new FormatError(`input ${input} signs the output beside it, and there is none`);
  return signatureHash(effects, hashType, input);
}

/** The digests that all inputs of a transaction share: with hundreds of inputs, most of the work. */
interface SharedDigests {
  readonly parts: ReturnType<typeof componentDigests>;
  /** Those of `SIGHASH.all`, but for the hash type and the input. */
  readonly whole: readonly Uint8Array[];
}

const known = new WeakMap<TransactionEffects, SharedDigests>();

function sharedDigests(effects: TransactionEffects): SharedDigests {
  let shared = known.get(effects);
  if (shared === undefined) {
    const parts = componentDigests(encodeEffects(effects));
    shared = { parts, whole: signedDigests(effects.inputs, signedOutputs(effects, SIGHASH.all, undefined)) };
    known.set(effects, shared);
  }
  return shared;
}

function signatureHash(effects: TransactionEffects, hashType: number, input: number | undefined): Uint8Array {
  const shared = sharedDigests(effects);
  // The binding signatures of a coinbase transaction sign its txid.
  const transparent =
    effects.inputs.length === 0 || isCoinbase(effects.inputs)
      ? shared.parts.transparent
      : signedTransparentDigest(effects, shared, hashType, input);
  return rootDigest({ ...shared.parts, transparent }, effects.consensusBranchId);
}

function signedTransparentDigest(
  effects: TransactionEffects,
  { whole }: SharedDigests,
  hashType: number,
  index: number | undefined,
): Uint8Array {
  const input = index === undefined ? undefined : effects.inputs[index]!;
  const signed =
    hashType === SIGHASH.all
      ? whole
      : signedDigests(
          hashType & ANYONE_CAN_PAY ? [] : effects.inputs,
          signedOutputs(effects, hashType, index),
        );
  return combineTransparent(
    [Uint8Array.of(hashType), ...signed, blake2b256(INPUT, input ? encodeInput(input) : [])],
    blake2b256,
  );
}

const signedDigests = (inputs: readonly SpentOutput[], outputs: readonly Uint8Array[]): Uint8Array[] => [
  prevoutsDigest(inputs, blake2b256),
  blake2b256(AMOUNTS, inputs.map(encodeAmount)),
  blake2b256(
    SCRIPTS,
    inputs.map(({ scriptPubKey }) => encodeScript(scriptPubKey)),
  ),
  sequencesDigest(inputs, blake2b256),
  outputsDigest(concatBytes(...outputs), blake2b256),
];

function signedOutputs({ outputs }: TransactionEffects, hashType: number, index = 0): Uint8Array[] {
  const kind = hashType & ~ANYONE_CAN_PAY;
  if (kind === SIGHASH.none) return [];
  const signed = kind === SIGHASH.single ? outputs.slice(index, index + 1) : outputs;
  return signed.map(encodeTransparentOutput);
}

const encodeAmount = ({ value }: SpentOutput): Uint8Array => u64ToLeBytes(value);

const encodeInput = (input: SpentOutput): Uint8Array[] => [
  ...encodeOutpoint(input),
  encodeAmount(input),
  encodeScript(input.scriptPubKey),
  u32ToLeBytes(input.sequence),
];
