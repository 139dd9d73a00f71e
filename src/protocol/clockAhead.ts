// What was noted while this computer's clock was ahead, and when it may be set right: by a clock that is behind, what is right
// would look the same.

import { MAX_FUTURE_SECONDS } from '@wallet-companion/base/values';

const TOLERANCE_MS = MAX_FUTURE_SECONDS * 1000;

/** Whether a clock that was ahead noted the time, or `now` is behind. Both in milliseconds since 1970. */
export const isAhead = (at: number, now: number): boolean => at > now + TOLERANCE_MS;

/** Whether the clock agrees with the newest scanned block. `blockTime`: in seconds; null where it is not known. */
export const agreesWith = (blockTime: number | null, now: number): boolean =>
  blockTime !== null && Math.abs(now - blockTime * 1000) <= TOLERANCE_MS;
