// Signatures of transparent inputs that spend an output to a key's hash (P2PKH), and the script that holds one.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concatBytes, equalBytes } from '@wallet-companion/base/bytes';
import { hash160, transparentReceiverOf } from '../address/transparentScript.ts';
import type { TransactionEffects } from './effects.ts';
import type { RandomBytes } from './redDsa.ts';
import { SIGHASH, transparentSighash } from './sighash.ts';

/** Has an effect on the nonce beside the key and the message (RFC 6979 §3.6). */
const HEDGE_SIZE = 32;

/** The hash of the key that an output is paid to, 20 bytes; undefined for another kind of output. */
export function keyHashOf(scriptPubKey: Uint8Array): Uint8Array | undefined {
  const receiver = transparentReceiverOf(scriptPubKey);
  return receiver?.kind === 'p2pkh' ? receiver.hash : undefined;
}

/**
 * Whether this is the signature of an input by this key (33 bytes): ECDSA as strict DER with the lower of two values (BIP
 * 66, BIP 146), then a byte for what it covers.
 */
export function signsInput(
  effects: TransactionEffects,
  index: number,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  const hashType = signature.at(-1);
  if (hashType === undefined) return false;
  try {
    const message = transparentSighash(effects, index, hashType);
    const options = { prehash: false, format: 'der', lowS: true } as const;
    return secp256k1.verify(signature.subarray(0, -1), message, publicKey, options);
  } catch {
    // Thrown for bytes that are no signature, no key or no hash type.
    return false;
  }
}

/** The signature of an input by its private key, which covers all of the transaction: as `signsInput` takes it. */
export function signInput(
  effects: TransactionEffects,
  index: number,
  secret: Uint8Array,
  randomBytes: RandomBytes,
): Uint8Array {
  const signature = secp256k1.sign(transparentSighash(effects, index), secret, {
    prehash: false,
    format: 'der',
    lowS: true,
    extraEntropy: randomBytes(HEDGE_SIZE),
  });
  return concatBytes(signature, Uint8Array.of(SIGHASH.all));
}

/** Whether the script of an input unlocks its output to a key's hash. */
export function unlocksKeyHash(effects: TransactionEffects, index: number, scriptSig: Uint8Array): boolean {
  const length = scriptSig[0] ?? 0;
  const signature = scriptSig.subarray(1, 1 + length);
  const publicKey = scriptSig.subarray(2 + length);
  const isForm = scriptSig[1 + length] === publicKey.length && signature.length === length;
  const hash = keyHashOf(effects.inputs[index]!.scriptPubKey);
  return (
    isForm &&
    hash !== undefined &&
    equalBytes(hash160(publicKey), hash) &&
    signsInput(effects, index, publicKey, signature)
  );
}
