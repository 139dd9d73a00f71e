// Whether an action may pay another address than the one that it spends from (ZIP 229): in Ironwood a flag decides, in
// Orchard it may not once the pool only pays out.
import { type ActionPool, POOL } from '@wallet-companion/zcash/pools';
import type { Pczt } from './pczt.ts';
import { isUnderUpgrade } from './upgrades.ts';

const CROSS_ADDRESS = 0b100;

export function mayCrossAddresses(pczt: Pczt, pool: ActionPool): boolean {
  const { actionFlags, withdrawOnlyFrom } = POOL[pool];
  if ((actionFlags & CROSS_ADDRESS) !== 0) return (pczt[pool].flags & CROSS_ADDRESS) !== 0;
  return withdrawOnlyFrom === undefined || !isUnderUpgrade(pczt.global.consensusBranchId, withdrawOnlyFrom);
}
