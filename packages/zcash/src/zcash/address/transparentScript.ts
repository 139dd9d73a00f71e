// Scripts of transparent outputs that have an address (P2PKH, P2SH; protocol specification §5.6.1.1), and the
// multisignature scripts behind P2SH.
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { bytesToHex, concatBytes, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import type { Network } from '../network.ts';

const base58check = createBase58check(sha256);

export type TransparentKind = 'p2pkh' | 'p2sh';

export interface TransparentReceiver {
  readonly kind: TransparentKind;
  /** 20 bytes. */
  readonly hash: Uint8Array;
}

/** The first two bytes of addresses, in hexadecimal. */
const PREFIXES: Readonly<Record<Network, Readonly<Record<TransparentKind, string>>>> = {
  main: { p2pkh: '1cb8', p2sh: '1cbd' },
  test: { p2pkh: '1d25', p2sh: '1cba' },
  regtest: { p2pkh: '1d25', p2sh: '1cba' },
};

const KINDS: readonly TransparentKind[] = ['p2pkh', 'p2sh'];
const HASH_LENGTH = 20;
/** Valid addresses have 35 characters. */
const MAX_ADDRESS_LENGTH = 64;

/** FormatError when the text is not a transparent address of this network. */
export function parseTransparentAddress(address: string, network: Network): TransparentReceiver {
  let bytes: Uint8Array;
  try {
    // Decoding time grows with the square of the length.
    if (address.length > MAX_ADDRESS_LENGTH) throw new FormatError('too long');
    bytes = base58check.decode(address);
  } catch {
    throw new FormatError('not an address of this network, or mistyped');
  }
  const prefix = bytesToHex(bytes.subarray(0, 2));
  const kind = KINDS.find((one) => PREFIXES[network][one] === prefix);
  if (bytes.length !== HASH_LENGTH + 2 || kind === undefined)
    throw new FormatError('not an address of this network that can be paid');
  return { kind, hash: bytes.slice(2) };
}

/** As t1…, t3…, or tm… and t2… on other networks than the main one. */
export const encodeTransparentAddress = ({ kind, hash }: TransparentReceiver, network: Network): string =>
  base58check.encode(concatBytes(hexToBytes(PREFIXES[network][kind]), hash));

/** RIPEMD-160 of SHA-256: 20 bytes. */
export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/** The receiver of a compressed public key (P2PKH). */
export const receiverOfKey = (publicKey: Uint8Array): TransparentReceiver => ({
  kind: 'p2pkh',
  hash: hash160(publicKey),
});

/** The hexadecimal bytes before and after the hash. */
const SCRIPTS: Readonly<Record<TransparentKind, readonly [string, string]>> = {
  /** DUP HASH160 push, EQUALVERIFY CHECKSIG */
  p2pkh: ['76a914', '88ac'],
  /** HASH160 push, EQUAL */
  p2sh: ['a914', '87'],
};

/** The scriptPubKey of a receiver: 25 bytes (P2PKH) or 23 (P2SH). */
export const scriptOf = ({ kind, hash }: TransparentReceiver): Uint8Array => {
  const [before, after] = SCRIPTS[kind];
  return concatBytes(hexToBytes(before), hash, hexToBytes(after));
};

/** Undefined for a script that has no address. */
export function transparentReceiverOf(script: Uint8Array): TransparentReceiver | undefined {
  const hex = bytesToHex(script.subarray(0, 26));
  for (const kind of KINDS) {
    const [before, after] = SCRIPTS[kind];
    const length = before.length + 2 * HASH_LENGTH + after.length;
    if (2 * script.length === length && hex.startsWith(before) && hex.endsWith(after))
      return { kind, hash: script.slice(before.length / 2, before.length / 2 + HASH_LENGTH) };
  }
  return undefined;
}

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA2 = 0x4d;
/** The most bytes that a script may push at once. */
const MAX_PUSH = 520;

/** The script that pushes these bytes, at most 520 (else FormatError), in its shortest form. */
export function pushData(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length > MAX_PUSH) throw new FormatError(`a script pushes at most ${MAX_PUSH} bytes, not ${length}`);
  if (length < OP_PUSHDATA1) return concatBytes(Uint8Array.of(length), bytes);
  if (length <= 0xff) return concatBytes(Uint8Array.of(OP_PUSHDATA1, length), bytes);
  return concatBytes(Uint8Array.of(OP_PUSHDATA2, length & 0xff, length >> 8), bytes);
}

const OP_1 = 0x51;
const OP_16 = 0x60;
const OP_CHECKMULTISIG = 0xae;
const PUBLIC_KEY_LENGTH = 33;

/** `m` keys `n` CHECKMULTISIG with compressed keys; undefined for any other script. */
export function multisigOf(
  script: Uint8Array,
): { readonly required: number; readonly publicKeys: readonly Uint8Array[] } | undefined {
  const size = PUBLIC_KEY_LENGTH + 1;
  const count = (script.length - 3) / size;
  const [first, last, end] = [script[0], script.at(-2), script.at(-1)];
  if (first === undefined || last === undefined || end !== OP_CHECKMULTISIG) return undefined;
  if (first < OP_1 || last > OP_16 || last !== OP_1 - 1 + count || first > last) return undefined;
  const publicKeys: Uint8Array[] = [];
  for (let at = 1; at < 1 + count * size; at += size) {
    if (script[at] !== PUBLIC_KEY_LENGTH) return undefined;
    publicKeys.push(script.slice(at + 1, at + size));
  }
  return { required: first - OP_1 + 1, publicKeys };
}
