// Finds the main chain block that is surely older than a date, and the approximate time of a block. It uses a table,
// because a formula from target spacings is months off after years, and too high a birthday hides money.

import type { Height } from '@wallet-companion/base/values';
import { secondsBetween } from './blockSpacing.ts';
import { BLOCK_TIME_STEPS, FIRST_BLOCK_TIME } from './blockTimeTable.ts';
import { type KnownBlock, MAIN, type Network } from './network.ts';

const HOUR_SECONDS = 3_600;

/** Ascending; no block is newer than its time here. Undefined for chains without known times. */
export function blockTimes(network: Network): readonly KnownBlock[] | undefined {
  return network === 'main' ? MAIN_TIMES : undefined;
}

const MAIN_TIMES = readTable();

function readTable(): readonly KnownBlock[] {
  let { height, hour }: { height: Height; hour: number } = FIRST_BLOCK_TIME;
  const times = [{ height, time: hour * HOUR_SECONDS }];
  for (const step of BLOCK_TIME_STEPS.trim().split(/\s/)) {
    const [blocks = 0, hours = 0] = step.split('/').map(Number);
    height += blocks;
    hour += hours;
    times.push({ height, time: hour * HOUR_SECONDS });
  }
  return times;
}

/** The highest block of the table with a time of at most `time`; undefined where there is none. */
export const blockBefore = (times: readonly KnownBlock[], time: number): KnownBlock | undefined =>
  times.findLast((block) => block.time <= time);

/** The time of a block, accurate to some days; above the table, by the block schedule. Undefined below the table. */
export function timeNear(times: readonly KnownBlock[], height: Height): number | undefined {
  const above = times.findIndex((block) => block.height >= height);
  const upper = times[above];
  const lower = times[above - 1];
  const last = times.at(-1);
  if (upper === undefined)
    return last && Math.round(last.time + secondsBetween(MAIN.activation, last.height, height));
  if (lower === undefined) return upper.height === height ? upper.time : undefined;
  const share = (height - lower.height) / (upper.height - lower.height);
  return Math.round(lower.time + (upper.time - lower.time) * share);
}
