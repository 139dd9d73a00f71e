// Processor time by role.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { HELPERS, threadNames, timesByRole } from '../../bench/sync/threadTimes.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';

test('scan workers are one role, threads without a name are helpers, and only the difference counts', (t) => {
  const file = path.join(temporaryFolder(t), 'threads');
  writeFileSync(file, '100 0 main\n101 1 wallet\n103 3 scan 3\n104 4 scan 4\n');
  const names = threadNames(file);
  t.is(names.get('103')?.threadId, 3);
  const before = new Map([
    ['100', 1],
    ['101', 2],
    ['103', 4],
    ['190', 8],
  ]);
  const after = new Map([
    ['100', 1.5],
    ['101', 4],
    ['103', 5],
    // Started meanwhile.
    ['104', 3],
    ['190', 9],
    ['191', 0.25],
  ]);
  t.deepEqual(timesByRole(before, after, names), { main: 0.5, wallet: 2, scan: 4, [HELPERS]: 1.25 });
});
