// What the person calls the addresses of the open wallet. Labels lie in the wallet file, sealed with the accounts: they
// are the only thing there beside the keys that no chain can give back, so a note store that is lost or scanned anew does
// not take them along.

import { CompanionError } from '../../../protocol/errors.ts';
import type { Input, Output } from '../../../protocol/operations.ts';
import type { AddressLabel } from '../ports/storage.ts';
import type { WalletEnvironment } from '../ports/walletEnvironment.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** All of them fit into a wallet file, however long: it is written whole with each change. */
const MAX_LABELS = 3_000;

type Labelled = Output<'labels.set'>;

export class Labels {
  readonly #environment: Pick<WalletEnvironment, 'walletFile'>;
  readonly #sessions: Sessions;

  constructor(environment: Pick<WalletEnvironment, 'walletFile'>, sessions: Sessions) {
    this.#environment = environment;
    this.#sessions = sessions;
  }

  list({ account }: Input<'labels.list'>): Output<'labels.list'> {
    const session = this.#sessions.use(account);
    const labels = (session.book.labels ?? []).filter(
      (label) => account === undefined || label.account === account,
    );
    return { labels: labels.map((label) => shown(session, label)) };
  }

  async set(input: Input<'labels.set'>): Promise<Labelled> {
    const session = this.#sessions.use(input.account);
    const label: AddressLabel = {
      account: input.account ?? 0,
      diversifierIndex: input.diversifier_index,
      text: input.label,
    };
    if (session.addressOf({ ...label, scope: 'external' }) === null) {
      throw new CompanionError(
        'INVALID_REQUEST',
        'There is no address at this diversifier index (about half have none).',
        { errors: [{ path: 'diversifier_index', message: 'has no valid address' }] },
      );
    }
    const others = this.#others(session, label);
    if (others.length >= MAX_LABELS) {
      throw new CompanionError(
        'INVALID_REQUEST',
        `A wallet has room for ${MAX_LABELS} labels; remove some first.`,
      );
    }
    await this.#write(session, [...others, label]);
    return shown(session, label);
  }

  async remove(input: Input<'labels.remove'>): Promise<Output<'labels.remove'>> {
    const session = this.#sessions.use(input.account);
    const others = this.#others(session, {
      account: input.account ?? 0,
      diversifierIndex: input.diversifier_index,
    });
    const removed = others.length < (session.book.labels ?? []).length;
    if (removed) await this.#write(session, others);
    return { removed };
  }

  #others(session: Session, at: Omit<AddressLabel, 'text'>): AddressLabel[] {
    return (session.book.labels ?? []).filter(
      ({ account, diversifierIndex }) => account !== at.account || diversifierIndex !== at.diversifierIndex,
    );
  }

  async #write(session: Session, labels: readonly AddressLabel[]): Promise<void> {
    const { labels: _, ...rest } = session.book;
    const sorted = labels.toSorted(
      (a, b) => a.account - b.account || Number(BigInt(a.diversifierIndex) - BigInt(b.diversifierIndex)),
    );
    const book = labels.length === 0 ? rest : { ...rest, labels: sorted };
    await this.#environment.walletFile.replaceBook(session.masterKey, book);
    session.relabel(book);
  }
}

const shown = (session: Session, label: AddressLabel): Labelled => ({
  account: label.account,
  diversifier_index: label.diversifierIndex,
  address: session.addressOf({ ...label, scope: 'external' }) ?? '',
  label: label.text,
});
