// A memo in the form that clients see (ZIP 302).

import { bytesToHex, wipe } from '@wallet-companion/shielded/bytes';
import { parseMemo } from '@wallet-companion/shielded/notes';
import type { Memo } from '../ports/storage.ts';

/** Text as text, the rest as bytes. */
export type MemoView = { text?: string; hex?: string };

/** Null: no memo, or not known yet. */
export function memoView(stored: Memo | null): MemoView | null {
  if (stored === null) return null;
  const bytes = stored.read();
  try {
    return memoBytesView(bytes);
  } finally {
    wipe(bytes);
  }
}

/** The view of 512 bytes. */
export function memoBytesView(bytes: Uint8Array): MemoView | null {
  const memo = parseMemo(bytes);
  if (memo.kind === 'none') return null;
  return memo.kind === 'text' ? { text: memo.text } : { hex: bytesToHex(bytes) };
}
