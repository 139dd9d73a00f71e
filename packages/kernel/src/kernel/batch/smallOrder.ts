// The eight points of small order on Jubjub, by their v-coordinate: 1, -1, 0 and two opposite values for order 8.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { JUBJUB_MODULUS } from '../generator/primeField.ts';
import { encodeInteger } from '../plan/integers.ts';

/** v of two points of order 8; the other two have -v. A root of d v^4 + 2 v^2 - 1. */
const V8 = 0x2a94e9a11036e51a1c98a7d25c54659ec2b6b5720c79b75d00f2df96100b6924n;

const key = (bytes: Uint8Array): string => bytesToHex(bytes.subarray(0, 32));

function encoding(v: bigint, sign: 0 | 1): string {
  const bytes = encodeInteger(v);
  bytes[31]! |= sign << 7;
  return key(bytes);
}

const ENCODINGS = new Set([
  // A point with u = 0 has only the encoding with sign 0 (ZIP 216).
  encoding(1n, 0),
  encoding(JUBJUB_MODULUS - 1n, 0),
  ...[0n, V8, JUBJUB_MODULUS - V8].flatMap((v) => [encoding(v, 0), encoding(v, 1)]),
]);

/** Whether the 32 bytes are the canonical encoding of a point of order 1, 2, 4 or 8. */
export function smallOrderEncoding(bytes: Uint8Array): boolean {
  return ENCODINGS.has(key(bytes));
}
