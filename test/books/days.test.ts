// Days of time zones, also where the clocks change.

import test from 'ava';
import { dayIn, isTimeZone, startOfDay, timeIn } from '../../src/books/days.ts';

test('a day begins when it begins there, also where the clocks change or a day is left out', (t) => {
  const at = (zone: string, day: string): string => new Date(startOfDay(zone, day) * 1000).toISOString();
  t.is(at('UTC', '2026-01-01'), '2026-01-01T00:00:00.000Z');
  t.is(at('America/New_York', '2026-01-01'), '2026-01-01T05:00:00.000Z');
  t.is(at('America/New_York', '2026-07-01'), '2026-07-01T04:00:00.000Z');
  t.is(at('Asia/Kathmandu', '2026-01-01'), '2025-12-31T18:15:00.000Z');
  // Clocks there went forward at midnight, so the day began at one.
  t.is(at('America/Sao_Paulo', '2018-11-04'), '2018-11-04T03:00:00.000Z');
  t.is(at('Pacific/Apia', '2011-12-30'), at('Pacific/Apia', '2011-12-31'));
  t.is(dayIn('Pacific/Kiritimati', Date.UTC(2026, 0, 1, 12) / 1000), '2026-01-02');
  t.true(isTimeZone('Europe/Berlin'));
  for (const zone of ['', 'Berlin', 'Mars/Phobos', '../etc']) t.false(isTimeZone(zone), zone);
});

test('a time there has the offset of that day, in summer, west, and by half hours', (t) => {
  const at = (zone: string, time: string): string => timeIn(zone, Date.parse(time) / 1000);
  t.is(at('UTC', '2026-01-01T00:00:00Z'), '2026-01-01T00:00:00+00:00');
  t.is(at('Europe/Berlin', '2025-12-31T23:30:05Z'), '2026-01-01T00:30:05+01:00');
  t.is(at('Europe/Berlin', '2026-07-01T12:00:00Z'), '2026-07-01T14:00:00+02:00');
  t.is(at('America/St_Johns', '2026-01-01T03:00:00Z'), '2025-12-31T23:30:00-03:30');
  t.is(at('Asia/Kathmandu', '2026-01-01T00:00:00Z'), '2026-01-01T05:45:00+05:45');
});
