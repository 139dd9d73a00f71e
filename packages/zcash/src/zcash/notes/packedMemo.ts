// A memo kept in memory in as few bytes as possible: one character per byte, without the zeros at the end. Hexadecimal
// would take four times the space for a text, and 1 KB for an empty memo.

import { MEMO_SIZE } from './plaintext.ts';

/** Made from a memo's 512 bytes; `read` gives them back. The text cannot be wiped. */
export class PackedMemo {
  readonly #text: string;

  /** `memo` has 512 bytes. */
  constructor(memo: Uint8Array) {
    let used = memo.length;
    while (used > 0 && memo[used - 1] === 0) used--;
    this.#text = String.fromCharCode(...memo.subarray(0, used));
  }

  read(): Uint8Array {
    const memo = new Uint8Array(MEMO_SIZE);
    for (let i = 0; i < this.#text.length; i++) memo[i] = this.#text.charCodeAt(i);
    return memo;
  }
}
