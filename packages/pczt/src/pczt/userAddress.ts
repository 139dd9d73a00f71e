// Compares the address that a person typed with the receiver that is really paid.

import { equalBytes, FormatError } from '@wallet-companion/base/bytes';
import { payableReceivers, scriptOf } from '@wallet-companion/zcash/addresses';
import type { NetworkParameters } from '@wallet-companion/zcash/network';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';

/** Whether the address belongs to this network and has the receiver: 43 bytes of a pool, or a script. */
export function addressHolds(
  address: string,
  pool: Pool | 'transparent',
  receiver: Uint8Array,
  params: NetworkParameters,
): boolean {
  try {
    const { transparent, ...shielded } = payableReceivers(address, params);
    if (pool === 'transparent')
      return transparent !== undefined && equalBytes(scriptOf(transparent), receiver);
    const held = shielded[POOL[pool].protocol];
    return held !== undefined && equalBytes(held, receiver);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
