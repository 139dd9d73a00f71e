// Making a database's name durable, where the system refuses it: Node's permission model denies `fsync` to synchronous
// callers, and SQLite makes up for it; any other refusal is a failure.
import fs from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createDatabase } from '../../src/disk/sqlite/databaseFile.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const STAMP = { applicationId: 1, userVersion: 1 } as const;

/** Creates one while every `fsync` of ours ends so. */
function createdDespite(t: ExecutionContext, code: string): string {
  const file = path.join(temporaryFolder(t), 'ledger.db');
  const { fsyncSync } = fs;
  fs.fsyncSync = () => {
    throw Object.assign(new Error('refused'), { code });
  };
  try {
    createDatabase(file, STAMP, 'CREATE TABLE kept (row INTEGER)');
  } finally {
    fs.fsyncSync = fsyncSync;
  }
  return file;
}

test.serial('a database is made where the permission model refuses to sync its folder', (t) => {
  t.true(fs.existsSync(createdDespite(t, 'ERR_ACCESS_DENIED')));
});

test.serial('a disk that fails to sync the folder is reported', (t) => {
  t.throws(() => createdDespite(t, 'EIO'), { code: 'EIO' });
});
