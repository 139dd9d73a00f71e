// Addresses that can be paid with shielded notes, from and to text: unified (ZIP 316, revisions 0 and 2) and Sapling.

import { FormatError } from '@wallet-companion/base/bytes';
import { tryParseOrchardAddress } from '../keys/orchardKeys.ts';
import { tryParseSaplingAddress } from '../keys/saplingKeys.ts';
import type { NetworkParameters } from '../network.ts';
import { POOL, type Pool, type ShieldedProtocol } from '../pools.ts';
import { decodeBech32, encodeBech32 } from './bech32.ts';
import {
  encodeUnifiedContainer,
  hasUnifiedPrefix,
  parseUnifiedContainer,
  TYPECODE,
  type UnifiedItem,
} from './unifiedContainer.ts';

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

// Raw shielded receivers (diversifier and pk_d, 43 bytes) as text.

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

// Addresses that pass for one another: a thief makes one with the same beginning and end, to be paid by mistake.

/** Few people compare more. A higher number finds fewer look-alikes; at this one chance makes none (40 bits). */
const COMPARED = 4;

/** The first two characters of a transparent address; of others what stands before the first 1, and it. */
const PREFIX = /^(?:t[123m]|[a-z]+1)/;

const glance = (address: string): string => {
  const { length } = PREFIX.exec(address)?.[0] ?? '';
  return `${address.slice(0, length + COMPARED)} ${address.slice(-COMPARED)}`;
};

/**
 * Whether a person may take one address for the other: the four characters after the prefix and the last four are the
 * same, and the addresses are not. Texts are compared as they are written.
 */
export const looksAlike = (one: string, other: string): boolean =>
  one !== other && glance(one) === glance(other);
