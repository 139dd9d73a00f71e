// The addresses of an account: revision 0 unified addresses with one receiver per shielded key at one diversifier
// index. They never have a transparent receiver: the wallet would not see funds sent to it.
import { FormatError } from '@wallet-companion/base/bytes';
import { toIncomingViewingKeys, type ViewingKeys } from '../keys/account.ts';
import { DIVERSIFIER_INDEX_END } from '../keys/diversifierCipher.ts';
import { orchardAddressAt, parseOrchardIncomingViewingKey } from '../keys/orchardKeys.ts';
import { parseSaplingIncomingViewingKey, saplingAddressAt } from '../keys/saplingKeys.ts';
import type { NetworkParameters } from '../network.ts';
import { encodeSaplingAddress, encodeUnifiedAddress } from './address.ts';

export interface AccountAddress {
  readonly unifiedAddress: string;
  /** The Sapling receiver as a separate address; null when the account has no Sapling key. */
  readonly saplingAddress: string | null;
  readonly diversifierIndex: bigint;
}

/** The address at an index below 2^88; undefined where Sapling has none (about half of the indices). */
export function addressAt(
  keys: ViewingKeys,
  params: NetworkParameters,
  index: bigint,
): AccountAddress | undefined {
  const incoming = keys.kind === 'full' ? toIncomingViewingKeys(keys) : keys;
  const sapling =
    incoming.sapling && saplingAddressAt(parseSaplingIncomingViewingKey(incoming.sapling), index);
  if (incoming.sapling && !sapling) return undefined;
  const orchard =
    incoming.orchard && orchardAddressAt(parseOrchardIncomingViewingKey(incoming.orchard), index);
  return {
    unifiedAddress: encodeUnifiedAddress(
      { ...(sapling && { sapling }), ...(orchard && { orchard }) },
      params,
    ),
    saplingAddress: sapling ? encodeSaplingAddress(sapling, params) : null,
    diversifierIndex: index,
  };
}

/** The address at the first valid index from `from` on. */
export function firstAddress(keys: ViewingKeys, params: NetworkParameters, from: bigint): AccountAddress {
  const incoming = keys.kind === 'full' ? toIncomingViewingKeys(keys) : keys;
  for (let index = from; index < DIVERSIFIER_INDEX_END; index++) {
    const address = addressAt(incoming, params, index);
    if (address !== undefined) return address;
  }
  throw new FormatError('there is no further diversified address');
}
