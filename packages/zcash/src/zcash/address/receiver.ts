// Raw shielded receivers (diversifier and pk_d, 43 bytes) as text.
import type { NetworkParameters } from '../network.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { encodeBech32 } from './bech32.ts';
import { encodeUnifiedContainer, TYPECODE, type UnifiedItem } from './unifiedContainer.ts';

/** Each receiver has 43 bytes. The Orchard receiver serves the Ironwood pool too. */
export type ShieldedReceivers = { readonly [P in ShieldedProtocol]?: Uint8Array };

const ENCODERS: Readonly<Record<ShieldedProtocol, (raw: Uint8Array, params: NetworkParameters) => string>> = {
  sapling: encodeSaplingAddress,
  orchard: (raw, params) => encodeUnifiedAddress({ orchard: raw }, params),
};

/** A single receiver in its usual form: a Sapling address, or a unified address with only the Orchard receiver. */
export function encodeReceiver(pool: Pool, raw: Uint8Array, params: NetworkParameters): string {
  return ENCODERS[POOL[pool].protocol](raw, params);
}

/** A Sapling address as Bech32 (protocol specification §5.6.3.1) from its 43 raw bytes: diversifier and pk_d. */
export function encodeSaplingAddress(raw: Uint8Array, { hrp }: NetworkParameters): string {
  return encodeBech32('bech32', hrp.saplingAddress, raw);
}

/** A revision 0 unified address; at least one receiver is required. */
export function encodeUnifiedAddress(
  { sapling, orchard }: ShieldedReceivers,
  { hrp }: NetworkParameters,
): string {
  const items: UnifiedItem[] = [];
  if (sapling) items.push({ typecode: TYPECODE.sapling, value: sapling });
  if (orchard) items.push({ typecode: TYPECODE.orchard, value: orchard });
  return encodeUnifiedContainer(hrp.unifiedAddress, items);
}
