// Labels and contacts on the disk: the account book with others of them, in the wallet file and in the session.

import type { AccountBook } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from './session.ts';

/** What is left out stays as it is. A list without entries is absent in the file. Call within `sessions.exclusive`. */
export async function keepNames(
  { walletFile }: WalletEnvironment,
  session: Session,
  names: Pick<AccountBook, 'labels' | 'contacts'>,
): Promise<void> {
  const { labels = [], contacts = [], ...rest } = { ...session.book, ...names };
  const book = {
    ...rest,
    ...(labels.length === 0 ? {} : { labels }),
    ...(contacts.length === 0 ? {} : { contacts }),
  };
  await walletFile.replaceBook(session.masterKey, book);
  session.rename(book);
}
