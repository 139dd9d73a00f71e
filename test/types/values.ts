// Kinds of numbers, hashes and text that must not be taken for each other. Compiled with the rest; nothing loads it.

import type { Height, Zatoshi } from '@wallet-companion/base/values';
import type {
  BlockHash,
  BlockHashHex,
  blockHashToHex,
  Nullifier,
  NullifierHex,
  TxId,
  TxIdHex,
  txIdToHex,
} from '@wallet-companion/zcash/identifiers';
import type { Equal, Expect } from './assertions.ts';

type Fits<A, B> = [A] extends [B] ? true : false;

export type Values = [
  // A hash is what somebody said it is, never just any bytes or text.
  Expect<Equal<Fits<Uint8Array, TxId>, false>>,
  Expect<Equal<Fits<Uint8Array, BlockHash>, false>>,
  Expect<Equal<Fits<Uint8Array, Nullifier>, false>>,
  Expect<Equal<Fits<string, TxIdHex>, false>>,
  Expect<Equal<Fits<string, BlockHashHex>, false>>,
  Expect<Equal<Fits<string, NullifierHex>, false>>,
  Expect<Equal<Fits<TxId, BlockHash>, false>>,
  Expect<Equal<Fits<BlockHash, TxId>, false>>,
  Expect<Equal<Fits<Nullifier, TxId>, false>>,
  Expect<Equal<Fits<TxIdHex, BlockHashHex>, false>>,
  Expect<Equal<Fits<NullifierHex, TxIdHex>, false>>,
  // Bytes and hex are two things.
  Expect<Equal<Fits<TxId, TxIdHex>, false>>,
  Expect<Equal<ReturnType<typeof txIdToHex>, TxIdHex>>,
  Expect<Equal<ReturnType<typeof blockHashToHex>, BlockHashHex>>,
  // Each goes where plain bytes and text go.
  Expect<Equal<Fits<TxId, Uint8Array>, true>>,
  Expect<Equal<Fits<TxIdHex, string>, true>>,
];

// What is counted with takes plain numbers, and neither kind takes the other.
declare const plain: number;
export const height: Height = plain + 1;
export const amount: Zatoshi = plain + 1;
declare const someHeight: Height;
declare const someAmount: Zatoshi;
// @ts-expect-error
export const notAHeight: Height = someAmount;
// @ts-expect-error
export const notAnAmount: Zatoshi = someHeight;
