// Labels, contacts and what signs, on the disk: the account book with others of them, in the wallet file and in the session.

import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { AccountBook } from '../ports/walletFile.ts';
import type { Session } from './session.ts';

/**
 * What is left out stays as it is, and keys must. A list without entries is absent in the file. Call within
 * `sessions.exclusive`.
 */
export async function keepFacts(
  { walletFile }: WalletEnvironment,
  session: Session,
  facts: Partial<AccountBook>,
): Promise<void> {
  const { labels = [], contacts = [], ...rest } = { ...session.book, ...facts };
  const book = {
    ...rest,
    ...(labels.length === 0 ? {} : { labels }),
    ...(contacts.length === 0 ? {} : { contacts }),
  };
  await walletFile.replaceBook(session.masterKey, book);
  session.replaceFacts(book);
}
