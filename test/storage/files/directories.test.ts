import fs from 'node:fs';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { permissions, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import {
  createDataDirectory,
  locateDirectories,
  tidyDirectories,
} from '../../../src/storage/files/directories.ts';

const LINUX = { platform: 'linux', env: {}, homeDir: '/home/ada', workingDir: '/work' } as const;
const WINDOWS = { platform: 'win32', env: {}, homeDir: 'C:\\Users\\Ada', workingDir: 'D:\\work' } as const;

test('Linux follows the XDG base directories', (t) => {
  t.deepEqual(locateDirectories(LINUX), {
    configDir: '/home/ada/.config/wallet-companion',
    dataDir: '/home/ada/.local/share/wallet-companion',
  });
  const env = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'relative/is/ignored' };
  t.deepEqual(locateDirectories({ ...LINUX, env }), {
    configDir: '/c/wallet-companion',
    dataDir: '/home/ada/.local/share/wallet-companion',
  });
});

test('macOS has one folder, Windows keeps the data off the roaming profile', (t) => {
  const folder = '/Users/ada/Library/Application Support/wallet-companion';
  t.deepEqual(locateDirectories({ ...LINUX, platform: 'darwin', homeDir: '/Users/ada' }), {
    configDir: folder,
    dataDir: folder,
  });
  t.deepEqual(locateDirectories({ ...WINDOWS, env: { APPDATA: 'C:\\Roaming' } }), {
    configDir: 'C:\\Roaming\\wallet-companion',
    dataDir: 'C:\\Users\\Ada\\AppData\\Local\\wallet-companion',
  });
});

test('without a home folder that is absolute nothing is put into the working folder', async (t) => {
  for (const homeDir of ['', 'ada', '.'])
    await failureOf(t, 'STORAGE_FAILED', () => locateDirectories({ ...LINUX, homeDir }));
  const both = { configDir: 'c', dataDir: 'd' };
  t.deepEqual(locateDirectories({ ...LINUX, homeDir: '' }, both), {
    configDir: '/work/c',
    dataDir: '/work/d',
  });
});

test('flags win over environment, and both may be relative', (t) => {
  const env = { WALLET_COMPANION_CONFIG_DIR: '/env/config', WALLET_COMPANION_DATA_DIR: 'data' };
  t.deepEqual(locateDirectories({ ...LINUX, env }), { configDir: '/env/config', dataDir: '/work/data' });
  t.deepEqual(locateDirectories({ ...LINUX, env }, { configDir: 'flag' }), {
    configDir: '/work/flag',
    dataDir: '/work/data',
  });
  t.is(locateDirectories({ ...WINDOWS, env }).dataDir, 'D:\\work\\data');
});

test('the data directory is made for its owner alone, and an open one is closed', async (t) => {
  const folder = path.join(temporaryFolder(t), 'a', 'b');
  createDataDirectory(folder);
  createDataDirectory(folder);
  if (process.platform !== 'win32') {
    t.is(permissions(folder), 0o700);
    fs.chmodSync(folder, 0o755);
    createDataDirectory(folder);
    t.is(permissions(folder), 0o700);
  }
  fs.writeFileSync(path.join(folder, 'file'), '');
  await failureOf(t, 'STORAGE_FAILED', () => createDataDirectory(path.join(folder, 'file')));
});

if (process.platform !== 'win32') {
  for (const [what, mode, files] of [
    ['a public folder like /tmp', 0o1777, ['somebody.txt']],
    ['a public folder in which somebody put a lock', 0o1777, ['lock.db']],
    ['a folder of a group', 0o770, ['wallet.dat', 'theirs']],
    ['a home directory', 0o755, ['.profile', 'letters']],
  ] as const) {
    test(`${what} is refused as data directory and stays as it is`, async (t) => {
      const folder = temporaryFolder(t);
      for (const name of files) fs.writeFileSync(path.join(folder, name), 'x');
      fs.chmodSync(folder, mode);
      const error = await failureOf(t, 'STORAGE_FAILED', () => createDataDirectory(folder));
      t.regex(error.message, /--data-dir/);
      t.is(fs.statSync(folder).mode & 0o7777, mode);
    });
  }

  for (const [what, mode, files] of [
    ['an empty folder made with a loose umask', 0o775, []],
    ['a folder into which the wallet file was copied', 0o755, ['wallet.dat', 'notes.txt']],
    ['a folder with a configuration', 0o755, ['config.json']],
  ] as const) {
    test(`${what} is closed to others`, (t) => {
      const folder = temporaryFolder(t);
      for (const name of files) fs.writeFileSync(path.join(folder, name), 'x');
      fs.chmodSync(folder, mode);
      createDataDirectory(folder);
      t.is(permissions(folder), 0o700);
    });
  }
}

test('a data directory on another machine is refused, and one that was there stays as it is', async (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, 'wallet.dat'), 'x');
  fs.chmodSync(folder, 0o755);
  const error = await failureOf(t, 'STORAGE_FAILED', () => createDataDirectory(folder, () => 'NFS'));
  t.regex(error.message, /network file system \(NFS\).* --data-dir/);
  if (process.platform !== 'win32') t.is(permissions(folder), 0o755);
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot("another user's folder is refused as data directory", async (t) => {
  const folder = temporaryFolder(t);
  fs.chmodSync(folder, 0o700);
  fs.chownSync(folder, 65_534, 65_534);
  await failureOf(t, 'STORAGE_FAILED', () => createDataDirectory(folder));
  t.is(permissions(folder), 0o700);
});

test('leftovers of processes that are gone, and of an earlier one with our number, are removed', (t) => {
  const dataDir = temporaryFolder(t);
  const gone = 2 ** 22 + 1;
  const stale = [`.wallet.dat.${gone}.0123456789ab.tmp`, `.ledger.db.${gone}.0123456789ab.tmp-journal`];
  stale.push(`.config.json.${process.pid}.0123456789ab.tmp`);
  const kept = [
    'wallet.dat',
    'ledger.db',
    `.wallet.dat.${process.ppid}.0123456789ab.tmp`,
    'notes.tmp',
    `.wallet.dat.${gone}.tmp`,
  ].sort();
  for (const name of [...stale, ...kept]) fs.writeFileSync(path.join(dataDir, name), 'x');
  tidyDirectories({ configDir: path.join(dataDir, 'missing'), dataDir });
  t.deepEqual(fs.readdirSync(dataDir).sort(), kept);
});
