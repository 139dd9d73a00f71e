// Days of a time zone, as the calendar of the place has them: by Intl, which knows every change of the clocks.

/** An hour more than any place was ever away from UTC. */
const FARTHEST = 27 * 3600;
const DAY = 86_400;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(zone, made);
  return made;
}

/** Whether Intl knows the name of the zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** The day there, as `2026-12-31`, at an instant in Unix seconds. RangeError for another name than that of a zone. */
export function dayIn(zone: string, seconds: number): string {
  const parts = formatOf(zone).formatToParts(seconds * 1000);
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The time there with its offset, as `2026-07-01T14:00:00+02:00`; RangeError as `dayIn`. */
export function timeIn(zone: string, seconds: number): string {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  clocks.set(zone, clock);
  const local = `${dayIn(zone, seconds)}T${clock.format(seconds * 1000)}`;
  const offset = Math.round((Date.parse(`${local}Z`) / 1000 - seconds) / 60);
  const part = (number: number): string => String(Math.trunc(Math.abs(number))).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${part(offset / 60)}:${part(Math.abs(offset) % 60)}`;
}

/** The same for an instant as text (RFC 3339), as lines and statements have it. */
export const localTime = (zone: string, time: string): string =>
  timeIn(zone, Math.floor(Date.parse(time) / 1000));

/** Unix seconds of the first instant of a day there; of the next day's where the calendar left it out. */
export function startOfDay(zone: string, day: string): number {
  const middle = Date.parse(`${day}T00:00:00Z`) / 1000;
  let [low, high] = [middle - FARTHEST, middle + FARTHEST];
  while (low + 1 < high) {
    const between = Math.floor((low + high) / 2);
    if (dayIn(zone, between) < day) low = between;
    else high = between;
  }
  return high;
}

export const nextDay = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY * 1000).toISOString().slice(0, 10);
