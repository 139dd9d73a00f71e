// Parses unified viewing keys (ZIP 316) into checked keys, and encodes them.
import { FormatError } from '@wallet-companion/base/bytes';
import type { ViewingKeys } from '../keys/account.ts';
import { parseOrchardFullViewingKey, parseOrchardIncomingViewingKey } from '../keys/orchardKeys.ts';
import { parseSaplingFullViewingKey, parseSaplingIncomingViewingKey } from '../keys/saplingKeys.ts';
import { parseTransparentKey } from '../keys/transparentKeys.ts';
import type { NetworkParameters } from '../network.ts';
import {
  encodeUnifiedContainer,
  parseUnifiedContainer,
  TYPECODE,
  type UnifiedItem,
} from './unifiedContainer.ts';

/** The revision 0 encoding: a UFVK or a UIVK. */
export function encodeUnifiedViewingKey(keys: ViewingKeys, { hrp }: NetworkParameters): string {
  const items: UnifiedItem[] = [];
  if (keys.transparent) items.push({ typecode: TYPECODE.p2pkh, value: keys.transparent });
  if (keys.sapling) items.push({ typecode: TYPECODE.sapling, value: keys.sapling });
  if (keys.orchard) items.push({ typecode: TYPECODE.orchard, value: keys.orchard });
  return encodeUnifiedContainer(
    keys.kind === 'full' ? hrp.unifiedFullViewingKey : hrp.unifiedIncomingViewingKey,
    items,
  );
}

/**
 * A UFVK or UIVK of revision 0 or 2, every key checked. FormatError when it is malformed, of another network, or
 * without a shielded key. Items of unknown types are dropped.
 */
export function parseUnifiedViewingKey(text: string, params: NetworkParameters): ViewingKeys {
  const { kind, network, items } = parseUnifiedContainer(text.trim());
  if (kind === 'address') throw new FormatError('this is an address, not a viewing key');
  if (network !== params.network) throw new FormatError(`the viewing key belongs to the ${network} network`);
  const itemOf = (typecode: number): Uint8Array | undefined =>
    items.find((item) => item.typecode === typecode)?.value;
  const transparent = itemOf(TYPECODE.p2pkh);
  const sapling = itemOf(TYPECODE.sapling);
  const orchard = itemOf(TYPECODE.orchard);
  if (transparent) parseTransparentKey(transparent);
  if (!sapling && !orchard) throw new FormatError('the viewing key has no shielded key that is known here');
  if (kind === 'fullViewingKey') {
    if (sapling) parseSaplingFullViewingKey(sapling);
    if (orchard) parseOrchardFullViewingKey(orchard);
  } else {
    if (sapling) parseSaplingIncomingViewingKey(sapling);
    if (orchard) parseOrchardIncomingViewingKey(orchard);
  }
  return {
    kind: kind === 'fullViewingKey' ? 'full' : 'incoming',
    ...(transparent && { transparent }),
    ...(sapling && { sapling }),
    ...(orchard && { orchard }),
  };
}
