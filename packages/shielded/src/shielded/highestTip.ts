// How high a chain can be by now. Difficulty keeps blocks near their target spacing, so a tip far above what the clock
// allows is a lie or the clock is wrong; believed, it would put the birthday of a new wallet above its own money.

import { heightAfter } from './blockSpacing.ts';
import type { NetworkParameters } from './network.ts';

/** Blocks have come a little faster than their target over months, and much faster over hours. */
const FASTEST = 1.25;
const SLACK_BLOCKS = 10_000;

/** `now` in seconds. Undefined where no block is known, or where the clock is before it and so tells nothing. */
export function highestTip(
  { activation, knownBlock }: Pick<NetworkParameters, 'activation' | 'knownBlock'>,
  now: number,
): number | undefined {
  if (knownBlock === undefined || now < knownBlock.time) return undefined;
  const fastest = heightAfter(activation, knownBlock.height, (now - knownBlock.time) * FASTEST);
  return Math.floor(fastest) + SLACK_BLOCKS;
}
