import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { failureOf } from '@wallet-companion/disk/test/failing';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import test from 'ava';
import type { DbPathRules } from '../../../src/storage/blocks/dbPath.ts';
import { resolveDbPath } from '../../../src/storage/blocks/dbPath.ts';
import { absoluteParts, relativeParts } from '../../../src/storage/blocks/dbPathSyntax.ts';
import { isOwnFileName } from '../../../src/storage/files/dataFiles.ts';

const rules = (dataDir: string, more: Partial<DbPathRules> = {}): DbPathRules => ({
  dataDir,
  configDir: path.join(dataDir, 'config'),
  restrictDbPath: false,
  ...more,
});

const fileOf = (dbPath: string, place: DbPathRules): string => resolveDbPath(dbPath, place).file;

test('relative means inside the data directory, absolute where the folder is the own', (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  fs.mkdirSync(path.join(folder, 'sub'));
  t.is(fileOf('blocks.db', rules(folder)), path.join(folder, 'blocks.db'));
  t.is(fileOf('sub/./blocks.sqlite', rules(folder)), path.join(folder, 'sub', 'blocks.sqlite'));
  const absolute = path.join(elsewhere, 'blocks.sqlite3');
  t.is(fileOf(absolute, rules(folder)), absolute);
});

test('missing folders below the data directory are named, outermost first, and not made', (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(path.join(folder, 'a'));
  t.deepEqual(resolveDbPath('a/b/c/blocks.db', rules(folder)), {
    file: path.join(folder, 'a/b/c/blocks.db'),
    missingFolders: [path.join(folder, 'a/b'), path.join(folder, 'a/b/c')],
  });
  t.deepEqual(fs.readdirSync(folder, { recursive: true }), ['a']);
});

test('an absolute path into the data directory counts as the relative one, wherever that lies', (t) => {
  const folder = path.join(temporaryFolder(t), '.local', 'share');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const absolute = path.join(folder, 'sub', 'blocks.db');
  t.is(fileOf(absolute, rules(folder)), absolute);
  t.is(fileOf(absolute, rules(folder, { restrictDbPath: true })), absolute);
});

test('a data directory that is itself reached by a link is fine', (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const link = path.join(elsewhere, 'data');
  fs.symlinkSync(folder, link);
  t.is(fileOf('blocks.db', rules(link)), path.join(folder, 'blocks.db'));
});

test('restrict_db_path confines to the data directory', async (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const restricted = rules(folder, { restrictDbPath: true });
  t.is(fileOf('blocks.db', restricted), path.join(folder, 'blocks.db'));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(path.join(elsewhere, 'blocks.db'), restricted));
  const sibling = `${folder}-evil`;
  fs.mkdirSync(sibling);
  t.teardown(() => fs.rmSync(sibling, { recursive: true }));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(path.join(sibling, 'blocks.db'), restricted));
});

test('the configuration directory holds no store; the data directory may be the same, in it or around it', async (t) => {
  const root = temporaryFolder(t);
  for (const name of ['config/sub', 'config/data', 'data/config']) {
    fs.mkdirSync(path.join(root, name), { recursive: true, mode: 0o700 });
  }
  const at = (...parts: string[]): string => path.join(root, ...parts);
  const apart = rules(at('data'), { configDir: at('config') });
  for (const folder of ['config', 'config/sub', 'config/data']) {
    await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(at(folder, 'x.db'), apart));
  }
  const around = rules(at('data'), { configDir: at('data', 'config') });
  t.is(fileOf('x.db', around), at('data', 'x.db'));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('config/x.db', around));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('config/new/x.db', around));
  const within = rules(at('config', 'data'), { configDir: at('config') });
  t.is(fileOf('x.db', within), at('config', 'data', 'x.db'));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(at('config', 'x.db'), within));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(at('config', 'sub', 'x.db'), within));
  const same = rules(at('config'), { configDir: at('config') });
  t.is(fileOf('x.db', same), at('config', 'x.db'));
  t.is(fileOf('sub/x.db', same), at('config', 'sub', 'x.db'));
});

test('a configuration directory that is not there yet, or is reached by a link, is one all the same', async (t) => {
  const root = temporaryFolder(t);
  fs.mkdirSync(path.join(root, 'data'), { mode: 0o700 });
  fs.mkdirSync(path.join(root, 'real'), { mode: 0o700 });
  fs.symlinkSync('real', path.join(root, 'link'));
  const data = path.join(root, 'data');
  const linked = rules(data, { configDir: path.join(root, 'link') });
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(path.join(root, 'real', 'x.db'), linked));
  const later = rules(data, { configDir: path.join(data, 'later') });
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('later/x.db', later));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('LATER/x.db', later));
  t.deepEqual(fs.readdirSync(data), []);
});

test('a second name that a crash left while the store was made is no obstacle', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'blocks.db');
  fs.writeFileSync(file, '', { mode: 0o600 });
  fs.linkSync(file, path.join(folder, `.blocks.db.${2 ** 22 + 1}.0123456789ab.tmp`));
  t.is(fileOf('blocks.db', rules(folder)), file);
  t.deepEqual(fs.readdirSync(folder), ['blocks.db']);
});

test('a folder is refused as a folder, not as a link', async (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(path.join(folder, 'sub.db'));
  const error = await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('sub.db', rules(folder)));
  t.regex(error.message, /not a folder/);
});

test('what is there must be able to be a store, and says what it is instead', async (t) => {
  const folder = temporaryFolder(t);
  const words = async (dbPath: string) =>
    (await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(dbPath, rules(folder)))).message;
  const server = createServer().listen(path.join(folder, 'socket.db'));
  t.teardown(() => server.close());
  await once(server, 'listening');
  t.regex(await words('socket.db'), /must name a regular file/);
  fs.writeFileSync(path.join(folder, 'plain'), '', { mode: 0o600 });
  t.regex(await words('plain/blocks.db'), /must lie in a folder\./);
  fs.writeFileSync(path.join(folder, 'blocks.db'), '', { mode: 0o600 });
  fs.symlinkSync('/nowhere', path.join(folder, 'blocks.db-wal'));
  t.regex(await words('blocks.db'), /must not have links beside it/);
  t.regex(await words(`/${'x'.repeat(300)}/blocks.db`), /cannot be used on this file system/);
});

test('a data directory that is not there has no stores', async (t) => {
  const nowhere = path.join(temporaryFolder(t), 'nowhere');
  const error = await failureOf(t, 'STORAGE_FAILED', () => resolveDbPath('blocks.db', rules(nowhere)));
  t.regex(error.message, /^The data directory could not be read \(ENOENT\)/);
});

const WINDOWS_REFUSED = [
  String.raw`\\server\share\x.db`,
  '//server/share/x.db',
  String.raw`\\?\C:\data\x.db`,
  String.raw`\\.\C:\data\x.db`,
  String.raw`\\.\pipe\x.db`,
  String.raw`\data\x.db`,
  String.raw`C:\data\x.db:stream.db`,
  String.raw`C:\data\file:stream\x.db`,
  String.raw`C:\data.\x.db`,
  String.raw`C:\data \x.db`,
  String.raw`C:\data\con\x.db`,
  String.raw`C:\data\nul.db`,
  String.raw`C:\data\..\x.db`,
  String.raw`C:\data\x.db\ `,
];

for (const dbPath of WINDOWS_REFUSED) {
  test(`refused on Windows by its form: ${dbPath}`, (t) => {
    t.is(typeof absoluteParts(dbPath, path.win32), 'string');
    t.is(typeof relativeParts(dbPath), 'string');
  });
}

test('Windows paths with a drive are taken apart', (t) => {
  const parts = { folders: ['Users', 'Jürgen B', 'data'], name: 'x.db' };
  t.deepEqual(absoluteParts(String.raw`C:\Users\Jürgen B\data\x.db`, path.win32), parts);
  t.deepEqual(absoluteParts('c:/Users/Jürgen B/data/x.db', path.win32), parts);
  t.is(typeof relativeParts('C:x.db'), 'string');
});

test('a path that is too long for a database is refused, whatever its names', async (t) => {
  const folder = temporaryFolder(t);
  const ofLength = (length: number): string =>
    'a/'
      .repeat(length)
      .slice(0, length - 4)
      .concat('x.db');
  const room = 500 - Buffer.byteLength(folder) - 1;
  t.is(Buffer.byteLength(fileOf(ofLength(room - (room % 2)), rules(folder))), 500 - (room % 2));
  for (const length of [room + 2 - (room % 2), 2_000, 4_000])
    await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(ofLength(length), rules(folder)));
});

test('no folder that a client names can take the place of a copy', (t) => {
  for (const name of [
    'wallet.dat.v1',
    'ledger.db.v12',
    'compact-main.db.v1',
    'mine.sqlite3.v2',
    'LEDGER.DB.V1',
  ]) {
    t.true(isOwnFileName(name), name);
  }
  for (const name of ['blocks.v1', 'v1', 'blocks.db']) t.false(isOwnFileName(name), name);
});
