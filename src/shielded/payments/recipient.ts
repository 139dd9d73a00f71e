// Who a payment request may name: any address of the network but a Sprout one (ZIP 321), and whether it takes memos.
import { parseAddress } from '../address/address.ts';
import { decodeBech32 } from '../address/bech32.ts';
import { parseTransparentAddress } from '../address/transparentScript.ts';
import { hasUnifiedPrefix } from '../address/unifiedContainer.ts';
import { FormatError } from '../bytes.ts';
import type { NetworkParameters } from '../network.ts';

/** Transparent recipients take no memo. */
export type RecipientKind = 'shielded' | 'transparent';

/** Of a key or script. */
const HASH_LENGTH = 20;

/** FormatError when the text is no address of this network that can be paid. */
export function recipientKind(address: string, params: NetworkParameters): RecipientKind {
  if (hasUnifiedPrefix(address) || address.startsWith(`${params.hrp.saplingAddress}1`)) {
    const { sapling, orchard } = parseAddress(address, params);
    return sapling === undefined && orchard === undefined ? 'transparent' : 'shielded';
  }
  if (address.startsWith(`${params.hrp.tex}1`)) checkTransparentSourceAddress(address, params);
  else parseTransparentAddress(address, params.network);
  return 'transparent';
}

/** ZIP 320. */
function checkTransparentSourceAddress(address: string, { hrp }: NetworkParameters): void {
  const decoded = decodeBech32('bech32m', address);
  if (decoded.hrp !== hrp.tex || decoded.bytes.length !== HASH_LENGTH)
    throw new FormatError('the TEX address is not valid');
}
