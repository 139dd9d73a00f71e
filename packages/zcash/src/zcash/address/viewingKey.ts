// Viewing keys as people paste them: unified (ZIP 316), or the Sapling extended full viewing keys of older wallets.
import { FormatError, wipe } from '@wallet-companion/base/bytes';
import type { ViewingKeys } from '../keys/account.ts';
import { parseSaplingExtendedFullViewingKey } from '../keys/saplingExtendedViewingKey.ts';
import { encodeSaplingFullViewingKey } from '../keys/saplingKeys.ts';
import { type NetworkParameters, networkParameters } from '../network.ts';
import { decodeBech32, prefixOf } from './bech32.ts';
import { parseUnifiedViewingKey } from './unifiedViewingKey.ts';

const NETWORKS = ['main', 'test', 'regtest'] as const;

/** FormatError, which never quotes the key, for any other key and for a key of another network. */
export function parseViewingKey(text: string, params: NetworkParameters): ViewingKeys {
  const trimmed = text.trim();
  const prefix = prefixOf(trimmed);
  const network = NETWORKS.find(
    (name) => networkParameters(name).hrp.saplingExtendedFullViewingKey === prefix,
  );
  if (network === undefined) return parseUnifiedViewingKey(trimmed, params);
  if (network !== params.network) throw new FormatError(`the viewing key belongs to the ${network} network`);
  const { bytes } = decodeBech32('bech32', trimmed);
  try {
    const { key } = parseSaplingExtendedFullViewingKey(bytes);
    return { kind: 'full', sapling: encodeSaplingFullViewingKey(key) };
  } finally {
    wipe(bytes);
  }
}
