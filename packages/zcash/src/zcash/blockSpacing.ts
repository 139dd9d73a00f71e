// The target spacing of blocks, which some upgrades change, and the highest tip that it allows at a given time.

import type { Height } from '@wallet-companion/base/values';
import { type ActivationHeights, type NetworkParameters, newestRule, UPGRADES } from './network.ts';

/** Throws `RangeError` below the first upgrade. */
function paceAt(
  activation: ActivationHeights,
  height: Height,
  rule: 'blockSeconds' | 'averagingBlocks' | 'easySpacings',
): number {
  const pace = newestRule(rule, activation, height);
  if (pace === undefined) throw new RangeError('the first upgrade says how long a block takes');
  return pace;
}

/** Target spacing in seconds. */
export const blockSecondsAt = (activation: ActivationHeights, height: Height): number =>
  paceAt(activation, height, 'blockSeconds');

/** Blocks over whose targets and times the difficulty is averaged: PoWAveragingWindow of protocol specification §5.3, ZIP 218. */
export const averagingBlocksAt = (activation: ActivationHeights, height: Height): number =>
  paceAt(activation, height, 'averagingBlocks');

/** Seconds without a block after which test networks take one of the least work: ZIP 205, ZIP 208, ZIP 218. */
export const easyAfterSeconds = (activation: ActivationHeights, height: Height): number =>
  paceAt(activation, height, 'easySpacings') * blockSecondsAt(activation, height);

/** How many blocks are expected in this time under the upgrades that are in force at `height`. */
export const blocksIn = (seconds: number, activation: ActivationHeights, height: Height): number =>
  Math.round(seconds / blockSecondsAt(activation, height));

/** Seconds between two heights when blocks come on schedule. */
export const secondsBetween = (activation: ActivationHeights, from: Height, to: Height): number =>
  eras(activation).reduce(
    (sum, { start, end, seconds }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)) * seconds,
    0,
  );

/** The height that blocks on schedule reach `seconds` after `from`; not rounded. */
export function heightAfter(activation: ActivationHeights, from: Height, seconds: number): number {
  let height = from;
  let left = seconds;
  for (const era of eras(activation)) {
    const blocks = Math.min(Math.max(0, era.end - height), left / era.seconds);
    height += blocks;
    left -= blocks * era.seconds;
  }
  return height;
}

/** The ranges of heights with one spacing (seconds per block), from `start` up to `end`. */
function eras(activation: ActivationHeights): readonly { start: Height; end: Height; seconds: number }[] {
  const starts = UPGRADES.flatMap((row) => {
    const start = activation[row.key];
    return 'blockSeconds' in row && start !== undefined ? [{ start, seconds: row.blockSeconds }] : [];
  });
  return starts.map((era, i) => ({ ...era, end: starts[i + 1]?.start ?? Number.POSITIVE_INFINITY }));
}

type KnownBlock = Pick<NetworkParameters, 'activation' | 'knownBlock'>;

/** `pace`: in times of the schedule. Undefined where no block is known, or where the clock is before it and so useless. */
function heightBy({ activation, knownBlock }: KnownBlock, now: number, pace: number): Height | undefined {
  if (knownBlock === undefined || now < knownBlock.time) return undefined;
  return Math.floor(heightAfter(activation, knownBlock.height, (now - knownBlock.time) * pace));
}

/** The tip that blocks on schedule have by now, seconds since 1970. Undefined where `highestTip` is. */
export const dueTip = (params: KnownBlock, now: number): Height | undefined => heightBy(params, now, 1);

// The highest possible tip at a given time. Difficulty keeps blocks near their target spacing, so a tip far above this
// limit is a lie or the clock is wrong; if it were accepted, a new wallet's birthday would be above its first payments.

/** Over months blocks are a little faster than their target, and much faster over hours. */
const FASTEST = 1.25;
const SLACK_BLOCKS = 10_000;

/**
 * The highest height that the chain can have by now, blocks a quarter faster than their target and 10,000 more. `now`
 * in seconds since 1970. Undefined where no block is known, or where the clock is before the known block and so
 * useless.
 */
export function highestTip(params: KnownBlock, now: number): number | undefined {
  const fastest = heightBy(params, now, FASTEST);
  return fastest === undefined ? undefined : fastest + SLACK_BLOCKS;
}
