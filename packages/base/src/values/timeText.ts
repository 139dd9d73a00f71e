// Instants and days as text (RFC 3339), the one form in which any surface shows them; and clocks that are ahead.

import { MAX_FUTURE_SECONDS } from './height.ts';

/** `ms`: since 1970. Returns an instant in UTC, as `2026-11-29T21:58:43.000Z`. */
export const timeText = (ms: number): string => new Date(ms).toISOString();

/** The same; null where there is no time. */
export const timeTextOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timeText(ms);

/** The time of a block, from the seconds in its header. */
export const blockTimeText = (seconds: number): string => timeText(seconds * 1000);

/** The day of a block in UTC, as `2026-11-29`, from the seconds in its header. */
export const dayText = (seconds: number): string => timeText(seconds * 1000).slice(0, 10);

// What was noted while this computer's clock was ahead, and when it may be set right: by a clock that is behind, what is right
// would look the same.

const TOLERANCE_MS = MAX_FUTURE_SECONDS * 1000;

/** Whether a clock that was ahead noted the time, or `now` is behind. Both in milliseconds since 1970. */
export const isAhead = (at: number, now: number): boolean => at > now + TOLERANCE_MS;

/** Whether the clock agrees with the newest scanned block. `blockTime`: in seconds; null where it is not known. */
export const agreesWith = (blockTime: number | null, now: number): boolean =>
  blockTime !== null && Math.abs(now - blockTime * 1000) <= TOLERANCE_MS;
