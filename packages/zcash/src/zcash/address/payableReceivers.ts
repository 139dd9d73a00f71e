// All receivers of an address that a payer can choose from: shielded ones and a transparent one.

import { FormatError, leBytesToBigint } from '@wallet-companion/base/bytes';
import type { Height } from '@wallet-companion/base/values';
import type { NetworkParameters } from '../network.ts';
import { encodeReceiver, parseAddress, type ShieldedReceivers } from './address.ts';
import { decodeBech32, prefixOf } from './bech32.ts';
import {
  encodeTransparentAddress,
  parseTransparentAddress,
  type TransparentKind,
  type TransparentReceiver,
} from './transparentScript.ts';
import { hasUnifiedPrefix, parseUnifiedContainer, TYPECODE } from './unifiedContainer.ts';

export interface PayableReceivers extends ShieldedReceivers {
  readonly transparent?: TransparentReceiver;
  /** ZIP 320: accepts only transparent funds. */
  readonly isTransparentSourceOnly: boolean;
  /** ZIP 316: the address's owner may not look for payments that arrive later. */
  readonly lastHeight?: Height;
  /** Seconds since 1970. */
  readonly lastTime?: number;
}

/** Every valid address is shorter; decoding a longer text would take seconds. */
export const MAX_ADDRESS_LENGTH = 4096;

const HASH_LENGTH = 20;

const KIND_OF_TYPECODE: ReadonlyMap<number, TransparentKind> = new Map([
  [TYPECODE.p2pkh, 'p2pkh'],
  [TYPECODE.p2sh, 'p2sh'],
]);

/** FormatError when the text is not an address of this network. */
export function payableReceivers(address: string, params: NetworkParameters): PayableReceivers {
  if (address.length > MAX_ADDRESS_LENGTH) throw new FormatError('no address is that long');
  const isTransparentSourceOnly = prefixOf(address) === params.hrp.tex;
  if (isTransparentSourceOnly) return { transparent: parseTex(address, params), isTransparentSourceOnly };
  if (hasUnifiedPrefix(address)) {
    const shielded = parseAddress(address, params);
    return { ...shielded, ...otherItems(address), isTransparentSourceOnly };
  }
  if (prefixOf(address) === params.hrp.saplingAddress)
    return { ...parseAddress(address, params), isTransparentSourceOnly };
  return { transparent: parseTransparentAddress(address, params.network), isTransparentSourceOnly };
}

/**
 * Each receiver alone, encoded for the network: two texts that share one are an address of the same wallet. FormatError as
 * `payableReceivers`.
 */
export function receiverTexts(address: string, params: NetworkParameters): string[] {
  const { sapling, orchard, transparent } = payableReceivers(address, params);
  return [
    ...(sapling ? [encodeReceiver('sapling', sapling, params)] : []),
    ...(orchard ? [encodeReceiver('orchard', orchard, params)] : []),
    ...(transparent ? [encodeTransparentAddress(transparent, params.network)] : []),
  ];
}

function parseTex(address: string, { hrp }: NetworkParameters): TransparentReceiver {
  const decoded = decodeBech32('bech32m', address);
  if (decoded.hrp !== hrp.tex || decoded.bytes.length !== HASH_LENGTH)
    throw new FormatError('the TEX address is not valid');
  return { kind: 'p2pkh', hash: decoded.bytes };
}

type OtherItems = Omit<PayableReceivers, keyof ShieldedReceivers | 'isTransparentSourceOnly'>;

/** The non-shielded items of a unified address that is already known to belong to the network. */
function otherItems(address: string): OtherItems {
  let found: OtherItems = {};
  for (const { typecode, value } of parseUnifiedContainer(address).items) {
    const kind = KIND_OF_TYPECODE.get(typecode);
    if (kind !== undefined) found = { ...found, transparent: { kind, hash: value } };
    // A height has 4 bytes; a time that a number cannot hold exactly means "never".
    if (typecode === TYPECODE.expiryHeight) found = { ...found, lastHeight: Number(leBytesToBigint(value)) };
    if (typecode === TYPECODE.expiryTime) found = { ...found, lastTime: Number(leBytesToBigint(value)) };
  }
  return found;
}
