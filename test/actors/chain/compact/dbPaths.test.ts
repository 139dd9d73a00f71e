// A caller without password names a file and the server whose bytes go into it. Every path that could make these bytes
// another program's own is refused with nobody asked and nothing touched, by each operation that takes a db_path.
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { temporaryFolder } from '@wallet-companion/disk/test/folder';
import { MAIN, TEST } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { OperationName } from '../../../../src/protocol/operations.ts';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { fileTree } from '../../../helpers/fileTree.ts';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { plantedBlocks } from '../../../helpers/hostileBlocks.ts';
import { FIRST, MAIN_INFO } from '../../../helpers/knownSeedBlocks.ts';
import { startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const IS_ROOT = process.getuid?.() === 0;
const STRANGER = 65_534;

interface Home {
  readonly home: string;
  readonly data: string;
  readonly wallet: WalletHarness;
  readonly server: FixtureCompactServer;
}

/** A person's home with what is worth having in it, and a companion whose caller has a server of his own. */
async function setUp(t: ExecutionContext): Promise<Home> {
  const home = temporaryFolder(t);
  const make = (name: string, mode = 0o700): void => {
    fs.mkdirSync(path.join(home, name), { recursive: true, mode });
    fs.chmodSync(path.join(home, name), mode);
  };
  for (const name of ['.ssh', '.config/autostart', 'config', 'data/sub', 'blocks', 'blocks/.git/hooks'])
    make(name);
  for (const name of ['bin', 'cron.d', 'blocks/My Größe', 'other']) make(name);
  make('group', 0o775);
  make('everybody', 0o777);
  make('sticky', 0o1777);
  make('exchangeable', 0o777);
  make('exchangeable/own');
  make('data/open', 0o777);
  fs.writeFileSync(path.join(home, '.bashrc'), '# mine\n');
  fs.writeFileSync(path.join(home, 'config', 'config.json'), '{}\n');
  fs.writeFileSync(path.join(home, 'other', 'lock.db'), '');
  fs.writeFileSync(path.join(home, 'blocks', 'notes.db'), 'dear to somebody', { mode: 0o600 });
  fs.writeFileSync(path.join(home, 'blocks', 'empty.db'), '', { mode: 0o600 });
  fs.writeFileSync(path.join(home, 'blocks', 'left.db-wal'), 'x');
  fs.writeFileSync(path.join(home, 'blocks', 'old.db-journal'), 'x');
  fs.mkdirSync(path.join(home, 'blocks', 'folder.db'));
  fs.symlinkSync('notes.db', path.join(home, 'blocks', 'link.db'));
  fs.symlinkSync('../.ssh/authorized_keys', path.join(home, 'blocks', 'dangling.db'));
  fs.symlinkSync('.ssh', path.join(home, 'ssh'));
  fs.symlinkSync('../../.ssh', path.join(home, 'data', 'sub', 'ssh'));
  fs.linkSync(path.join(home, '.bashrc'), path.join(home, 'blocks', 'hard.db'));
  storeOfAnother(path.join(home, 'blocks'), 'test.db');
  const server = await FixtureCompactServer.start({ blocks: plantedBlocks(), info: MAIN_INFO });
  const stores = createCompactStores();
  const data = path.join(home, 'data');
  const wallet = await startWallet(t, {
    folder: data,
    configDir: path.join(home, 'config'),
    config: { network: 'main', compact_server_url: 'http://127.0.0.1:1', node_url: 'http://127.0.0.1:1' },
    stores,
  });
  t.teardown(() => {
    server.stop();
    stores.close();
  });
  return { home, data, wallet, server };
}

/** An empty store of the test network. */
function storeOfAnother(folder: string, name: string): void {
  const stores = createCompactStores();
  stores.open(name, {
    dataDir: folder,
    configDir: path.join(folder, 'config'),
    restrictDbPath: true,
    network: 'test',
    genesisHash: TEST.genesisHash,
    server: '',
    configuredServer: '',
  });
  stores.close();
}

const REFUSED: Readonly<Record<string, (at: Home) => string>> = {
  'the keys that let people in': ({ home }) => `${home}/.ssh/authorized_keys`,
  'the same with an ending that stores have': ({ home }) => `${home}/.ssh/authorized_keys.db`,
  'the same by a relative way': () => '../.ssh/authorized_keys',
  'the same by way of a link': ({ home }) => `${home}/ssh/authorized_keys.db`,
  'the same by way of a link in the data directory': () => 'sub/ssh/keys.db',
  'the same by way of a dangling link': ({ home }) => `${home}/blocks/dangling.db`,
  'a shell’s start file': ({ home }) => `${home}/.bashrc`,
  'a login shell’s start file': ({ home }) => `${home}/.profile`,
  'a start file with an ending': ({ home }) => `${home}/.bashrc.db`,
  'a hidden name in the data directory': () => '.profile.db',
  'an ending alone': () => '.db',
  'another ending alone': () => 'sub/.sqlite',
  'what a desktop starts': ({ home }) => `${home}/.config/autostart/x.db`,
  'a hook of a repository': ({ home }) => `${home}/blocks/.git/hooks/pre-commit.db`,
  'a hidden folder that is not there': () => '.ssh/keys.db',
  'a hidden folder further down': () => 'sub/.hidden/x.db',
  'a job for cron': ({ home }) => `${home}/cron.d/job`,
  'a command': ({ home }) => `${home}/bin/ls`,
  'a command with an ending of a script': ({ home }) => `${home}/bin/ls.sh`,
  'a home by its sign': () => '~/.ssh/keys.db',
  'a home by its sign without dots': () => '~/x.db',
  'a home by a variable': () => '$HOME/x.db',
  'the wallet': () => 'wallet.dat',
  'the wallet with a dot behind': () => 'wallet.dat.',
  'the wallet with a blank behind': () => 'wallet.dat ',
  'the wallet with a zero-width space': () => 'wallet.dat\u200b',
  'the wallet with a zero-width joiner in it': () => 'wal\u200dlet.dat',
  'the wallet in wide letters': () => '\uff57allet.dat',
  'the wallet as a folder': () => 'wallet.dat/x.db',
  'the note store': () => 'ledger.db',
  'the note store in capitals': () => 'ledger.DB',
  'the note store with a capital': () => 'Ledger.db',
  'an old note store': () => 'ledger-retired-1.db',
  'the note store as a folder': () => 'ledger.db/x.db',
  'the lock': () => 'lock.db',
  'the lock with a Kelvin sign': () => 'loc\u212a.db',
  'the private socket as a folder': () => 'companion.sock/x.db',
  'a log of the default store': () => 'compact-main.db-wal',
  'a log of the default store as a folder': () => 'compact-main.db-wal/x.db',
  'the default store as a folder': () => 'compact-main.db/x.db',
  'the default store': () => 'compact-main.db',
  'the default store in capitals': () => 'COMPACT-main.db',
  'the default store by its absolute path': ({ data }) => `${data}/compact-main.db`,
  'the default store of another network': () => 'compact-test.db',
  'a store that is kept for another server': () => `compact-main-${'0'.repeat(32)}.db`,
  'the configuration': ({ home }) => `${home}/config/config.json`,
  'a store in the configuration directory': ({ home }) => `${home}/config/x.db`,
  'a new folder in the configuration directory': ({ home }) => `${home}/config/new/x.db`,
  'the data directory of another companion': ({ home }) => `${home}/other/x.db`,
  'a name without an ending': () => 'blocks',
  'another ending': () => 'blocks.txt',
  'an ending in capitals': () => 'blocks.DB',
  'a dot behind the ending': () => 'blocks.db.',
  'a blank behind the ending': () => 'blocks.db ',
  'a line end behind the ending': () => 'blocks.db\n',
  'a line end in the name': () => 'blo\ncks.db',
  'a carriage return in the name': () => 'blo\rcks.db',
  'a zero byte': () => 'blocks\0.db',
  'a zero byte behind the ending': () => 'blocks.db\0.txt',
  'an escape sequence': () => '\u001b[2Jblocks.db',
  'a name that is written from the right': () => 'blocks\u202ebd.db',
  'a Cyrillic letter': () => 'bl\u043ecks.db',
  'a Cyrillic letter in the ending': () => 'blocks.d\u044c',
  'a name in wide letters': () => '\uff42locks.db',
  'a full stop of another script': () => 'blocks\uff0edb',
  'a combining sign': () => 'blo\u0301cks.db',
  'a zero-width space in the name': () => 'blo\u200bcks.db',
  'a zero-width space before a hidden folder': () => '\u200b.ssh/x.db',
  'a blank in the name': () => 'my blocks.db',
  'a dash in front': () => '-blocks.db',
  'an underscore in front': () => '_blocks.db',
  'a pattern': () => 'blocks*.db',
  'a command in the name': () => '$(reboot).db',
  'a quotation mark': () => "blocks'.db",
  'a percent sign': () => '%2e%2e/blocks.db',
  'a slash by percent sign': () => 'sub%2fblocks.db',
  'a URI of SQLite': () => 'file:blocks.db',
  'a URI with parameters': () => 'file:/tmp/blocks.db?mode=rwc&x=.db',
  'a database in memory': () => ':memory:',
  'a device': () => 'con.db',
  'a device in capitals': () => 'NUL.sqlite',
  'a device as a folder': () => 'com1/blocks.db',
  'a device of this system': () => '/dev/null',
  'a folder of processes': () => '/proc/self/cwd/x.db',
  'a drive': () => 'C:\\blocks.db',
  'a drive without a root': () => 'C:blocks.db',
  'a share': () => '\\\\server\\share\\blocks.db',
  'a share with slashes': () => '//server/share/blocks.db',
  'a backslash': () => 'sub\\blocks.db',
  'a way out': () => '../blocks.db',
  'a way out and back': () => 'sub/../blocks.db',
  'a way out in an absolute path': ({ home }) => `${home}/blocks/../blocks/x.db`,
  'a way out in the other notation': () => '..\\blocks.db',
  'a name longer than file systems take': () => `${'n'.repeat(300)}.db`,
  'a folder name longer than file systems take': () => `${'n'.repeat(300)}/blocks.db`,
  'a path longer than any': () => `${'n/'.repeat(2500)}x.db`,
  nothing: () => '',
  'a blank': () => ' ',
  'the data directory': () => '.',
  'a folder': () => 'sub/',
  'a store with a slash behind': () => 'blocks.db/',
  'a store with a dot folder behind': () => 'blocks.db/.',
  'the root': () => '/',
  'a missing absolute folder': () => '/no/such/folder/blocks.db',
  'a folder below a file': ({ home }) => `${home}/.bashrc/blocks.db`,
  'a folder with a dot at its end': () => 'sub./x.db',
  'a symbolic link': ({ home }) => `${home}/blocks/link.db`,
  'a hard link': ({ home }) => `${home}/blocks/hard.db`,
  'a folder in the place of the file': ({ home }) => `${home}/blocks/folder.db`,
  'a file that is no database': ({ home }) => `${home}/blocks/notes.db`,
  'an empty file': ({ home }) => `${home}/blocks/empty.db`,
  'a name whose log of another database lies there': ({ home }) => `${home}/blocks/left.db`,
  'a name whose journal of another database lies there': ({ home }) => `${home}/blocks/old.db`,
  'a store of another network': ({ home }) => `${home}/blocks/test.db`,
  'a folder that the group may write to': ({ home }) => `${home}/group/x.db`,
  'a folder that everybody may write to': ({ home }) => `${home}/everybody/x.db`,
  'the same with the sticky bit': ({ home }) => `${home}/sticky/x.db`,
  'the same in the data directory': () => 'open/x.db',
  'a folder that somebody else may rename': ({ home }) => `${home}/exchangeable/own/x.db`,
};

/** What takes another user's doing, or looks like it. */
const MADE: Readonly<Record<string, (at: Home) => string>> = {
  'another program’s database': ({ home }) => {
    const file = path.join(home, 'blocks', 'program.db');
    const database = openDatabase(file);
    database.exec('CREATE TABLE compactblocks(height INTEGER PRIMARY KEY, data BLOB NOT NULL)');
    database.close();
    fs.chmodSync(file, 0o600);
    return file;
  },
  'a second name of a store that would do': ({ home, server }) => {
    const folder = path.join(home, 'blocks');
    const stores = createCompactStores();
    stores.open('first.db', {
      dataDir: folder,
      configDir: path.join(folder, 'config'),
      restrictDbPath: true,
      network: 'main',
      genesisHash: MAIN.genesisHash,
      server: server.url,
      configuredServer: '',
    });
    stores.close();
    fs.linkSync(path.join(folder, 'first.db'), path.join(folder, 'second.db'));
    return path.join(folder, 'second.db');
  },
  'a store that others may write to': ({ home }) => {
    const file = path.join(home, 'blocks', 'test.db');
    fs.chmodSync(file, 0o666);
    return file;
  },
  ...(IS_ROOT
    ? {
        'a folder of another user': ({ home }: Home) => {
          fs.chownSync(path.join(home, 'blocks'), STRANGER, STRANGER);
          return `${home}/blocks/x.db`;
        },
        'a folder below one of another user': ({ home }: Home) => {
          fs.chownSync(path.join(home, 'blocks'), STRANGER, STRANGER);
          return `${home}/blocks/My Größe/x.db`;
        },
        'a file of another user': ({ home }: Home) => {
          fs.chownSync(path.join(home, 'blocks', 'test.db'), STRANGER, STRANGER);
          return `${home}/blocks/test.db`;
        },
      }
    : {
        'a file below the root': () => '/blocks.db',
        'a folder of devices': () => '/dev/shm.db',
        'a folder of the system': () => '/etc/cron.d/job.db',
      }),
};

for (const [what, pathOf] of Object.entries({ ...REFUSED, ...MADE })) {
  test(`refused: ${what}`, async (t) => {
    const at = await setUp(t);
    const db_path = pathOf(at);
    const before = fileTree(at.home);
    const input = { db_path, compact_server_url: at.server.url };
    for (const name of ['lwd.info', 'lwd.chain_tip', 'lwd.sync_compact'] satisfies OperationName[]) {
      const range = name === 'lwd.sync_compact' ? { start_height: FIRST, end_height: FIRST + 9 } : {};
      t.is(await at.wallet.failure(name, { ...input, ...range }), 'INVALID_DB_PATH', name);
    }
    t.deepEqual(at.server.calls, []);
    t.deepEqual(fileTree(at.home), before);
  });
}

const ACCEPTED: Readonly<Record<string, (at: Home) => string>> = {
  'a name': () => 'blocks.db',
  'another ending': () => 'blocks.sqlite',
  'the third ending': () => 'blocks.sqlite3',
  'every sign that a name may have': () => '0A.b_c-d..9.db',
  'a folder that is there': () => 'sub/blocks.db',
  'folders that are not there': () => 'new/Folder-1/a_b.c/blocks.db',
  'a folder that stays the same': () => './sub/./blocks.db',
  'an absolute path into the data directory': ({ data }) => `${data}/blocks.db`,
  'the same with a new folder': ({ data }) => `${data}/new/blocks.db`,
  'a folder of one’s own': ({ home }) => `${home}/blocks/x.db`,
  'a folder with a name of its owner’s choice': ({ home }) => `${home}/blocks/My Größe/x.db`,
  'a folder that others may read': ({ home }) => {
    fs.chmodSync(path.join(home, 'blocks'), 0o755);
    return `${home}/blocks/x.db`;
  },
};

for (const [what, pathOf] of Object.entries(ACCEPTED)) {
  test(`accepted: ${what}`, async (t) => {
    const at = await setUp(t);
    const db_path = pathOf(at);
    const before = fileTree(at.home);
    const server = { compact_server_url: at.server.url };
    t.is((await at.wallet.call('lwd.info', { db_path, ...server })).store, null);
    t.deepEqual(fileTree(at.home), before, 'asking makes nothing');
    const range = { start_height: FIRST, end_height: FIRST + 9 };
    const stored = await at.wallet.call('lwd.sync_compact', { db_path, ...server, ...range });
    t.is(stored.blocks_stored, 10);
    t.is(stored.db_path, path.resolve(at.data, db_path));
    t.is(fs.statSync(stored.db_path).mode & 0o777, 0o600);
    for (
      let folder = path.dirname(stored.db_path);
      folder.startsWith(`${at.data}/new`);
      folder = path.dirname(folder)
    ) {
      t.is(fs.statSync(folder).mode & 0o777, 0o700);
    }
    t.is((await at.wallet.call('lwd.info', { db_path: stored.db_path, ...server })).store?.block_count, 10);
  });
}

test('a server that does not answer leaves no folder and no store', async (t) => {
  const at = await setUp(t);
  const before = fileTree(at.home);
  at.server.stop();
  const input = { db_path: 'new/blocks.db', compact_server_url: at.server.url };
  t.is(await at.wallet.failure('lwd.sync_compact', input), 'COMPACT_SERVER_UNREACHABLE');
  t.deepEqual(fileTree(at.home), before);
});
