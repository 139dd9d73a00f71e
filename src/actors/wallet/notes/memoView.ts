// A memo in the form that clients see (ZIP 302).

import { bytesToHex, wipe } from '@wallet-companion/base/bytes';
import { type Memo as MemoContent, parseMemo } from '@wallet-companion/zcash/notes';
import type { Memo } from '../ports/storedNote.ts';

/** The first byte of binary memos, in hexadecimal. */
const BINARY = 'ff';

/** Text as text, the rest as bytes. */
export type MemoView = { text?: string; hex?: string };

/** Null: no memo, or not known yet. */
export const memoView = (stored: Memo | null): MemoView | null => stored && memoBytesView(stored.read());

/** The view of 512 bytes, which are wiped. */
export function memoBytesView(bytes: Uint8Array): MemoView | null {
  try {
    return contentView(parseMemo(bytes));
  } finally {
    wipe(bytes);
  }
}

/** The bytes of other content than text are wiped. */
export function contentView(memo: MemoContent): MemoView | null {
  if (memo.kind === 'none') return null;
  if (memo.kind === 'text') return { text: memo.text };
  const hex = bytesToHex(memo.bytes);
  wipe(memo.bytes);
  return { hex: memo.kind === 'binary' ? `${BINARY}${hex}` : hex };
}
