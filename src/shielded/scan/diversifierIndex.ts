// The index that a diversifier was derived from: ZIP 32, FF1-AES256 under the diversifier key.
import { BinaryFF1 } from '@noble/ciphers/ff1.js';
import { leBytesToBigint } from '../bytes.ts';

/** Any 11 bytes have an index; it is meaningful for addresses of the key that `dk` (32 bytes) belongs to. */
export const diversifierIndex = (dk: Uint8Array, diversifier: Uint8Array): bigint =>
  leBytesToBigint(BinaryFF1(dk).decrypt(diversifier));
