// Labels and contacts as other wallets write labels: JSON Lines (BIP 329). Of its types only `addr` has a meaning for
// shielded addresses here: a line about an own address is a label, one about another address of the network a contact.

import { FormatError } from '@wallet-companion/base/bytes';
import { copiedCode } from '@wallet-companion/client/contract';
import { payableReceivers } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { badField } from '../../../protocol/errors.ts';
import { label as labelField } from '../../../protocol/fields.ts';
import { contactName, contactNote } from '../../../protocol/operations/contacts.ts';
import { withContact } from '../contacts/contactList.ts';
import type { AddressLabel, Contact } from '../ports/walletFile.ts';
import { nameKey } from '../session/addressBook.ts';
import { ownPlaces } from '../session/paidAt.ts';
import type { Session } from '../session/session.ts';

export const addressLine = (ref: string, label: string, more: object = {}): string =>
  `${JSON.stringify({ type: 'addr', ref, label, ...more })}\n`;

/** BIP 329 has no place for the note, and readers pass over what they do not know. */
export const contactLine = ({ name, address, note }: Contact): string =>
  addressLine(address, name, note === undefined ? {} : { note });

/** A later line replaces an earlier one. Throws `INVALID_REQUEST` with the number of a line that is wrong. */
export function namesFrom(session: Session, base64: string, params: NetworkParameters, most: number) {
  // The decoder passes over a byte order mark, which Windows' editors write.
  const lines = new TextDecoder().decode(Buffer.from(base64, 'base64')).split(/\r?\n/);
  const found = new Map<string, AddressLabel>();
  const named = new Set<string>();
  let contacts = session.addressBook.contacts;
  let ignored = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const { type, ref: given, label, note } = recordIn(line, index + 1);
    const ref = typeof given === 'string' ? copiedCode(given) : given;
    const isNamed = type === 'addr' && typeof ref === 'string' && (label ?? '') !== '';
    const places = isNamed ? ownPlaces(session, ref, params) : [];
    if (!isNamed || (places.length === 0 && !isPayable(ref, params))) {
      ignored += 1;
      continue;
    }
    if (places.length === 0) {
      contacts = withNamed(contacts, { ref, label, note }, index + 1);
      named.add(ref);
      continue;
    }
    const text = labelField.safeParse(label);
    if (!text.success) throw badField('labels', `has no label that can be kept in line ${index + 1}`);
    for (const { account, diversifierIndex } of places)
      found.set(`${account}:${diversifierIndex}`, { account, diversifierIndex, text: text.data });
    if (found.size > most)
      throw badField('labels', `has more than the ${most} labels that a wallet has room for`);
  }
  return { labels: [...found.values()], contacts: { all: contacts, named: named.size }, ignored };
}

interface NamedAddress {
  readonly ref: string;
  readonly label: unknown;
  readonly note: unknown;
}

/** The address has this name from now on, and keeps its note where the line has none. */
function withNamed(
  contacts: readonly Contact[],
  { ref, label, note }: NamedAddress,
  line: number,
): readonly Contact[] {
  const before = contacts.find(({ address }) => address === ref);
  const name = contactName.safeParse(label);
  const kept = contactNote.optional().safeParse(note ?? before?.note);
  if (!name.success || !kept.success)
    throw badField('labels', `has no name or note of a contact that can be kept in line ${line}`);
  const others = contacts.filter((one) => one !== before);
  const isTaken = others.some((one) => nameKey(one.name) === nameKey(name.data));
  const more = {
    name: name.data.trim(),
    address: ref,
    ...(kept.data === undefined ? {} : { note: kept.data }),
  };
  const all = isTaken ? 'has the name of another contact' : withContact(others, more);
  if (typeof all === 'string') throw badField('labels', `has an address in line ${line} that ${all}`);
  return all;
}

function isPayable(address: string, params: NetworkParameters): boolean {
  try {
    payableReceivers(address, params);
    return true;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

function recordIn(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(line);
    if (typeof read === 'object' && read !== null) return read as Readonly<Record<string, unknown>>;
  } catch {
    // Told below.
  }
  throw badField('labels', `has no JSON object in line ${number}`);
}
