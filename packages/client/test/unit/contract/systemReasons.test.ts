import test from 'ava';
import { CompanionError, faultFields } from '../../../src/contract/errors.ts';

// The codes are Node's and SQLite's (SQLITE_FULL is 13; a build without `errcode` has the text alone).
test('a full disk is named in the log by each part that meets it, and nothing else is', (t) => {
  const faults = [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' }),
    Object.assign(new Error('?'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
  ];
  for (const cause of faults) {
    const fault = new CompanionError('STORAGE_FAILED', 'notes.db could not be written', { cause });
    t.like(faultFields(fault), { code: 'STORAGE_FAILED', cause: { reason: 'the disk is full' } });
  }
  const other = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 });
  t.is(faultFields(other)['reason'], undefined);
});
