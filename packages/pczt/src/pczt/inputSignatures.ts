// The signature of a transparent input: whether one is there, and whether a returned one is of this transaction.

import { equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { hash160 } from '@wallet-companion/zcash/addresses';
import type { TransactionEffects } from '@wallet-companion/zcash/signing';
import { keyHashOf, signsInput, unlocksKeyHash } from '@wallet-companion/zcash/signing';
import type { TransparentInput } from './layout.ts';

/** A compressed public key in hexadecimal, and its signature. */
export type InputSignature = readonly [string, Uint8Array];

/** An input of another kind counts once it has its script: how many signatures that needs is not known before. */
export const isSignedInput = ({ scriptSig, scriptPubkey, partialSignatures }: TransparentInput): boolean =>
  scriptSig !== undefined || (partialSignatures.size > 0 && keyHashOf(scriptPubkey) !== undefined);

/**
 * The signature that `theirs` has and `ours` lacks. Undefined where there is none, also for other kinds of input; 'wrong':
 * one of another key or another transaction.
 */
export function returnedInputSignature(
  effects: TransactionEffects,
  index: number,
  ours: TransparentInput,
  theirs: TransparentInput,
): InputSignature | 'wrong' | undefined {
  const [first, ...others] = theirs.partialSignatures;
  if (keyHashOf(ours.scriptPubkey) === undefined || first === undefined) return undefined;
  if (others.length > 0 || !isSignature(effects, index, ours, first)) return 'wrong';
  return isSignedInput(ours) ? undefined : first;
}

/** Signatures of other kinds of input are not looked into. */
export function hasWrongSignature(
  effects: TransactionEffects,
  index: number,
  input: TransparentInput,
): boolean {
  const { scriptSig, scriptPubkey, partialSignatures } = input;
  if (keyHashOf(scriptPubkey) === undefined) return false;
  return scriptSig === undefined
    ? [...partialSignatures].some((one) => !isSignature(effects, index, input, one))
    : !unlocksKeyHash(effects, index, scriptSig);
}

function isSignature(
  effects: TransactionEffects,
  index: number,
  { scriptPubkey, sighashType }: TransparentInput,
  [key, signature]: InputSignature,
): boolean {
  const publicKey = hexToBytes(key);
  return (
    equalBytes(hash160(publicKey), keyHashOf(scriptPubkey)!) &&
    signature.at(-1) === sighashType &&
    signsInput(effects, index, publicKey, signature)
  );
}
