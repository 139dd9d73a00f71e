// Instants and days as text (RFC 3339), the one form in which any surface shows them.

export const timeText = (ms: number): string => new Date(ms).toISOString();

export const timeTextOrNull = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : timeText(ms);

/** The time of a block, from the seconds in its header. */
export const blockTimeText = (seconds: number): string => timeText(seconds * 1000);

export const dayText = (seconds: number): string => timeText(seconds * 1000).slice(0, 10);
