// Addresses that can be paid with shielded notes: unified (ZIP 316, revisions 0 and 2) and Sapling.
import { FormatError } from '@wallet-companion/base/bytes';
import { tryParseOrchardAddress } from '../keys/orchardKeys.ts';
import { tryParseSaplingAddress } from '../keys/saplingKeys.ts';
import type { NetworkParameters } from '../network.ts';
import { decodeBech32 } from './bech32.ts';
import type { ShieldedReceivers } from './receiver.ts';
import { hasUnifiedPrefix, parseUnifiedContainer, TYPECODE } from './unifiedContainer.ts';

/**
 * The shielded receivers of an address, each checked. FormatError when the address is malformed, of another network, or
 * has an invalid shielded receiver; transparent receivers and unknown items are dropped.
 */
export function parseAddress(text: string, params: NetworkParameters): ShieldedReceivers {
  if (!hasUnifiedPrefix(text)) return { sapling: parseSaplingAddress(text, params) };
  const { kind, network, items } = parseUnifiedContainer(text);
  if (kind !== 'address') throw new FormatError('this is a viewing key, not an address');
  if (network !== params.network) throw new FormatError(`the address belongs to the ${network} network`);
  const itemOf = (typecode: number): Uint8Array | undefined =>
    items.find((item) => item.typecode === typecode)?.value;
  const sapling = itemOf(TYPECODE.sapling);
  const orchard = itemOf(TYPECODE.orchard);
  if (sapling && !tryParseSaplingAddress(sapling)) throw new FormatError('the Sapling receiver is not valid');
  if (orchard && !tryParseOrchardAddress(orchard)) throw new FormatError('the Orchard receiver is not valid');
  return { ...(sapling && { sapling }), ...(orchard && { orchard }) };
}

function parseSaplingAddress(text: string, params: NetworkParameters): Uint8Array {
  const { hrp, bytes } = decodeBech32('bech32', text);
  if (hrp !== params.hrp.saplingAddress) throw new FormatError('not a shielded address of this network');
  if (!tryParseSaplingAddress(bytes)) throw new FormatError('the Sapling address is not valid');
  return bytes;
}
