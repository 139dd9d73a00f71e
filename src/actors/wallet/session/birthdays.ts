// The birthdays of the accounts, which fall where older notes are found or a rescan begins lower.

import type { NoteStore } from '../noteStore/noteStore.ts';
import type { AccountBook } from '../ports/walletFile.ts';

/** The book with each birthday where the account's chain starts; the same one where none falls. */
export function withFloors(book: AccountBook, noteStore: NoteStore): AccountBook {
  const isRight = book.accounts.every((account) => noteStore.floor(account) === account.birthdayHeight);
  if (isRight) return book;
  const accounts = book.accounts.map((account) => ({ ...account, birthdayHeight: noteStore.floor(account) }));
  return { ...book, accounts };
}
