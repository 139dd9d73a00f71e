// Reads a caller's dates: days of a time zone, and instants of RFC 3339.

import { isTimeZone, nextDay, startOfDay } from '../../../books/days.ts';
import { badField } from '../../../protocol/errors.ts';
import type { Input } from '../../../protocol/operations.ts';

const PARTS =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2})))?$/;

/** The first and the last second of a text; those of an instant are the same. */
interface Seconds {
  readonly first: number;
  readonly last: number;
}

/** Rounded down. `INVALID_REQUEST`, with `path`, for text that is no date. */
function secondsOf(text: string, path: string, zone: string): Seconds {
  const [, year, month, day, hour, minute, second, sign, offsetHours, offsetMinutes] = PARTS.exec(text) ?? [];
  if (year === undefined) throw badField(path, 'is not written as one');
  const date = `${year}-${month}-${day}`;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000;
  if (new Date(midnight * 1000).toISOString().slice(0, 10) !== date || Number(year) < 1970)
    throw badField(path, 'is not a day of the calendar');
  if (hour === undefined) return { first: startOfDay(zone, date), last: startOfDay(zone, nextDay(date)) - 1 };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60 || Number(offsetHours ?? 0) > 23)
    throw badField(path, 'is not a time of day');
  if (Number(offsetMinutes ?? 0) > 59) throw badField(path, 'is not a time of day');
  const local = midnight + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const offset = Number(offsetHours ?? 0) * 3600 + Number(offsetMinutes ?? 0) * 60;
  const instant = sign === '+' ? local - offset : local + offset;
  return { first: instant, last: instant };
}

/** From the first to the last second, both included. */
export interface Period {
  readonly zone: string;
  readonly from?: number;
  readonly to?: number;
  /** The caller's field that the period comes from. */
  readonly field: 'from' | 'year' | 'date';
}

/** A day (UTC), or an instant. */
export function periodOfDate(text: string): Period {
  const { first, last } = secondsOf(text, 'date', 'UTC');
  return { zone: 'UTC', from: first, to: last, field: 'date' };
}

/** Bad input is reported before the state of the wallet: call it before asking for a session. */
export function periodOf({
  from,
  to,
  year,
  time_zone: zone = 'UTC',
}: Pick<Input<'transactions.export'>, 'from' | 'to' | 'year' | 'time_zone'>): Period {
  if (!isTimeZone(zone)) throw badField('time_zone', 'is no IANA time zone, such as Europe/Berlin');
  if (year !== undefined && (from !== undefined || to !== undefined))
    throw badField('year', 'is a period by itself: leave out from and to');
  const start = year === undefined ? from : `${year}-01-01`;
  const end = year === undefined ? to : `${year}-12-31`;
  const period: Period = {
    zone,
    field: year === undefined ? 'from' : 'year',
    ...(start === undefined ? {} : { from: secondsOf(start, 'from', zone).first }),
    ...(end === undefined ? {} : { to: secondsOf(end, 'to', zone).last }),
  };
  if (period.from !== undefined && period.to !== undefined && period.from > period.to)
    throw badField('to', 'is before from');
  return period;
}
