// The scanned ranges by calendar year, for networks with known block times: "2021 not looked at" is clearer than a
// million heights.

import { blockTimes, heightAfter, timeNear } from '@wallet-companion/zcash/blockTimes';
import { MAIN } from '@wallet-companion/zcash/network';
import type { HeightRange, Stretch } from './coverage.ts';

type Times = NonNullable<ReturnType<typeof blockTimes>>;
type Network = Parameters<typeof blockTimes>[0];

export interface Year extends HeightRange {
  readonly year: number;
  /** The parts of the year between birthday and tip, lowest first. */
  readonly stretches: readonly Stretch[];
}

/** Undefined where no block times are known. The first and the last year are shown whole, too. */
export function byYear(known: readonly Stretch[], network: Network): readonly Year[] | undefined {
  const times = blockTimes(network);
  const first = known[0];
  const last = known.at(-1);
  if (times === undefined || first === undefined || last === undefined) return undefined;
  const from = yearOf(timeNear(times, first.start_height) ?? times[0]!.time);
  const to = yearOf(timeNear(times, last.end_height) ?? times[0]!.time);
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const year = from + index;
    const start_height = heightNear(times, Date.UTC(year, 0) / 1000);
    const end_height = heightNear(times, Date.UTC(year + 1, 0) / 1000) - 1;
    return { year, start_height, end_height, stretches: within(known, start_height, end_height) };
  });
}

const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear();

const within = (known: readonly Stretch[], from: number, to: number): readonly Stretch[] =>
  known
    .filter(({ start_height, end_height }) => start_height <= to && end_height >= from)
    .map((stretch) => ({
      ...stretch,
      start_height: Math.max(stretch.start_height, from),
      end_height: Math.min(stretch.end_height, to),
    }));

/** Inverts the interpolation of `timeNear`. */
function heightNear(times: Times, seconds: number): number {
  const upper = times.findIndex((block) => block.time >= seconds);
  const last = times.at(-1)!;
  if (upper === 0) return times[0]!.height;
  if (upper < 0) return Math.ceil(heightAfter(MAIN.activation, last.height, seconds - last.time));
  const [low, high] = [times[upper - 1]!, times[upper]!];
  return Math.ceil(low.height + ((seconds - low.time) / (high.time - low.time)) * (high.height - low.height));
}
