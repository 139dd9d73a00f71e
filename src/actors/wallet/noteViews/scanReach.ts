// How far a wallet has scanned, and so how far its numbers can be trusted, for one account or all.

import type { NoteStore } from '../noteStore/noteStore.ts';
import type { HeightRange } from '../ports/noteDatabase.ts';

/** Shown with every balance of such a wallet. */
export const INCOMING_ONLY_WARNING =
  'This is an incoming viewing key: it sees payments received, but neither spends nor change, so spent funds stay in the balance.';

/** After a failed commit, while the disk does not answer. */
export const UNCERTAIN_WARNING =
  'The disk failed while the wallet was being changed, and what it holds could not be read yet: this is what was known before. It is read again with each question; no money is lost.';

/** How far the note store has scanned, for one account or all. Before the first scan, a plain 0 would mislead. */
export function scanReach(noteStore: NoteStore, account?: number) {
  const asOfHeight = noteStore.scannedTop(account) ?? null;
  const missing = noteStore.missing(account).map(rangeView);
  const isStalled = account === undefined && noteStore.isSearchStalled;
  const complete = asOfHeight !== null && missing.length === 0 && !noteStore.isUncertain && !isStalled;
  return { asOfHeight, complete, missing, verifiedWith: noteStore.verifiedWith(account) };
}

const rangeView = ({ start, end }: HeightRange) => ({ start_height: start, end_height: end });

// Which account a note belongs to, for lists and sums over one account or all.

/** Undefined means every account. */
export const isOf = (account: number | undefined, item: { readonly account: number }): boolean =>
  account === undefined || item.account === account;
