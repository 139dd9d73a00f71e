// The search for accounts at an unlock: keys of further accounts are derived while the password is there, and accounts become known whose
// notes are in the store, where the process ended before the wallet file had them.

import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { NoteStore } from '../noteStore/noteStore.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { AccountBook } from '../ports/walletFile.ts';
import { missingAhead, withAhead, withFound } from './accountSearch.ts';
import type { Session } from './session.ts';
import { deriveAhead } from './walletDraft.ts';

/** Where that fails, the wallet opens all the same, and is not complete. */
export async function searchFurther(
  environment: WalletEnvironment,
  params: NetworkParameters,
  session: Session,
  password: Uint8Array,
): Promise<void> {
  const { walletFile, logFault } = environment;
  try {
    if (session.sharedAccounts.length > 0) session.noteStore.dropDoubles();
    const indices = missingAhead(session.book, session.header);
    const ahead =
      indices.length === 0
        ? undefined
        : await walletFile.withSecrets(password, ({ mnemonic, bip39Passphrase }) => {
            const [words, passphrase] = [mnemonic, bip39Passphrase].map((text) =>
              new TextDecoder().decode(text ?? undefined),
            );
            return deriveAhead({ mnemonic: words!, passphrase: passphrase! }, params, indices);
          });
    const book = ahead === undefined ? session.book : withAhead(session.book, ahead);
    await keepBook(environment, session, withFound(book, session.noteStore.notes));
  } catch (error) {
    logFault('wallet.search_accounts', error);
  }
}

/**
 * The session's birthdays fall at once: what is complete follows from them. The returned function, where there is something to
 * write, keeps them in the wallet file, so that a scan begins as low without the note store: call it within `sessions.exclusive`.
 * It never rejects; the next unlock makes up for a failure.
 */
export function lowerBirthdays(
  { walletFile, logFault }: WalletEnvironment,
  session: Session,
): (() => Promise<void>) | undefined {
  const book = withFloors(session.book, session.noteStore);
  if (book === session.book) return undefined;
  session.replaceBook(book);
  return () =>
    walletFile
      .replaceBook(session.masterKey, session.book)
      .catch((error: unknown) => logFault('wallet.keep_birthdays', error));
}

/** Call within `sessions.exclusive`. */
export async function keepBook(
  { walletFile }: WalletEnvironment,
  session: Session,
  book: AccountBook,
): Promise<void> {
  if (book === session.book) return;
  await walletFile.replaceBook(session.masterKey, book);
  session.replaceBook(book);
}

// The birthdays of the accounts, which fall where older notes are found or a rescan begins lower.

/** The book with each birthday where the account's chain starts; the same one where none falls. */
function withFloors(book: AccountBook, noteStore: NoteStore): AccountBook {
  const isRight = book.accounts.every((account) => noteStore.floor(account) === account.birthdayHeight);
  if (isRight) return book;
  const accounts = book.accounts.map((account) => ({ ...account, birthdayHeight: noteStore.floor(account) }));
  return { ...book, accounts };
}
