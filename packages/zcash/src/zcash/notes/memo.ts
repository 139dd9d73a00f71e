// Memo fields: ZIP 302.
import { assertLength, FormatError } from '@wallet-companion/base/bytes';
import { MEMO_SIZE } from './plaintext.ts';

/** The highest first byte of a text: 0xF5 and above never start UTF-8. */
const LAST_TEXT_BYTE = 0xf4;
const NO_MEMO_BYTE = 0xf6;
const BINARY_BYTE = 0xff;

export type Memo =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  /** Arbitrary data, 511 bytes. */
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  /** A reserved or legacy form, or text that is not UTF-8: all 512 bytes. */
  | { readonly kind: 'unknown'; readonly bytes: Uint8Array };

/** The 512 bytes that say "no memo" (ZIP 302): f6, then zeros. */
export function noMemo(): Uint8Array {
  const memo = new Uint8Array(MEMO_SIZE);
  memo[0] = NO_MEMO_BYTE;
  return memo;
}

/** A text as the 512 bytes of a memo (ZIP 302). FormatError when its UTF-8 does not fit. */
export function textMemo(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MEMO_SIZE)
    throw new FormatError(`a memo holds ${MEMO_SIZE} bytes, the text has ${bytes.length}`);
  return padMemo(bytes);
}

/** At most 512 bytes, followed by zeros. */
export function padMemo(bytes: Uint8Array): Uint8Array {
  const memo = new Uint8Array(MEMO_SIZE);
  memo.set(bytes);
  return memo;
}

/**
 * What a memo's 512 bytes say (ZIP 302). Text that is not UTF-8, and kinds that are reserved, are `unknown`: every
 * content is valid. Throws `FormatError` for another length. `bytes` of the result are views.
 */
export function parseMemo(memo: Uint8Array): Memo {
  assertLength(memo, MEMO_SIZE, 'memo');
  const first = memo[0]!;
  if (first === BINARY_BYTE) return { kind: 'binary', bytes: memo.subarray(1) };
  const used = memo.length - trailingZeros(memo);
  if (first === NO_MEMO_BYTE && used === 1) return { kind: 'none' };
  if (first > LAST_TEXT_BYTE) return { kind: 'unknown', bytes: memo };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(memo.subarray(0, used));
    return { kind: 'text', text };
  } catch {
    return { kind: 'unknown', bytes: memo };
  }
}

function trailingZeros(bytes: Uint8Array): number {
  let count = 0;
  while (count < bytes.length && bytes[bytes.length - 1 - count] === 0) count++;
  return count;
}
