// The search for accounts that a restored phrase had before (ZIP 32): it looks at the account after the last one with
// notes, in every block up to the end that the chain had when nothing was left to look at. Pure functions of the account book.

import type { NoteStore } from '../noteStore/noteStore.ts';
import type { AccountsSearch } from '../noteStore/noteStoreReader.ts';
import type { StoredNote } from '../ports/storedNote.ts';
import type { AccountBook, AccountRecord, AccountSearch, WalletHeader } from '../ports/walletFile.ts';

/** Each takes tens of milliseconds to derive, while the phrase is open. */
export const KEYS_AHEAD = 5;
const FEWEST_AHEAD = 3;

type Found = Pick<StoredNote, 'account' | 'height'>;

export const newSearch = (ahead: AccountSearch['ahead']): AccountSearch => ({ lastUsed: 0, ahead });

const isKnown = ({ accounts }: AccountBook, index: number): boolean =>
  accounts.some((account) => account.index === index);

/** Undefined where nothing is searched, a known account is the next unused one, or its key is not there. */
export function soughtAccount(book: AccountBook): AccountRecord | undefined {
  const { search, accounts } = book;
  const next = search?.ahead.find(({ index }) => index === search.lastUsed + 1);
  if (next === undefined || isKnown(book, next.index)) return undefined;
  return { ...next, birthdayHeight: accounts[0]!.birthdayHeight };
}

export function searchState(book: AccountBook, { watchOnly }: WalletHeader): AccountsSearch {
  if (watchOnly || book.search === null) return 'none';
  const next = (book.search?.lastUsed ?? 0) + 1;
  const isOn = book.search !== undefined && (isKnown(book, next) || soughtAccount(book) !== undefined);
  return isOn ? 'on' : 'stalled';
}

/** The book once these notes were found: an account with one is known, and the search goes on behind it. */
export function withFound(book: AccountBook, notes: Iterable<Found>): AccountBook {
  const { search } = book;
  if (search === undefined || search === null) return book;
  const { until = Number.MAX_SAFE_INTEGER } = search;
  let lastUsed = search.lastUsed;
  for (const { account, height } of notes) if (height <= until) lastUsed = Math.max(lastUsed, account);
  if (lastUsed === search.lastUsed) return book;
  // Several, where the file is an older copy.
  const found = search.ahead.filter(({ index }) => index <= lastUsed && !isKnown(book, index));
  const { birthdayHeight } = book.accounts[0]!;
  return {
    ...book,
    accounts: [...book.accounts, ...found.map((key) => ({ ...key, birthdayHeight }))],
    search: { ...search, lastUsed, ahead: search.ahead.filter(({ index }) => index > lastUsed) },
  };
}

/** The book once the search has come to the end of the chain; the same one where something is left to look at. */
export function withEnd(book: AccountBook, noteStore: NoteStore): AccountBook {
  const { search } = book;
  if (search === undefined || search === null || search.until !== undefined) return book;
  const searched = noteStore.accountsSearched ?? 0;
  const isOver = !noteStore.isSearchStalled && searched > search.lastUsed + 1;
  return isOver ? { ...book, search: { ...search, until: noteStore.lastScanHeight } } : book;
}

/** The accounts whose keys are to be derived while the phrase is open; none where enough are there. */
export function missingAhead(book: AccountBook, { watchOnly }: WalletHeader): number[] {
  const { search } = book;
  if (watchOnly || search === null) return [];
  const first = (search?.lastUsed ?? 0) + 1;
  const wanted = Array.from({ length: KEYS_AHEAD }, (_, at) => first + at);
  const lacking = wanted.filter((index) => !search?.ahead.some((key) => key.index === index));
  return lacking.length > KEYS_AHEAD - FEWEST_AHEAD ? lacking : [];
}

export const withAhead = (book: AccountBook, ahead: AccountSearch['ahead']): AccountBook => {
  const search = book.search ?? newSearch([]);
  return { ...book, search: { ...search, ahead: [...search.ahead, ...ahead] } };
};
