import { statfsSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { freeDiskBytes } from '../../src/disk/files/folders.ts';
import { temporaryFolder } from '../helpers/folder.ts';

test('it is what this user may write, and not known of a folder that is not there', async (t) => {
  const folder = temporaryFolder(t);
  const { blocks, bsize } = statfsSync(folder);
  const free = await freeDiskBytes(folder);
  t.true(free !== undefined && free > 0 && free <= blocks * bsize, String(free));
  t.is(await freeDiskBytes(path.join(folder, 'none')), undefined);
});
