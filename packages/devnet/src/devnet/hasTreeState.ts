// The tree states that servers show at a height.

import type { Height } from '@wallet-companion/base/values';
import { type ActivationHeights, isActive } from '@wallet-companion/zcash/network';
import { POOL, type Pool } from '@wallet-companion/zcash/pools';

/**
 * Whether servers show the pool's tree. If not all servers know the pool, they show it only once the pool is active.
 */
export const hasTreeState = (pool: Pool, activation: ActivationHeights, height: Height): boolean =>
  !POOL[pool].oldServersOmit || isActive(activation, POOL[pool].activation, height);
