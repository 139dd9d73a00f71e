import fs from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { DbPathRules } from '../../src/storage/dbPath.ts';
import { resolveDbPath } from '../../src/storage/dbPath.ts';
import { failureOf } from './support/failing.ts';
import { temporaryFolder } from './support/folder.ts';

const rules = (dataDir: string, more: Partial<DbPathRules> = {}): DbPathRules => ({
  dataDir,
  restrictDbPath: false,
  network: 'test',
  ...more,
});

test('without a path the store of the network lies in the data directory', (t) => {
  const folder = temporaryFolder(t);
  t.is(resolveDbPath(undefined, rules(folder)), path.join(folder, 'compact-test.db'));
  t.is(
    resolveDbPath(undefined, rules(folder, { restrictDbPath: true })),
    path.join(folder, 'compact-test.db'),
  );
});

test('relative means inside the data directory, absolute where the folder is the own', (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  fs.mkdirSync(path.join(folder, 'sub'));
  t.is(resolveDbPath('blocks.db', rules(folder)), path.join(folder, 'blocks.db'));
  t.is(resolveDbPath('sub/./blocks', rules(folder)), path.join(folder, 'sub', 'blocks'));
  const absolute = path.join(elsewhere, 'blocks.db');
  t.is(resolveDbPath(absolute, rules(folder)), absolute);
});

test('a data directory that is itself reached by a link is fine', (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const link = path.join(elsewhere, 'data');
  fs.symlinkSync(folder, link);
  t.is(resolveDbPath('blocks.db', rules(link)), path.join(folder, 'blocks.db'));
});

test('restrict_db_path confines to the data directory', async (t) => {
  const [folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const restricted = rules(folder, { restrictDbPath: true });
  t.is(resolveDbPath('blocks.db', restricted), path.join(folder, 'blocks.db'));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(path.join(elsewhere, 'blocks.db'), restricted));
  const sibling = `${folder}-evil`;
  fs.mkdirSync(sibling);
  t.teardown(() => fs.rmSync(sibling, { recursive: true }));
  await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(path.join(sibling, 'blocks.db'), restricted));
});

const REFUSED: readonly (readonly [title: string, dbPath: string])[] = [
  ['a name longer than file systems take', 'n'.repeat(300)],
  ['a folder name longer than file systems take', `${'n'.repeat(300)}/blocks.db`],
  ['a name of multi-byte letters longer than file systems take', 'ü'.repeat(110)],
  ['nothing', ''],
  ['the data directory itself', '.'],
  ['a folder', 'sub/'],
  ['a way out', '../blocks.db'],
  ['a way out and back in', 'sub/../blocks.db'],
  ['a way out in the other notation', '..\\blocks.db'],
  ['a name with a zero byte', 'a\0b'],
  ['a path longer than any', 'a'.repeat(5000)],
  ['a missing folder', 'missing/blocks.db'],
  ['a folder below a file', 'file/blocks.db'],
  ['a missing absolute folder', '/no/such/folder/blocks.db'],
  ['the wallet', 'wallet.dat'],
  ['the wallet in other letters', 'WALLET.DAT'],
  ['the wallet in wide letters', '\uff57allet.dat'],
  ['the configuration', 'config.json'],
  ['the lock', 'lock.db'],
  ['the lock with a Kelvin sign', 'loc\u212a.db'],
  ['the holder of the lock', 'lock.json'],
  ['the note store', 'ledger.db'],
  ['an old note store', 'ledger-retired-1.db'],
  ['a journal', 'compact-main.db-wal'],
  ['a temporary file', '.wallet.dat.1.0123456789ab.tmp'],
  ['a socket', 'companion.sock'],
  ['a name of ours elsewhere', 'sub/wallet.dat'],
  ['a symbolic link', 'link.db'],
  ['a dangling link', 'dangling.db'],
  ['a folder reached by a link', 'linked/blocks.db'],
  ['a hard link', 'hard.db'],
  ['a folder in the place of the file', 'sub'],
  ['a file with a journal of another beside it', 'left.db'],
  ['a folder that everybody may write to', 'open/blocks.db'],
];

for (const [title, dbPath] of REFUSED) {
  test(`refused: ${title}`, async (t) => {
    const folder = temporaryFolder(t);
    fs.mkdirSync(path.join(folder, 'sub'));
    fs.mkdirSync(path.join(folder, 'open'));
    fs.chmodSync(path.join(folder, 'open'), 0o777);
    fs.writeFileSync(path.join(folder, 'file'), '');
    fs.symlinkSync('file', path.join(folder, 'link.db'));
    fs.symlinkSync('nowhere', path.join(folder, 'dangling.db'));
    fs.symlinkSync('sub', path.join(folder, 'linked'));
    fs.linkSync(path.join(folder, 'file'), path.join(folder, 'hard.db'));
    fs.writeFileSync(path.join(folder, 'left.db-wal'), 'x');
    const before = fs.readdirSync(folder, { recursive: true });
    const error = await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(dbPath, rules(folder)));
    t.deepEqual(
      error.errors?.map((field) => field.path),
      ['db_path'],
    );
    const absolute = path.isAbsolute(dbPath) ? dbPath : `${folder}/${dbPath}`;
    if (dbPath !== '') await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath(absolute, rules(folder)));
    t.deepEqual(fs.readdirSync(folder, { recursive: true }), before);
  });
}

test('a folder is refused as a folder, not as a link', async (t) => {
  const folder = temporaryFolder(t);
  fs.mkdirSync(path.join(folder, 'sub'));
  const error = await failureOf(t, 'INVALID_DB_PATH', () => resolveDbPath('sub', rules(folder)));
  t.regex(error.message, /not a folder/);
});

test('a second name that a crash left while the store was made is no obstacle', (t) => {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'blocks.db');
  fs.writeFileSync(file, '');
  fs.linkSync(file, path.join(folder, `.blocks.db.${2 ** 22 + 1}.0123456789ab.tmp`));
  t.is(resolveDbPath('blocks.db', rules(folder)), file);
  t.deepEqual(fs.readdirSync(folder), ['blocks.db']);
});
