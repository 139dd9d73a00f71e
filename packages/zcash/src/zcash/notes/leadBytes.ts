// Which note plaintext lead bytes a pool accepts (ZIP 212, ZIP 2005), as a mask with bit (b - 1) set for lead byte b.
import type { Height } from '@wallet-companion/base/values';
import type { ActivationHeights } from '../network.ts';
import { type ActionPool, type LeadByteUpgrade, POOL, type Pool, perPool } from '../pools.ts';

interface MaskRule {
  readonly mask: number;
  readonly from: LeadByteUpgrade | undefined;
  readonly blocksLater: number;
}

const maskOf = (leadBytes: readonly number[]): number =>
  leadBytes.reduce((mask, leadByte) => mask | (1 << (leadByte - 1)), 0);

const RULES = perPool((pool) =>
  POOL[pool].leadBytes.map(
    ({ allowed, from, blocksLater = 0 }): MaskRule => ({ mask: maskOf(allowed), from, blocksLater }),
  ),
);

/**
 * The lead bytes of note plaintexts that a block at this height may have (ZIP 212), as a mask: bit (b - 1) is set when
 * lead byte b is allowed. The pool and the height decide, not the transaction's version.
 */
export function allowedLeadBytes(
  pool: Pool,
  height: Height,
  heights: Pick<ActivationHeights, LeadByteUpgrade>,
): number {
  let allowed = 0;
  for (const { mask, from, blocksLater } of RULES[pool]) {
    if (from === undefined || height >= (heights[from] ?? Number.POSITIVE_INFINITY) + blocksLater)
      allowed = mask;
  }
  return allowed;
}

/** The mask of all that the pool ever allowed: for an output of a known transaction, whose height is not. */
export const everAllowedLeadBytes = (pool: Pool): number =>
  RULES[pool].reduce((all, { mask }) => all | mask, 0);

/** The columns of a scan have 8 bits for the mask. */
const MAX_LEAD_BYTE = 8;

/** Whether a plaintext with this lead byte opens a note, by a mask of `allowedLeadBytes` (ZIP 212). */
export const isLeadByteAllowed = (mask: number, leadByte: number): boolean =>
  leadByte >= 1 && leadByte <= MAX_LEAD_BYTE && (mask & (1 << (leadByte - 1))) !== 0;

/** The lead byte of a pool of actions, whose notes it tells apart. */
export const leadByteOf = (pool: ActionPool): number => POOL[pool].leadBytes[0]!.allowed[0]!;
