// The contacts of an open wallet: found by name, and by an address of theirs. An address that only looks like one that is
// known is told apart here.

import { bytesToHex, FormatError, hexToBytes } from '@wallet-companion/base/bytes';
import { normalForm } from '@wallet-companion/base/values';
import {
  encodeReceiver,
  looksAlike,
  type PayableReceivers,
  payableReceivers,
} from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { badField } from '../../../protocol/errors.ts';
import type { StoredSentOutput } from '../ports/noteDatabase.ts';
import type { Contact } from '../ports/walletFile.ts';

/** Two names that a person reads as one are one. */
export const nameKey = (name: string): string => normalForm(name, 'NFKC').trim().toLowerCase();

function receiversIn({ sapling, orchard, transparent }: PayableReceivers): string[] {
  return [
    ...(sapling === undefined ? [] : [`sapling ${bytesToHex(sapling)}`]),
    ...(orchard === undefined ? [] : [`orchard ${bytesToHex(orchard)}`]),
    ...(transparent === undefined ? [] : [`${transparent.kind} ${bytesToHex(transparent.hash)}`]),
  ];
}

export class AddressBook {
  readonly contacts: readonly Contact[];
  readonly #params: NetworkParameters;
  #byReceiver: ReadonlyMap<string, Contact> | undefined;

  constructor(contacts: readonly Contact[], params: NetworkParameters) {
    this.contacts = contacts;
    this.#params = params;
  }

  /** Throws `NOT_FOUND`, without the name: an address or a secret may have been typed in its place. */
  /** `path`: the field with the name. */
  named(name: string, path: string): Contact {
    const key = nameKey(name);
    const contact = this.contacts.find((one) => nameKey(one.name) === key);
    if (contact !== undefined) return contact;
    throw badField(
      path,
      'is no contact of this wallet',
      'There is no contact of that name in this wallet; GET /api/contacts lists them.',
      'NOT_FOUND',
    );
  }

  /**
   * The contact who has every receiver of the address: one receiver more would let somebody else be paid under that
   * name. Undefined for a text that is no address of the network, too.
   */
  at(address: string): Contact | undefined {
    if (this.contacts.length === 0) return undefined;
    const [first, ...others] = this.#receiversOf(address).map((receiver) => this.#known.get(receiver));
    return others.every((other) => other === first) ? first : undefined;
  }

  /** The contact to whom an output went, else its receiver as an address. */
  recipientOf({ pool, recipient }: Pick<StoredSentOutput, 'pool' | 'recipient'>): string {
    const address = encodeReceiver(pool, hexToBytes(recipient), this.#params);
    return this.at(address)?.name ?? address;
  }

  /** A warning about an address that looks like that of a contact, or like one of `own`, and is another one. */
  doubtAbout(address: string, own: readonly string[]): string | undefined {
    if (own.includes(address) || this.at(address) !== undefined) return undefined;
    const like = this.contacts.find((contact) => looksAlike(contact.address, address));
    const whose =
      like !== undefined
        ? `the address of your contact ${like.name}`
        : own.some((one) => looksAlike(one, address))
          ? 'an address of this wallet'
          : undefined;
    return whose && `begins and ends like ${whose}, and is another one: compare every character`;
  }

  get #known(): ReadonlyMap<string, Contact> {
    this.#byReceiver ??= new Map(
      this.contacts.flatMap((contact) =>
        this.#receiversOf(contact.address).map((receiver) => [receiver, contact] as const),
      ),
    );
    return this.#byReceiver;
  }

  #receiversOf(address: string): string[] {
    try {
      return receiversIn(payableReceivers(address, this.#params));
    } catch (error) {
      if (error instanceof FormatError) return [];
      throw error;
    }
  }
}
