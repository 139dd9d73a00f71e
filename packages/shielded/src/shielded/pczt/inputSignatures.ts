// The signature of a transparent input: whether one is there, and whether a returned one is of this transaction.
import { hash160 } from '../address/transparentScript.ts';
import { equalBytes, hexToBytes } from '../bytes.ts';
import type { TransactionEffects } from '../transaction/effects.ts';
import { keyHashOf, signsInput } from '../transaction/inputScript.ts';
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
  const hash = keyHashOf(ours.scriptPubkey);
  const [first, ...others] = theirs.partialSignatures;
  if (hash === undefined || first === undefined) return undefined;
  const [key, signature] = first;
  const publicKey = hexToBytes(key);
  const isRight =
    others.length === 0 &&
    equalBytes(hash160(publicKey), hash) &&
    signature.at(-1) === ours.sighashType &&
    signsInput(effects, index, publicKey, signature);
  if (!isRight) return 'wrong';
  return isSignedInput(ours) ? undefined : first;
}
