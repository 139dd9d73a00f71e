// The contacts of the open wallet. They lie in the wallet file beside the labels, sealed as those: no chain restores them.

import { payableReceivers } from '@wallet-companion/zcash/addresses';
import { badField } from '../../../protocol/errors.ts';
import type { FeatureHandlers, Input, Output } from '../../../protocol/operations.ts';
import { refusing } from '../payments/request.ts';
import type { Contact } from '../ports/walletFile.ts';
import { nameKey } from '../session/addressBook.ts';
import { keepFacts } from '../session/keptFacts.ts';
import { ownPlaces } from '../session/paidAt.ts';
import type { WalletContext } from '../wallet/walletContext.ts';
import { withContact } from './contactList.ts';

export const contactsHandlers = (context: WalletContext): FeatureHandlers<'contacts'> => ({
  'contacts.list': () => {
    const { contacts } = context.sessions.use().addressBook;
    return { contacts: contacts.toSorted((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1)).map(shown) };
  },
  'contacts.set': (input) => {
    refusing('address', () => payableReceivers(input.address, context.params));
    return context.sessions.exclusive(() => setContact(context, input));
  },
  'contacts.remove': (input) => context.sessions.exclusive(() => removeContact(context, input)),
});

async function setContact(
  context: WalletContext,
  { name, address, note }: Input<'contacts.set'>,
): Promise<Output<'contacts.set'>> {
  const session = context.sessions.use();
  if (ownPlaces(session, address, context.params).length > 0)
    throw badField('address', 'is an address of this wallet; "labels set" names it');
  const contact: Contact = { name: name.trim(), address, ...(note === undefined ? {} : { note }) };
  const contacts = withContact(session.addressBook.contacts, contact);
  if (typeof contacts === 'string') throw badField('address', contacts);
  await keepFacts(context.environment, session, { contacts });
  return shown(contact);
}

async function removeContact(
  context: WalletContext,
  { name }: Input<'contacts.remove'>,
): Promise<Output<'contacts.remove'>> {
  const session = context.sessions.use();
  const { contacts } = session.addressBook;
  const others = contacts.filter((one) => nameKey(one.name) !== nameKey(name));
  const removed = others.length < contacts.length;
  if (removed) await keepFacts(context.environment, session, { contacts: others });
  return { removed };
}

const shown = ({ name, address, note }: Contact): Output<'contacts.set'> => ({
  name,
  address,
  note: note ?? null,
});
