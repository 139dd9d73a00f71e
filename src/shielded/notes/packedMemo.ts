// A memo kept in memory in as few bytes as possible: one character per byte, without the zeros at the end. Hexadecimal
// would take four times the space for a text, and 1 KB for an empty memo.

import { concatBytes } from '../bytes.ts';
import { MEMO_SIZE } from './plaintext.ts';

export class PackedMemo {
  readonly #text: string;

  /** Of 512 bytes. */
  constructor(memo: Uint8Array) {
    let used = memo.length;
    while (used > 0 && memo[used - 1] === 0) used--;
    this.#text = Buffer.from(memo.buffer, memo.byteOffset, used).toString('latin1');
  }

  read(): Uint8Array {
    return concatBytes(Buffer.from(this.#text, 'latin1'), new Uint8Array(MEMO_SIZE - this.#text.length));
  }
}
