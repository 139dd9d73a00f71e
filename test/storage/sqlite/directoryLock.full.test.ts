import fs from 'node:fs';
import path from 'node:path';
import { acquireDirectoryLock } from '@wallet-companion/disk/lock';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import { kill, nextMessage, startChild } from '../support/child.ts';

test('the second process learns which pid holds the directory, and where it listens', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await acquireDirectoryLock(folder);
  if (lock.state !== 'acquired') return t.fail();
  const early = await nextMessage(startChild(t, 'lockHolder', folder));
  t.deepEqual(early, { state: 'held', holder: { pid: process.pid } });
  await lock.announce('http://127.0.0.1:3000');
  const later = await nextMessage(startChild(t, 'lockHolder', folder));
  t.deepEqual(later, { state: 'held', holder: { pid: process.pid, url: 'http://127.0.0.1:3000' } });
  lock.release();
});

test('the same process cannot take it twice', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await acquireDirectoryLock(folder);
  t.is(lock.state, 'acquired');
  t.is((await acquireDirectoryLock(folder)).state, 'held');
  if (lock.state === 'acquired') lock.release();
});

test('a released directory is free again, and names no pid', async (t) => {
  const folder = temporaryFolder(t);
  for (let i = 0; i < 3; i++) {
    const lock = await acquireDirectoryLock(folder);
    if (lock.state !== 'acquired') return t.fail();
    lock.release();
    lock.release();
    t.deepEqual(fs.readdirSync(folder), ['lock.db']);
  }
});

test('a holder file that cannot be removed does not keep the lock', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await acquireDirectoryLock(folder);
  if (lock.state !== 'acquired') return t.fail();
  fs.rmSync(path.join(folder, 'lock.json'));
  fs.mkdirSync(path.join(folder, 'lock.json', 'inside'), { recursive: true });
  t.notThrows(() => lock.release());
  const after = await acquireDirectoryLock(folder);
  t.is(after.state, 'acquired');
  if (after.state === 'acquired') after.release();
});

test('a killed holder leaves nothing to judge: the next one has the lock at once', async (t) => {
  const folder = temporaryFolder(t);
  const child = startChild(t, 'lockHolder', folder);
  t.deepEqual(await nextMessage(child), { state: 'acquired' });
  const during = await acquireDirectoryLock(folder);
  t.deepEqual(during, { state: 'held', holder: { pid: child.pid! } });
  await kill(child);
  const after = await acquireDirectoryLock(folder);
  t.is(after.state, 'acquired');
  if (after.state === 'acquired') after.release();
});

test('of several that start at once exactly one gets it', async (t) => {
  const folder = temporaryFolder(t);
  const children = Array.from({ length: 4 }, () => startChild(t, 'lockHolder', folder));
  const answers = (await Promise.all(children.map(nextMessage))) as { readonly state: string }[];
  t.deepEqual(answers.map(({ state }) => state).sort(), ['acquired', 'held', 'held', 'held']);
});

test('nonsense in the holder file is no obstacle', async (t) => {
  const folder = temporaryFolder(t);
  const child = startChild(t, 'lockHolder', folder);
  await nextMessage(child);
  fs.writeFileSync(path.join(folder, 'lock.json'), '{"pid": "many"}');
  t.deepEqual(await acquireDirectoryLock(folder), { state: 'held', holder: undefined });
  await kill(child);
});

test('its files are for the owner alone', async (t) => {
  const folder = temporaryFolder(t);
  const lock = await acquireDirectoryLock(folder);
  const modes = ['lock.db', 'lock.json'].map((name) => permissions(path.join(folder, name)));
  t.deepEqual(modes, process.platform === 'win32' ? modes : [0o600, 0o600]);
  if (lock.state === 'acquired') lock.release();
});

test('a lock file that cannot be opened is STORAGE_FAILED', async (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(path.join(folder, 'lock.db'));
  await failureOf(t, 'STORAGE_FAILED', () => acquireDirectoryLock(folder));
  await failureOf(t, 'STORAGE_FAILED', () => acquireDirectoryLock(path.join(folder, 'missing')));
});

const NOBODY = 65_534;

// Windows knows no such permission.
(process.platform === 'win32' ? test.skip : test)(
  'a lock file that may only be read is STORAGE_FAILED: SQLite would let two have its lock',
  async (t) => {
    const folder = temporaryFolder(t);
    const lock = await acquireDirectoryLock(folder);
    if (lock.state === 'acquired') lock.release();
    const file = path.join(folder, 'lock.db');
    fs.chmodSync(file, 0o400);
    // Permissions do not hold for the administrator.
    if (process.getuid?.() === 0) for (const name of [folder, file]) fs.chownSync(name, NOBODY, NOBODY);
    const child = startChild(t, 'lockHolder', folder, String(NOBODY));
    t.deepEqual(await nextMessage(child), { state: 'STORAGE_FAILED' });
  },
);
