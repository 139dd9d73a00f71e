// What the log has of a worker whose answer was wrong.

import test from 'ava';
import { logAccused } from '../../src/workers/fleet.ts';
import type { Log } from '../../src/workers/threadLog.ts';

const lineOf = (accused: Parameters<typeof logAccused>[1]): unknown[] => {
  const lines: unknown[][] = [];
  logAccused({ error: (...line: unknown[]) => lines.push(line) } as unknown as Log, accused);
  return lines.flat();
};

test('the worker, what it did, and from where to scan again', (t) => {
  const accused = { worker: '01'.repeat(8), offence: 'missed a canary', fleetFrom: 100 } as const;
  const [fields, text] = lineOf({ ...accused, from: 640 });
  t.deepEqual(fields, {
    worker: accused.worker,
    offence: 'missed a canary',
    from_height: 640,
    fleet_from_height: 100,
  });
  t.regex(String(text), /rescan with from_height 640/);
  const [without, other] = lineOf({ ...accused, from: undefined });
  t.like(without, { from_height: null, fleet_from_height: 100 });
  t.notRegex(String(other), /from_height \d/);
});
