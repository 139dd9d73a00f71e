// How high a chain can be by now. Difficulty keeps blocks near their target spacing, so a tip far above what the clock
// allows is a lie or the clock is wrong; believed, it would put the birthday of a new wallet above its own money.

import { type NetworkParameters, UPGRADES } from './network.ts';

/** Blocks have come a little faster than their target over months, and much faster over hours. */
const FASTEST = 1.25;
const SLACK_BLOCKS = 10_000;

/** `now` in seconds. Undefined where no block is known, or where the clock is before it and so tells nothing. */
export function highestTip(
  { activation, knownBlock }: Pick<NetworkParameters, 'activation' | 'knownBlock'>,
  now: number,
): number | undefined {
  if (knownBlock === undefined || now < knownBlock.time) return undefined;
  let { height } = knownBlock;
  let secondsLeft = (now - knownBlock.time) * FASTEST;
  const spacings = targetSpacings(activation);
  for (const [i, { seconds }] of spacings.entries()) {
    const end = spacings[i + 1]?.from ?? Number.POSITIVE_INFINITY;
    const blocks = Math.min(Math.max(0, end - height), secondsLeft / seconds);
    height += blocks;
    secondsLeft -= blocks * seconds;
  }
  return Math.floor(height) + SLACK_BLOCKS;
}

/** In order of height. */
const targetSpacings = (activation: NetworkParameters['activation']): { from: number; seconds: number }[] =>
  UPGRADES.flatMap((upgrade) => {
    const from = activation[upgrade.key];
    return 'blockSeconds' in upgrade && from !== undefined ? [{ from, seconds: upgrade.blockSeconds }] : [];
  });
