// Transparent account keys (BIP 32, BIP 44). The companion gives out no transparent address; it derives this one key so
// that an exported unified full viewing key equals the one that other wallets export for the same phrase (ZIP 316), and
// finds the account's funds at addresses that another wallet gave out, and what that wallet paid from them.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import {
  asciiBytes,
  assertLength,
  bytesToHex,
  concatBytes,
  FormatError,
  hexToBytes,
} from '@wallet-companion/base/bytes';
import { readPrfExpand } from '../hashes/prfExpand.ts';
import type { Scope } from '../network.ts';
import { BIP44_PURPOSE, deriveAlongPath, harden } from './derivationPath.ts';

/** Chain code and compressed public key: 32 + 33. */
export const TRANSPARENT_KEY_LENGTH = 65;

const CHAIN_CODE_LENGTH = 32;
const FIRST_HARDENED = harden(0);
const { Point } = secp256k1;
const ORDER = Point.Fn.ORDER;

/** Chain code and public key at m / 44' / coin_type' / account'; every secret on the way is wiped. */
export function deriveTransparentAccountKey(seed: Uint8Array, coinType: number, account: number): Uint8Array {
  const wide = secretKeyAt(seed, [BIP44_PURPOSE, coinType, account].map(harden));
  const key = concatBytes(
    wide.subarray(CHAIN_CODE_LENGTH),
    secp256k1.getPublicKey(wide.subarray(0, 32), true),
  );
  wide.fill(0);
  return key;
}

/** The private key at a path, 32 bytes, and its compressed public key. Steps from 2^31 on are hardened. */
export function deriveTransparentKeyPair(
  seed: Uint8Array,
  path: readonly number[],
): { readonly secret: Uint8Array; readonly publicKey: Uint8Array } {
  const wide = secretKeyAt(seed, path);
  const secret = wide.slice(0, 32);
  wide.fill(0);
  return { secret, publicKey: secp256k1.getPublicKey(secret, true) };
}

/** The private key and the chain code. */
const secretKeyAt = (seed: Uint8Array, path: readonly number[]): Uint8Array =>
  deriveAlongPath(hmac(sha512, asciiBytes('Bitcoin seed'), seed), path, {
    child: secretChildKey,
    wipe: (key) => key.fill(0),
  });

function secretChildKey(wide: Uint8Array, index: number): Uint8Array {
  const secret = wide.subarray(0, 32);
  const key =
    index < FIRST_HARDENED ? secp256k1.getPublicKey(secret, true) : concatBytes(Uint8Array.of(0), secret);
  const data = concatBytes(key, bigEndian32(index));
  const child = hmac(sha512, wide.subarray(32), data);
  const scalar = addScalars(child.subarray(0, 32), secret);
  child.set(scalar);
  for (const done of [key, data, scalar]) done.fill(0);
  return child;
}

/** The non-hardened child of a chain code and public key: /0 external, /1 internal, and addresses below them. */
export function transparentChildKey(key: Uint8Array, index: number): Uint8Array {
  const publicKey = key.subarray(CHAIN_CODE_LENGTH);
  const wide = hmac(sha512, key.subarray(0, CHAIN_CODE_LENGTH), concatBytes(publicKey, bigEndian32(index)));
  const offset = BigInt(`0x${bytesToHex(wide.subarray(0, 32))}`);
  if (offset >= ORDER) throw new FormatError('transparent child key does not exist');
  const child = Point.BASE.multiplyUnsafe(offset).add(Point.fromBytes(publicKey));
  if (child.is0()) throw new FormatError('transparent child key does not exist');
  return concatBytes(wide.subarray(32), child.toBytes(true));
}

/** The outgoing viewing key of what is paid from the account's transparent funds (ZIP 316). */
export function transparentOutgoingKey(accountKey: Uint8Array, scope: Scope): Uint8Array {
  return readPrfExpand(
    (wide) => (scope === 'external' ? wide.slice(0, 32) : wide.slice(32)),
    accountKey.subarray(0, CHAIN_CODE_LENGTH),
    Uint8Array.of(0xd0),
    accountKey.subarray(CHAIN_CODE_LENGTH),
  );
}

/** BIP 44: for receiving, and for change. */
export const BIP44_CHAIN: Readonly<Record<Scope, number>> = { external: 0, internal: 1 };

/** The keys of a scope's addresses `start` to `start + count - 1`: compressed public keys, 33 bytes each. */
export function transparentPublicKeys(
  accountKey: Uint8Array,
  scope: Scope,
  { start, count }: { readonly start: number; readonly count: number },
): Uint8Array[] {
  const chain = transparentChildKey(accountKey, BIP44_CHAIN[scope]);
  return Array.from({ length: count }, (_, i) =>
    transparentChildKey(chain, start + i).slice(CHAIN_CODE_LENGTH),
  );
}

/** Checks that the public key is a compressed point of the curve. */
export function parseTransparentKey(bytes: Uint8Array): Uint8Array {
  assertLength(bytes, TRANSPARENT_KEY_LENGTH, 'transparent viewing key');
  try {
    Point.fromBytes(bytes.subarray(CHAIN_CODE_LENGTH)).assertValidity();
  } catch {
    throw new FormatError('transparent viewing key: not a public key');
  }
  return bytes.slice();
}

function addScalars(a: Uint8Array, b: Uint8Array): Uint8Array {
  const tweak = BigInt(`0x${bytesToHex(a)}`);
  const sum = (tweak + BigInt(`0x${bytesToHex(b)}`)) % ORDER;
  if (tweak >= ORDER || sum === 0n) throw new FormatError('transparent child key does not exist');
  return hexToBytes(sum.toString(16).padStart(64, '0'));
}

function bigEndian32(value: number): Uint8Array {
  const out = new Uint8Array(4);
  new DataView(out.buffer).setUint32(0, value);
  return out;
}
