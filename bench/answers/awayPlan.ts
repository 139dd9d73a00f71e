// A month of blocks since NU7 that a wallet missed, after two days that it had seen, with notes of ours in both.

import { POOLS, type Pool } from '@wallet-companion/zcash/pools';
import type { BlocksPlan } from '../history/madeBlocks.ts';
import type { Order } from '../history/ownTransactions.ts';
import { longPlan } from './longPlan.ts';

/** Blocks of two days. */
const SEEN = 6_912;

export type When = 'before' | 'meanwhile';

/** Zatoshi of a note, by when it came; the larger ones are chosen first. */
const NOTE_ZATOSHI: Readonly<Record<When, number>> = { before: 1_000_000, meanwhile: 600_000 };

export interface AwayPlan {
  readonly blocks: BlocksPlan;
  readonly own: readonly Order[];
}

/** Two notes of each pool before, at a third and two thirds of it, and two of each pool meanwhile. */
export function awayPlan(away: number): AwayPlan {
  const at = (first: number, count: number, part: number): number => first + Math.floor(count * part);
  const own = POOLS.flatMap((pool, p): Order[] =>
    ([1, 2] as const).flatMap((third): Order[] => [
      { pool, zatoshi: NOTE_ZATOSHI.before, height: at(1, SEEN, third / 3) + p },
      { pool, zatoshi: NOTE_ZATOSHI.meanwhile, height: at(SEEN + 1, away, third / 3) + p },
    ]),
  ).sort((a, b) => a.height - b.height);
  return { blocks: longPlan('now', SEEN + away), own };
}

/** What one payment asks for so that it takes both notes of a kind, fee included. */
export const paymentOf = (pool: Pool, when: When) => ({
  pools: [pool],
  zatoshi: 2 * NOTE_ZATOSHI[when] - 100_000,
});
