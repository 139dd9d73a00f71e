// Which note plaintext lead bytes a pool accepts (ZIP 212, ZIP 2005), as a mask with bit (b - 1) set for lead byte b.
import { type ActivationHeights, ZIP212_GRACE_PERIOD } from '../network.ts';
import type { Pool } from '../pools.ts';

const V1 = 0b001;
const V2 = 0b010;
const V3 = 0b100;

/** Independent of the transaction's version: the pool and the height of the block decide. */
export function allowedLeadBytes(
  pool: Pool,
  height: number,
  heights: Pick<ActivationHeights, 'canopy'>,
): number {
  if (pool === 'orchard') return V2;
  if (pool === 'ironwood') return V3;
  if (height < heights.canopy) return V1;
  return height < heights.canopy + ZIP212_GRACE_PERIOD ? V1 | V2 : V2;
}

export const isLeadByteAllowed = (mask: number, leadByte: number): boolean =>
  leadByte >= 1 && leadByte <= 3 && (mask & (1 << (leadByte - 1))) !== 0;
