// A keyed function of rows of fixed length, thousands at a time: CBC-MAC with AES-256, which is a pseudorandom function
// where all inputs have one length (Bellare, Kilian, Rogaway 1994). Chained across rows rather than within one, it is a
// call of the native cipher for each 16 bytes of a row, however many rows there are: some 50 nanoseconds a row, where a
// keyed hash takes microseconds. @noble/ciphers where the runtime has no such cipher.

import { createCipheriv } from 'node:crypto';
import { ecb } from '@noble/ciphers/aes.js';
import { equalBytes } from '@wallet-companion/base/bytes';

export const PRF_BLOCK = 16;
const WORDS = PRF_BLOCK / 4;
const CIPHER = 'aes-256-ecb';

type EncryptBlocks = (key: Uint8Array, blocks: Uint8Array) => Uint8Array;

export const nativeBlocks: EncryptBlocks = (key, blocks) =>
  createCipheriv(CIPHER, key, null).setAutoPadding(false).update(blocks);

export const portableBlocks: EncryptBlocks = (key, blocks) =>
  ecb(key, { disablePadding: true }).encrypt(blocks);

export class RowPrf {
  readonly #key: Uint8Array;
  readonly #words: number;

  /** A key serves rows of one length, a multiple of 16, and nothing else. */
  constructor(key: Uint8Array, rowSize: number) {
    this.#key = key;
    this.#words = rowSize / 4;
  }

  /** 16 bytes for each of the rows, which lie one after the other. */
  of(rows: Uint8Array): Uint8Array {
    const input = wordsOf(rows);
    if (input.length % this.#words !== 0) throw new RangeError('rows are of another length');
    const count = input.length / this.#words;
    let chained = new Uint32Array(count * WORDS);
    for (let block = 0; block < this.#words && count > 0; block += WORDS) {
      for (let row = 0; row < count; row++) {
        for (let word = 0; word < WORDS; word++) {
          chained[row * WORDS + word]! ^= input[row * this.#words + block + word]!;
        }
      }
      chained = wordsOf(encryptBlocks()(this.#key, new Uint8Array(chained.buffer)));
    }
    return new Uint8Array(chained.buffer);
  }

  wipe(): void {
    this.#key.fill(0);
  }
}

/** XOR of 16 bytes into others. */
export function mixInto(sum: Uint8Array, sumOffset: number, values: Uint8Array, offset: number): void {
  for (let i = 0; i < PRF_BLOCK; i++) sum[sumOffset + i]! ^= values[offset + i]!;
}

/** A copy, because words must be aligned. */
const wordsOf = (bytes: Uint8Array): Uint32Array<ArrayBuffer> => {
  const words = new Uint32Array(Math.floor(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return words;
};

let chosen: EncryptBlocks | undefined;

const encryptBlocks = (): EncryptBlocks => {
  chosen ??= agrees(nativeBlocks) ? nativeBlocks : portableBlocks;
  return chosen;
};

function agrees(candidate: EncryptBlocks): boolean {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const blocks = Uint8Array.from({ length: 2 * PRF_BLOCK }, (_, i) => 7 * i);
  try {
    return equalBytes(candidate(key, blocks), portableBlocks(key, blocks));
  } catch {
    return false;
  }
}
