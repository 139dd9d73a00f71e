// Reads a caller's date: the last second of a day (UTC), or an instant of RFC 3339.

import { CompanionError } from '../../../protocol/errors.ts';

const DAY_SECONDS = 86_400;
const PARTS =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2})))?$/;

/** Seconds since 1970, rounded down. `INVALID_REQUEST` for text that is no date, or one in the future. */
export function lastSecondOf(text: string, nowMs: number): number {
  const now = Math.floor(nowMs / 1000);
  const [, year, month, day, hour, minute, second, sign, offsetHours, offsetMinutes] = PARTS.exec(text) ?? [];
  if (year === undefined) throw refusal('is not written as one');
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000;
  const isDay =
    new Date(midnight * 1000).toISOString().slice(0, 10) === `${year}-${month}-${day}` && Number(year) > 1969;
  if (!isDay) throw refusal('is not a day of the calendar');
  if (hour === undefined) {
    if (midnight > now) throw refusal('has not come yet');
    // For the current day: up to now.
    return Math.min(midnight + DAY_SECONDS - 1, now);
  }
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || Number(offsetHours ?? 0) > 23)
    throw refusal('is not a time of day');
  if (Number(offsetMinutes ?? 0) > 59) throw refusal('is not a time of day');
  const local = midnight + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offset = Number(offsetHours ?? 0) * 3600 + Number(offsetMinutes ?? 0) * 60;
  const instant = sign === '+' ? local - offset : local + offset;
  if (instant > now) throw refusal('has not come yet');
  return instant;
}

const refusal = (message: string): CompanionError =>
  new CompanionError('INVALID_REQUEST', `The date ${message}.`, { errors: [{ path: 'date', message }] });
