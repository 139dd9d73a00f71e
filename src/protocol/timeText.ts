// Instants and days as text (RFC 3339), the one form in which every surface shows them.

export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeTextOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timeText(ms);

/** The time of a block, from the seconds of its header; null where a store of an earlier version kept none. */
export const blockTimeText = (seconds: number): string | null =>
  seconds === 0 ? null : timeText(seconds * 1000);

export const dayText = (seconds: number): string => timeText(seconds * 1000).slice(0, 10);
