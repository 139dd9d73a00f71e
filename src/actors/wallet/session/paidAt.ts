// What was paid at an address: an address of the wallet is recognised by its diversifiers, so that no address of a note is derived.

import { bytesToHex, equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { parseAddress } from '@wallet-companion/zcash/addresses';
import { createDiversifierCipher } from '@wallet-companion/zcash/keys';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import type { PaidAt } from '../noteViews/receivedView.ts';
import type { Session } from './session.ts';

const DIVERSIFIER_SIZE = 11;

/** The accounts and diversifier indexes of the wallet at which the address is. FormatError as `paidAt`. */
export function placesOf(session: Session, address: string, params: NetworkParameters) {
  const given = parseAddress(address, params);
  const places = new Map<string, { readonly account: number; readonly diversifierIndex: string }>();
  for (const { protocol, scope, account, dk } of session.scanKeys.incoming) {
    const receiver = given[protocol];
    if (receiver === undefined || scope !== 'external') continue;
    const index = createDiversifierCipher(dk).indexOf(receiver.subarray(0, DIVERSIFIER_SIZE));
    const place = { account, scope, diversifierIndex: String(index) } as const;
    const own = session.addressOf(place);
    const same = own === null ? undefined : parseAddress(own, params)[protocol];
    if (same !== undefined && equalBytes(same, receiver)) places.set(`${account}:${index}`, place);
  }
  return places;
}

/** As `placesOf`, and none for any other text. */
export function ownPlaces(session: Session, address: string, params: NetworkParameters) {
  try {
    return [...placesOf(session, address, params).values()];
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}

/** FormatError where the text is no shielded address of the network. */
export function paidAt(session: Session, address: string, params: NetworkParameters): PaidAt {
  const places = placesOf(session, address, params);
  const recipients = new Set(Object.values(parseAddress(address, params)).map(bytesToHex));
  return {
    isNote: ({ account, scope, diversifierIndex }) =>
      scope === 'external' && places.has(`${account}:${diversifierIndex}`),
    isOutput: ({ recipient }) => recipients.has(recipient),
  };
}
