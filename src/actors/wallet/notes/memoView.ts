// A memo as it is shown (ZIP 302).

import type { Output } from '../../../protocol/operations.ts';
import { bytesToHex, wipe } from '../../../shielded/bytes.ts';
import { parseMemo } from '../../../shielded/notes/memo.ts';
import type { Memo } from '../ports/storage.ts';

/** Null: no memo, or not known yet. */
export function memoView(stored: Memo | null): Output<'notes.list'>['notes'][number]['memo'] {
  if (stored === null) return null;
  const bytes = stored.read();
  try {
    const memo = parseMemo(bytes);
    if (memo.kind === 'none') return null;
    return memo.kind === 'text' ? { text: memo.text } : { hex: bytesToHex(bytes) };
  } finally {
    wipe(bytes);
  }
}
