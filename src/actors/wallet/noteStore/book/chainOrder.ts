// The order of lists of notes and transactions, newest first, and the pages of such a list. A cursor is the sort key of
// the last entry shown, so new entries on top never shift a later page. Sorting compares the fields; only the few
// entries that a cursor is looked up among get their key as text, which sorts in the same way.

import type { Height } from '@wallet-companion/base/values';
import { POOLS } from '@wallet-companion/zcash/pools';
import { badField } from '../../../../protocol/errors.ts';
import type { StoredTransaction } from '../../ports/noteDatabase.ts';
import type { StoredNote } from '../../ports/storedNote.ts';

const DEFAULT_PAGE = 100;

export interface Order<T> {
  /** Newest first. */
  readonly compare: (a: T, b: T) => number;
  /** Greater as text for later entries. */
  readonly keyOf: (entry: T) => string;
}

/** The key of an entry: two numbers and what else distinguishes it. */
export const sortKey = (height: Height, txIndex: number, ...rest: readonly (string | number)[]): string =>
  [height, txIndex]
    .map((n) => n.toString(36).padStart(8, '0'))
    .concat(rest.map(String))
    .join('.');

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const NOTE_ORDER: Order<StoredNote> = {
  compare: (a, b) =>
    b.height - a.height ||
    b.txIndex - a.txIndex ||
    POOLS.indexOf(b.pool) - POOLS.indexOf(a.pool) ||
    b.outputIndex - a.outputIndex ||
    compareTexts(String(b.account), String(a.account)),
  keyOf: (note) =>
    sortKey(
      note.height,
      note.txIndex,
      POOLS.indexOf(note.pool),
      note.outputIndex.toString(36).padStart(4, '0'),
      note.account,
    ),
};

export const TRANSACTION_ORDER: Order<StoredTransaction> = {
  compare: (a, b) => b.height - a.height || b.txIndex - a.txIndex || compareTexts(b.txid, a.txid),
  keyOf: ({ height, txIndex, txid }) => sortKey(height, txIndex, txid),
};

interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly page: readonly T[];
  readonly nextCursor: string | null;
}

/** The wanted ones of `entries` after the cursor, in order. Throws `INVALID_REQUEST` for a foreign cursor. */
export function pageOf<T>(
  entries: readonly T[],
  { keyOf }: Order<T>,
  isWanted: (entry: T) => boolean,
  { limit = DEFAULT_PAGE, cursor }: PageRequest,
): Page<T> {
  const page: T[] = [];
  let next = cursor === undefined ? 0 : firstBelow(entries, keyOf, decodeCursor(cursor));
  for (; next < entries.length && page.length < limit; next++) {
    const entry = entries[next]!;
    if (isWanted(entry)) page.push(entry);
  }
  while (next < entries.length && !isWanted(entries[next]!)) next++;
  const last = page.at(-1);
  const isCut = next < entries.length && last !== undefined;
  return { page, nextCursor: isCut ? Buffer.from(keyOf(last)).toString('base64url') : null };
}

/** Index of the first entry whose key is below this one. */
function firstBelow<T>(entries: readonly T[], keyOf: (entry: T) => string, key: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keyOf(entries[middle]!) < key) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Bad input is reported first: call it before asking for a session. Throws `INVALID_REQUEST`. */
export function refuseOtherCursor({ cursor }: { readonly cursor?: string | undefined }): void {
  if (cursor !== undefined) decodeCursor(cursor);
}

function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString('latin1');
  if (!/^[0-9a-z]{8}\.[0-9a-z]{8}\.[0-9a-z.]+$/.test(key)) {
    throw badField(
      'cursor',
      'is not the `next_cursor` of a page before',
      'cursor is not one this companion gave out.',
    );
  }
  return key;
}
