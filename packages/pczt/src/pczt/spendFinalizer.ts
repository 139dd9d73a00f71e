// The Spend Finalizer (ZIP 374): turns partial signatures of transparent inputs into their script_sig. It supports
// P2PKH and multisignature P2SH. Nodes check the signatures; this file checks that each covers the whole transaction.

import { bytesToHex, concatBytes, equalBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { hash160, multisigOf, pushData, transparentReceiverOf } from '@wallet-companion/zcash/addresses';
import type { TransparentInput } from './layout.ts';
import type { Pczt } from './pczt.ts';
import { inField, refuse } from './refusal.ts';

const SIGHASH_ALL = 1;
const OP_0 = 0;

/**
 * Spend Finalizer of ZIP 374 for transparent inputs: a scriptSig from the signatures that are there. Throws
 * `PcztRefusal` where they do not suffice, or the script is of another kind than P2PKH or multisig.
 */
export function finalizeSpends(pczt: Pczt): Pczt {
  const inputs = pczt.transparent.inputs.map((input, i) =>
    inField(`transparent.inputs[${i}]`, () => finalizeInput(input)),
  );
  return { ...pczt, transparent: { ...pczt.transparent, inputs } };
}

/** One of them; an input that is already finalized stays as it is. */
export function finalizeInput(input: TransparentInput): TransparentInput {
  if (input.scriptSig !== undefined) return input;
  const scriptSig = scriptSigOf(input);
  return {
    ...input,
    scriptSig,
    requiredTimeLockTime: undefined,
    requiredHeightLockTime: undefined,
    redeemScript: undefined,
    partialSignatures: new Map(),
    bip32Derivation: new Map(),
    ripemd160Preimages: new Map(),
    sha256Preimages: new Map(),
    hash160Preimages: new Map(),
    hash256Preimages: new Map(),
  };
}

function scriptSigOf(input: TransparentInput): Uint8Array {
  const receiver = transparentReceiverOf(input.scriptPubkey);
  if (receiver === undefined)
    refuse('unsupported', 'scriptPubkey', 'only P2PKH and P2SH inputs can be finalized here');
  return receiver.kind === 'p2pkh'
    ? publicKeyHashScript(input, receiver.hash)
    : multisigScript(input, receiver.hash);
}

function publicKeyHashScript(input: TransparentInput, hash: Uint8Array): Uint8Array {
  const [only, ...others] = [...input.partialSignatures];
  if (only === undefined) refuse('missing', 'partialSignatures', 'there is no signature');
  const [key, signature] = only;
  const publicKey = hexToBytes(key);
  if (others.length > 0 || !equalBytes(hash160(publicKey), hash))
    refuse('inconsistent', 'partialSignatures', 'there is a signature of another key');
  return concatBytes(pushData(checked(signature, input)), pushData(publicKey));
}

/** Signatures come in the order of the keys, after one extra element that CHECKMULTISIG removes. */
function multisigScript(input: TransparentInput, hash: Uint8Array): Uint8Array {
  const { redeemScript } = input;
  if (redeemScript === undefined) refuse('missing', 'redeemScript', 'it is not there');
  if (!equalBytes(hash160(redeemScript), hash))
    refuse('inconsistent', 'redeemScript', 'it is not that of the spent output');
  const policy = multisigOf(redeemScript);
  if (policy === undefined)
    refuse('unsupported', 'redeemScript', 'only multisignature scripts can be finalized here');
  const signatures = policy.publicKeys
    .map((key) => input.partialSignatures.get(bytesToHex(key)))
    .filter((signature) => signature !== undefined)
    .slice(0, policy.required);
  if (signatures.length < policy.required)
    refuse('missing', 'partialSignatures', `${policy.required} signatures are needed`);
  const pushed = signatures.map((signature) => pushData(checked(signature, input)));
  return concatBytes(Uint8Array.of(OP_0), ...pushed, pushData(redeemScript));
}

function checked(signature: Uint8Array, { sighashType }: TransparentInput): Uint8Array {
  if (signature.length === 0) refuse('malformed', 'partialSignatures', 'a signature is empty');
  if (signature.at(-1) !== sighashType)
    refuse('inconsistent', 'partialSignatures', 'a signature is not of the stated sighash type');
  if (sighashType !== SIGHASH_ALL)
    refuse('notAllowed', 'sighashType', 'only signatures that cover the whole transaction are used');
  return signature;
}
