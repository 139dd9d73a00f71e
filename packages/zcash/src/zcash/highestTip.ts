// The highest possible tip at a given time. Difficulty keeps blocks near their target spacing, so a tip far above this
// limit is a lie or the clock is wrong; if it were accepted, a new wallet's birthday would be above its first payments.

import { heightAfter } from './blockSpacing.ts';
import type { NetworkParameters } from './network.ts';

/** Over months blocks are a little faster than their target, and much faster over hours. */
const FASTEST = 1.25;
const SLACK_BLOCKS = 10_000;

/**
 * The highest height that the chain can have by now, blocks a quarter faster than their target and 10,000 more. `now`
 * in seconds since 1970. Undefined where no block is known, or where the clock is before the known block and so
 * useless.
 */
export function highestTip(
  { activation, knownBlock }: Pick<NetworkParameters, 'activation' | 'knownBlock'>,
  now: number,
): number | undefined {
  if (knownBlock === undefined || now < knownBlock.time) return undefined;
  const fastest = heightAfter(activation, knownBlock.height, (now - knownBlock.time) * FASTEST);
  return Math.floor(fastest) + SLACK_BLOCKS;
}
