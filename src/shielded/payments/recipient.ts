// Who a payment request may name: any address of the network but a Sprout one (ZIP 321), and whether it takes memos.
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';

import { parseAddress } from '../address/address.ts';
import { decodeBech32 } from '../address/bech32.ts';
import { hasUnifiedPrefix } from '../address/unifiedContainer.ts';
import { FormatError } from '../bytes.ts';
import type { Network, NetworkParameters } from '../network.ts';

/** Transparent recipients take no memo. */
export type RecipientKind = 'shielded' | 'transparent';

const base58check = createBase58check(sha256);

/** Protocol specification §5.6.1.1: the first two bytes of P2PKH and P2SH addresses, in hexadecimal. */
const TRANSPARENT_PREFIXES: Readonly<Record<Network, readonly string[]>> = {
  main: ['1cb8', '1cbd'],
  test: ['1d25', '1cba'],
  regtest: ['1d25', '1cba'],
};
const TRANSPARENT_LENGTH = 22;

/** FormatError when the text is no address of this network that can be paid. */
export function recipientKind(address: string, params: NetworkParameters): RecipientKind {
  if (hasUnifiedPrefix(address) || address.startsWith(`${params.hrp.saplingAddress}1`)) {
    const { sapling, orchard } = parseAddress(address, params);
    return sapling === undefined && orchard === undefined ? 'transparent' : 'shielded';
  }
  if (address.startsWith(`${params.hrp.tex}1`)) checkTransparentSourceAddress(address, params);
  else checkTransparentAddress(address, params);
  return 'transparent';
}

/** ZIP 320. */
function checkTransparentSourceAddress(address: string, { hrp }: NetworkParameters): void {
  const decoded = decodeBech32('bech32m', address);
  if (decoded.hrp !== hrp.tex || decoded.bytes.length !== TRANSPARENT_LENGTH - 2)
    throw new FormatError('the TEX address is not valid');
}

function checkTransparentAddress(address: string, { network }: NetworkParameters): void {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(address);
  } catch {
    throw new FormatError('not an address of this network, or mistyped');
  }
  const prefix = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (bytes.length !== TRANSPARENT_LENGTH || !TRANSPARENT_PREFIXES[network].includes(prefix))
    throw new FormatError('not an address of this network that can be paid');
}
