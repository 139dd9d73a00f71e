// How memos are shown, wherever they are: text as text, the rest as bytes.

import { bytesToHex, wipe } from '../../../shielded/bytes.ts';
import { parseMemo } from '../../../shielded/notes/memo.ts';
import type { Memo } from '../ports/storage.ts';

/** ZIP 302. Null: no memo, or not known yet. */
export function memoView(stored: Memo | null): { text?: string; hex?: string } | null {
  if (stored === null) return null;
  const bytes = stored.read();
  try {
    return memoBytesView(bytes);
  } finally {
    wipe(bytes);
  }
}

/** Of 512 bytes. */
export function memoBytesView(bytes: Uint8Array): { text?: string; hex?: string } | null {
  const memo = parseMemo(bytes);
  if (memo.kind === 'none') return null;
  return memo.kind === 'text' ? { text: memo.text } : { hex: bytesToHex(bytes) };
}
