// What a scan finds moves the search for accounts on, in the wallet file and in the session.

import type { StoredNote } from '../ports/storedNote.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { AccountBook } from '../ports/walletFile.ts';
import { withEnd, withFound } from '../session/accountSearch.ts';
import { keepBook } from '../session/searchFurther.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** Moves the search of the open session on. It runs between the changes of state, so a scan must be able to stop meanwhile. */
export class AccountSearching {
  readonly #environment: WalletEnvironment;
  readonly #sessions: Sessions;

  constructor(environment: WalletEnvironment, sessions: Sessions) {
    this.#environment = environment;
    this.#sessions = sessions;
  }

  /** Whether an account became known, or another one is looked for now. */
  async found(session: Session, notes: readonly StoredNote[]): Promise<boolean> {
    if (withFound(session.book, notes) === session.book) return false;
    session.noteStore.stallSearch();
    await this.#change(session, (book) => withFound(book, notes));
    return true;
  }

  /** Everything up to the tip of the chain was scanned. */
  async caughtUp(session: Session): Promise<void> {
    if (withEnd(session.book, session.noteStore) === session.book) return;
    await this.#change(session, (book) => withEnd(book, session.noteStore));
  }

  #change(session: Session, change: (book: AccountBook) => AccountBook): Promise<void> {
    return this.#sessions.exclusive(async () => {
      if (this.#sessions.current === session)
        await keepBook(this.#environment, session, change(session.book));
    });
  }
}
