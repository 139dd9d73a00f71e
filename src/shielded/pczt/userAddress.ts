// The address that a person typed, held against the receiver that is really paid.
import { parseAddress } from '../address/address.ts';
import { decodeBech32 } from '../address/bech32.ts';
import { parseTransparentAddress, scriptOf, type TransparentKind } from '../address/transparentScript.ts';
import { hasUnifiedPrefix, parseUnifiedContainer, TYPECODE } from '../address/unifiedContainer.ts';
import { equalBytes, FormatError } from '../bytes.ts';
import type { NetworkParameters } from '../network.ts';
import { POOL, type Pool } from '../pools.ts';

/** No address is longer; those that are would take seconds. */
const MAX_ADDRESS_LENGTH = 4096;

/** Whether the address is one of this network and has the receiver: 43 bytes of a pool, or a script. */
export function addressHolds(
  address: string,
  pool: Pool | 'transparent',
  receiver: Uint8Array,
  params: NetworkParameters,
): boolean {
  if (address.length > MAX_ADDRESS_LENGTH) return false;
  try {
    if (pool === 'transparent')
      return scriptsOf(address, params).some((script) => equalBytes(script, receiver));
    const held = parseAddress(address, params)[POOL[pool].protocol];
    return held !== undefined && equalBytes(held, receiver);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

const KIND_OF_TYPECODE: ReadonlyMap<number, TransparentKind> = new Map([
  [TYPECODE.p2pkh, 'p2pkh'],
  [TYPECODE.p2sh, 'p2sh'],
]);

function scriptsOf(address: string, { network, hrp }: NetworkParameters): Uint8Array[] {
  if (hasUnifiedPrefix(address)) {
    const container = parseUnifiedContainer(address);
    if (container.kind !== 'address' || container.network !== network) return [];
    return container.items.flatMap(({ typecode, value }) => {
      const kind = KIND_OF_TYPECODE.get(typecode);
      return kind === undefined ? [] : [scriptOf({ kind, hash: value })];
    });
  }
  if (address.startsWith(`${hrp.tex}1`)) {
    const tex = decodeBech32('bech32m', address);
    return tex.hrp === hrp.tex ? [scriptOf({ kind: 'p2pkh', hash: tex.bytes })] : [];
  }
  return [scriptOf(parseTransparentAddress(address, network))];
}
