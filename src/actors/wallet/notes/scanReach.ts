// How far a wallet has looked: what its numbers may be believed for.

import type { HeightRange } from '../ports/storage.ts';
import type { NoteStore } from './noteStore.ts';

/** Whoever reads the balance must know. */
export const INCOMING_ONLY_WARNING =
  'This is an incoming viewing key: it sees payments received, but neither spends nor change, so spent funds stay in the balance.';

/** After a commit that failed, while the disk does not answer. */
export const UNCERTAIN_WARNING =
  'The disk failed while the wallet was being changed, and what it holds could not be read yet: this is what was known before. It is read again with each question; no money is lost.';

/**
 * How far the note store has looked, for one account or all. Where nothing was scanned, 0 would mean "nobody looked".
 */
export function scanReach(noteStore: NoteStore, account?: number) {
  const asOfHeight = noteStore.scannedTop(account) ?? null;
  const missing = noteStore.missing(account).map(rangeView);
  const complete = asOfHeight !== null && missing.length === 0 && !noteStore.isUncertain;
  return { asOfHeight, complete, missing, verifiedWith: noteStore.verifiedWith(account) };
}

const rangeView = ({ start, end }: HeightRange) => ({ start_height: start, end_height: end });
