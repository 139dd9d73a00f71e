// A memo as it is kept in memory, many thousand times: one character per byte, without the zeros at the end. V8 holds
// such a string in as many bytes, and a memo that says nothing in none of its own; hexadecimal would take four times the
// room of the text and 1 KB for nothing.

import { concatBytes } from '../bytes.ts';
import { MEMO_SIZE } from './plaintext.ts';

declare const packed: unique symbol;
export type PackedMemo = string & { readonly [packed]: true };

/** Of 512 bytes. */
export function packMemo(memo: Uint8Array): PackedMemo {
  let used = memo.length;
  while (used > 0 && memo[used - 1] === 0) used--;
  return Buffer.from(memo.buffer, memo.byteOffset, used).toString('latin1') as PackedMemo;
}

export function unpackMemo(memo: PackedMemo): Uint8Array {
  return concatBytes(Buffer.from(memo, 'latin1'), new Uint8Array(MEMO_SIZE - memo.length));
}
