import path from 'node:path';
import test from 'ava';
import { networkFileSystem } from '../../src/disk/files/folders.ts';
import { temporaryFolder } from '../helpers/folder.ts';

const EXT4 = 0xef53;
const FUSE = 0x65735546;

test('a folder of another machine is recognised by its type, a local one or an unknown one is not', (t) => {
  const folder = temporaryFolder(t);
  const here = process.platform === 'linux';
  t.is(
    networkFileSystem(folder, () => 0x6969),
    here ? 'NFS' : undefined,
  );
  // A 32-bit system gives it with its sign.
  t.is(
    networkFileSystem(folder, () => 0xff534d42 | 0),
    here ? 'SMB' : undefined,
  );
  for (const type of [EXT4, FUSE])
    t.is(
      networkFileSystem(folder, () => type),
      undefined,
    );
  t.is(networkFileSystem(folder), undefined);
  t.is(networkFileSystem(path.join(folder, 'none')), undefined);
});
