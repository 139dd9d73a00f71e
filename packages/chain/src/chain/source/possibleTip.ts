// Whether a tip that the server announces is possible at this time.

import type { Height } from '@wallet-companion/base/values';
import { highestTip } from '@wallet-companion/zcash/blocks';
import type { NetworkParameters } from '@wallet-companion/zcash/network';

/** Milliseconds since 1970. */
export type WallClock = () => number;

/** The problem, to follow the server's name; undefined when there is none. `other`: which server to use instead. */
export function impossibleTip(
  height: Height,
  parameters: NetworkParameters,
  wallClock: WallClock,
  other: 'node' | 'server',
): string | undefined {
  const highest = highestTip(parameters, wallClock() / 1000);
  if (highest === undefined || height <= highest) return undefined;
  return `says that the chain is at height ${height}, but by this machine's clock it is below ${highest + 1}; check the clock, or ask another ${other}`;
}
