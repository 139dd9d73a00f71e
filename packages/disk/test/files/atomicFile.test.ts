// What a caller is told of a write when the folder's own entry cannot be made durable.

import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { createFile, replaceFile } from '../../src/disk/files/atomicFile.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.serial('a file that is in place counts as written, though its folder cannot be synced', async (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'file');
  const { open } = fs.promises;
  t.teardown(() => {
    fs.promises.open = open;
  });
  let refused = 0;
  fs.promises.open = async (name, ...how) => {
    if (name !== folder) return open(name, ...how);
    refused++;
    throw Object.assign(new Error('refused'), { code: 'EIO' });
  };
  t.true(await createFile(file, bytes('first')));
  t.is(fs.readFileSync(file, 'utf8'), 'first');
  await replaceFile(file, bytes('second'));
  t.is(fs.readFileSync(file, 'utf8'), 'second');
  t.is(refused, process.platform === 'win32' ? 0 : 2);
  t.deepEqual(fs.readdirSync(folder), ['file']);
});
