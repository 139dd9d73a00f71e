// The first block whose time is at or after a border: with it a period begins, and what is above belongs to that period
// whatever its time. Block times are not monotone, so the first one is not what halving alone finds.

import { lowestNotHolding } from '@wallet-companion/base/async';
import type { Height } from '@wallet-companion/base/values';

export interface TimedBlock {
  readonly height: Height;
  /** Seconds since 1970. */
  readonly time: number;
}

/** A block's time is at most this much after the median of the eleven before it (protocol specification 7.6). */
const MAX_AHEAD_SECONDS = 90 * 60;

/** Most blocks that are read in one request. */
const BLOCKS_A_READ = 64;

/** The first block lies above `below`, and at `at` at the latest; undefined where no known block is at or after the border. */
export interface Bracket {
  readonly below: Height;
  readonly at: Height | undefined;
}

/** `known`: ascending. `floor`: the lowest block that there may be. */
export function bracketOf(known: readonly TimedBlock[], border: number, floor: Height): Bracket {
  const first = known.findIndex(({ time }) => time >= border);
  const before = first === -1 ? known : known.slice(0, first);
  // Medians never fall, so below a block so early no block is at or after the border.
  const early = before.findLastIndex(({ time }) => isFarBefore(time, border));
  let below = early === -1 ? floor - 1 : before[early]!.height;
  for (const { height } of before.slice(early + 1)) if (height === below + 1) below = height;
  return { below, at: known[first]?.height };
}

/** `end`: at or after the border, or the block above the highest one. `timesOf`: of an inclusive range, ascending. */
export async function firstBetween(
  below: Height,
  end: Height,
  border: number,
  timesOf: (start: Height, end: Height) => Promise<readonly number[]>,
): Promise<Height> {
  const isBefore = async (height: Height) => (await timesOf(height, height))[0]! < border;
  let first = await lowestNotHolding(below + 1, end, isBefore);
  for (let stop = first - 1; stop > below; ) {
    const start = Math.max(below + 1, stop - BLOCKS_A_READ + 1);
    const times = await timesOf(start, stop);
    for (let height = stop; height >= start; height--) {
      const time = times[height - start]!;
      if (time >= border) first = height;
      else if (isFarBefore(time, border)) return first;
    }
    stop = start - 1;
  }
  return first;
}

const isFarBefore = (time: number, border: number): boolean => time <= border - MAX_AHEAD_SECONDS;
