// The user's names for the addresses of the open wallet. Labels lie in the wallet file, sealed with the accounts: beside
// the keys they are the only thing that no chain can restore, and the wallet file survives when the note store is lost or
// scanned again.

import { badField, CompanionError } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { isOf } from '../noteViews/scanReach.ts';
import type { AddressLabel } from '../ports/walletFile.ts';
import { keepFacts } from '../session/keptFacts.ts';
import type { Session } from '../session/session.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { addressLine, contactLine, namesFrom } from './labelLines.ts';

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
  'labels.export': ({ account }) => {
    const session = context.sessions.use(account);
    const labels = (session.book.labels ?? []).filter((label) => isOf(account, label));
    const lines = labels
      .map((label) => shown(session, label))
      .map(({ address, label }) => addressLine(address, label));
    // Contacts are no account's.
    const contacts = account === undefined ? session.addressBook.contacts.map(contactLine) : [];
    return { text: [...lines, ...contacts].join('') };
  },
  'labels.import': (input) => context.sessions.exclusive(() => importLabels(context, input)),
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
    throw badField(
      'diversifier_index',
      'has no valid address',
      'There is no address at this diversifier index (about half have none).',
    );
  }
  const others = otherLabels(session, label);
  if (others.length >= MAX_LABELS) throw noRoom();
  await keepFacts(context.environment, session, { labels: inOrder([...others, label]) });
  return shown(session, label);
}

async function importLabels(
  context: WalletContext,
  input: Input<'labels.import'>,
): Promise<Output<'labels.import'>> {
  const session = context.sessions.use();
  const { labels, contacts, ignored } = namesFrom(session, input.labels, context.params, MAX_LABELS);
  const nameOf = ({ account, diversifierIndex }: AddressLabel): string => `${account}:${diversifierIndex}`;
  const all = new Map([...(session.book.labels ?? []), ...labels].map((label) => [nameOf(label), label]));
  if (all.size > MAX_LABELS) throw noRoom();
  if (labels.length + contacts.named > 0)
    await keepFacts(context.environment, session, {
      labels: inOrder([...all.values()]),
      contacts: contacts.all,
    });
  return { imported: labels.length, contacts: contacts.named, ignored };
}

const noRoom = (): CompanionError =>
  new CompanionError('INVALID_REQUEST', `A wallet has room for ${MAX_LABELS} labels; remove some first.`);

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
  if (removed) await keepFacts(context.environment, session, { labels: others });
  return { removed };
}

const otherLabels = (session: Session, at: Omit<AddressLabel, 'text'>): AddressLabel[] =>
  (session.book.labels ?? []).filter(
    ({ account, diversifierIndex }) => account !== at.account || diversifierIndex !== at.diversifierIndex,
  );

const inOrder = (labels: readonly AddressLabel[]): readonly AddressLabel[] =>
  labels.toSorted(
    (a, b) => a.account - b.account || Number(BigInt(a.diversifierIndex) - BigInt(b.diversifierIndex)),
  );

const shown = (session: Session, label: AddressLabel): Labelled => ({
  account: label.account,
  diversifier_index: label.diversifierIndex,
  address: session.addressOf({ ...label, scope: 'external' }) ?? '',
  label: label.text,
});
