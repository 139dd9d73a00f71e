// The list of contacts with one more: no name twice, and no address, so that each says who the other is.

import type { Contact } from '../ports/walletFile.ts';
import { nameKey } from '../session/addressBook.ts';

/** With as many labels as there can be they fit into a wallet file, however long they are. */
export const MAX_CONTACTS = 400;

/** What is wrong with the address, in words, where it cannot be added. */
export function withContact(contacts: readonly Contact[], contact: Contact): readonly Contact[] | string {
  const others = contacts.filter(({ name }) => nameKey(name) !== nameKey(contact.name));
  if (others.some(({ address }) => address === contact.address))
    return 'is that of another contact; remove that one first';
  if (others.length >= MAX_CONTACTS)
    return `is one too many: a wallet has room for ${MAX_CONTACTS} contacts; remove some first`;
  return [...others, contact];
}
