// Recipients of a payment request: any address of the network but a Sprout one (ZIP 321), and whether it takes memos.
import type { Zatoshi } from '@wallet-companion/base/values';
import { payableReceivers } from '../address/payableReceivers.ts';
import type { NetworkParameters } from '../network.ts';

/** Nodes do not relay smaller transparent outputs: three times the cost of relaying their spend. */
export const LEAST_TRANSPARENT: Zatoshi = 54;

/** Transparent recipients take no memo. */
export type RecipientKind = 'shielded' | 'transparent';

/** What kind of payment an address takes. FormatError when the text is not a payable address of this network. */
export function recipientKind(address: string, params: NetworkParameters): RecipientKind {
  const { sapling, orchard } = payableReceivers(address, params);
  return sapling === undefined && orchard === undefined ? 'transparent' : 'shielded';
}
