// Who has the seed signs transparent inputs, with keys derived as in BIP 32 from the paths in the PCZT alone.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { asciiBytes, bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { transparentSighash } from '@wallet-companion/zcash/signing';
import type { Pczt } from '../../src/pczt/pczt.ts';
import { effectsOfPczt } from '../../src/pczt/transactionParts.ts';

const HARDENED = 0x8000_0000;
const { Fn } = secp256k1.Point;

interface SecretKey {
  readonly secret: Uint8Array;
  readonly chainCode: Uint8Array;
}

const split = (wide: Uint8Array): SecretKey => ({ secret: wide.slice(0, 32), chainCode: wide.slice(32) });

export const transparentSecretKey = (seed: Uint8Array, path: readonly number[]): Uint8Array =>
  path.reduce(child, split(hmac(sha512, asciiBytes('Bitcoin seed'), seed))).secret;

function child({ secret, chainCode }: SecretKey, index: number): SecretKey {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index);
  const material =
    index >= HARDENED ? concatBytes(Uint8Array.of(0), secret) : secp256k1.getPublicKey(secret, true);
  const next = split(hmac(sha512, chainCode, concatBytes(material, number)));
  const sum = Fn.create(Fn.fromBytes(next.secret) + Fn.fromBytes(secret));
  return { secret: Fn.toBytes(sum), chainCode: next.chainCode };
}

/** DER and the byte for what is covered; `isLow`: the lower of the two values that verify. */
export function inputSignature(message: Uint8Array, secret: Uint8Array, isLow = true): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(secp256k1.sign(message, secret, { prehash: false }));
  const signature = new secp256k1.Signature(r, isLow ? s : Fn.neg(s));
  return concatBytes(signature.toBytes('der'), Uint8Array.of(1));
}

/** Signs every input whose path is there; throws where the path does not lead to its key. */
export function withInputSignatures(
  pczt: Pczt,
  seed: Uint8Array,
): { readonly pczt: Pczt; readonly count: number } {
  if (pczt.transparent.inputs.length === 0) return { pczt, count: 0 };
  const effects = effectsOfPczt(pczt);
  let count = 0;
  const inputs = pczt.transparent.inputs.map((input, i) => {
    const [derived] = input.bip32Derivation;
    if (derived === undefined || input.partialSignatures.size > 0) return input;
    const [key, { derivationPath }] = derived;
    const secret = transparentSecretKey(seed, derivationPath);
    if (bytesToHex(secp256k1.getPublicKey(secret, true)) !== key) throw new Error('an input of another key');
    count++;
    return {
      ...input,
      partialSignatures: new Map([[key, inputSignature(transparentSighash(effects, i), secret)]]),
    };
  });
  return { pczt: { ...pczt, transparent: { ...pczt.transparent, inputs } }, count };
}
