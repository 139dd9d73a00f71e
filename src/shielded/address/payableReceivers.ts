// Everything in an address that can be paid, for a payer to choose from: shielded receivers and a transparent one.
import { FormatError } from '../bytes.ts';
import type { NetworkParameters } from '../network.ts';
import { parseAddress } from './address.ts';
import { decodeBech32 } from './bech32.ts';
import type { ShieldedReceivers } from './receiver.ts';
import {
  parseTransparentAddress,
  type TransparentKind,
  type TransparentReceiver,
} from './transparentScript.ts';
import { hasUnifiedPrefix, parseUnifiedContainer, TYPECODE } from './unifiedContainer.ts';

export interface PayableReceivers extends ShieldedReceivers {
  readonly transparent?: TransparentReceiver;
  /** ZIP 320: from transparent funds alone. */
  readonly isTransparentSourceOnly: boolean;
}

/** No address is longer; those that are would take seconds. */
export const MAX_ADDRESS_LENGTH = 4096;

const HASH_LENGTH = 20;

const KIND_OF_TYPECODE: ReadonlyMap<number, TransparentKind> = new Map([
  [TYPECODE.p2pkh, 'p2pkh'],
  [TYPECODE.p2sh, 'p2sh'],
]);

/** FormatError when the text is no address of this network. */
export function payableReceivers(address: string, params: NetworkParameters): PayableReceivers {
  if (address.length > MAX_ADDRESS_LENGTH) throw new FormatError('no address is that long');
  const isTransparentSourceOnly = address.startsWith(`${params.hrp.tex}1`);
  if (isTransparentSourceOnly) return { transparent: parseTex(address, params), isTransparentSourceOnly };
  if (hasUnifiedPrefix(address)) {
    const shielded = parseAddress(address, params);
    const transparent = transparentItem(address);
    return { ...shielded, ...(transparent && { transparent }), isTransparentSourceOnly };
  }
  if (address.startsWith(`${params.hrp.saplingAddress}1`))
    return { ...parseAddress(address, params), isTransparentSourceOnly };
  return { transparent: parseTransparentAddress(address, params.network), isTransparentSourceOnly };
}

function parseTex(address: string, { hrp }: NetworkParameters): TransparentReceiver {
  const decoded = decodeBech32('bech32m', address);
  if (decoded.hrp !== hrp.tex || decoded.bytes.length !== HASH_LENGTH)
    throw new FormatError('the TEX address is not valid');
  return { kind: 'p2pkh', hash: decoded.bytes };
}

/** Of a unified address that was found to be one of the network. */
function transparentItem(address: string): TransparentReceiver | undefined {
  for (const { typecode, value } of parseUnifiedContainer(address).items) {
    const kind = KIND_OF_TYPECODE.get(typecode);
    if (kind !== undefined) return { kind, hash: value };
  }
  return undefined;
}
