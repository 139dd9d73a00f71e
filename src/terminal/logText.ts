// A line of the log as a person reads it: in `log`, and on the terminal in which `serve` runs.

import { withoutHidden } from '@wallet-companion/client/contract';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** Fields that every line has; the other fields are specific to the message. */
const USUAL = ['level', 'time', 'thread', 'name', 'msg', 'pid', 'hostname', 'stack'];

type Fields = Readonly<Record<string, unknown>>;

/** Undefined for a line that is no object of JSON: half a line, where the disk was full. */
export function logFields(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Without a line feed, and without what moves a terminal. */
export function logText(line: string): string {
  const fields = logFields(line);
  if (fields === undefined) return withoutHidden(line);
  const { time, level, thread, msg } = fields;
  const about = Object.entries(fields)
    .filter(([name, value]) => !USUAL.includes(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return withoutHidden(
    [
      timeText(time),
      (LEVELS[Number(level)] ?? String(level)).padEnd(5),
      String(thread ?? '').padEnd(6),
      String(msg ?? ''),
      ...about,
    ].join('  '),
  );
}

function timeText(time: unknown): string {
  const date = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(date.getTime()) ? '-' : date.toISOString().replace(/\.\d+Z$/, 'Z');
}
