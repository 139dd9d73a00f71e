// Whether an action of a PCZT may pay another address than the one that it spends from (ZIP 229).
import { type ActionPool, allowsCrossAddress } from '@wallet-companion/zcash/pools';
import type { Pczt } from './pczt.ts';

/** Whether its actions may spend one address and pay another (the flag of its bundle, or its upgrade). */
export const mayCrossAddresses = (pczt: Pczt, pool: ActionPool): boolean =>
  allowsCrossAddress(pool, pczt[pool].flags, pczt.global.consensusBranchId);
