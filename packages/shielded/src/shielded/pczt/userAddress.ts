// Compares the address that a person typed with the receiver that is really paid.
import { payableReceivers } from '../address/payableReceivers.ts';
import { scriptOf } from '../address/transparentScript.ts';
import { equalBytes, FormatError } from '../bytes.ts';
import type { NetworkParameters } from '../network.ts';
import { POOL, type Pool } from '../pools.ts';

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
