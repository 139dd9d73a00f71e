// The user's names for the addresses of the open wallet. Labels lie in the wallet file, sealed with the accounts: beside
// the keys they are the only thing that no chain can restore, and the wallet file survives when the note store is lost or
// scanned again.

import { CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import type { AddressLabel } from '../ports/storage.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../walletContext.ts';

/** So many fit into a wallet file, however long they are: each change writes the whole file. */
const MAX_LABELS = 3_000;

type Labelled = Output<'labels.set'>;

export const labelHandlers = (context: WalletContext): FeatureHandlers<'labels'> => ({
  'labels.list': ({ account }) => {
    const session = context.sessions.use(account);
    const labels = (session.book.labels ?? []).filter(
      (label) => account === undefined || label.account === account,
    );
    return { labels: labels.map((label) => shown(session, label)) };
  },
  'labels.set': (input) => context.sessions.exclusive(() => setLabel(context, input)),
  'labels.remove': (input) => context.sessions.exclusive(() => removeLabel(context, input)),
});

async function setLabel(context: WalletContext, input: Input<'labels.set'>): Promise<Labelled> {
  const session = context.sessions.use(input.account);
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
  const others = otherLabels(session, label);
  if (others.length >= MAX_LABELS) {
    throw new CompanionError(
      'INVALID_REQUEST',
      `A wallet has room for ${MAX_LABELS} labels; remove some first.`,
    );
  }
  await write(context, session, [...others, label]);
  return shown(session, label);
}

async function removeLabel(
  context: WalletContext,
  input: Input<'labels.remove'>,
): Promise<Output<'labels.remove'>> {
  const session = context.sessions.use(input.account);
  const others = otherLabels(session, {
    account: input.account ?? 0,
    diversifierIndex: input.diversifier_index,
  });
  const removed = others.length < (session.book.labels ?? []).length;
  if (removed) await write(context, session, others);
  return { removed };
}

const otherLabels = (session: Session, at: Omit<AddressLabel, 'text'>): AddressLabel[] =>
  (session.book.labels ?? []).filter(
    ({ account, diversifierIndex }) => account !== at.account || diversifierIndex !== at.diversifierIndex,
  );

async function write(
  { environment }: WalletContext,
  session: Session,
  labels: readonly AddressLabel[],
): Promise<void> {
  const { labels: _, ...rest } = session.book;
  const sorted = labels.toSorted(
    (a, b) => a.account - b.account || Number(BigInt(a.diversifierIndex) - BigInt(b.diversifierIndex)),
  );
  const book = labels.length === 0 ? rest : { ...rest, labels: sorted };
  await environment.walletFile.replaceBook(session.masterKey, book);
  session.relabel(book);
}

const shown = (session: Session, label: AddressLabel): Labelled => ({
  account: label.account,
  diversifier_index: label.diversifierIndex,
  address: session.addressOf({ ...label, scope: 'external' }) ?? '',
  label: label.text,
});
