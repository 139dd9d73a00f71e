// A db_path that is refused, through the operations and on real files: nobody is asked and nothing is touched.
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase } from '@wallet-companion/disk/sqlite';
import { fingerprintsOf } from '@wallet-companion/disk/test/folder';
import { TEST } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { ErrorCode } from '../../../../src/protocol/errors.ts';
import type { OperationName } from '../../../../src/protocol/operations.ts';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { compactMain, FIRST, MAIN_INFO } from '../../../helpers/knownSeedBlocks.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

async function setUp(t: ExecutionContext): Promise<{ server: FixtureCompactServer; wallet: WalletHarness }> {
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
  const stores = createCompactStores();
  t.teardown(() => {
    server.stop();
    stores.close();
  });
  const wallet = await startWallet(t, {
    config: { network: 'main', compact_server_url: server.url, node_url: 'http://127.0.0.1:1' },
    stores,
  });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: FIRST });
  return { server, wallet };
}

/** An empty store of the test network. */
function storeOfAnother(folder: string, name: string): void {
  const stores = createCompactStores();
  stores.open(name, {
    dataDir: folder,
    configDir: folder,
    restrictDbPath: true,
    network: 'test',
    genesisHash: TEST.genesisHash,
    server: '',
    configuredServer: '',
  });
  stores.close();
}

const REFUSED: Readonly<Record<string, [make: (folder: string) => string, ErrorCode]>> = {
  'a store of another network': [
    (folder) => {
      storeOfAnother(folder, 'test.db');
      return 'test.db';
    },
    'INVALID_DB_PATH',
  ],
  'a file that is no database': [
    (folder) => {
      fs.writeFileSync(path.join(folder, 'notes.txt'), 'not a store, but dear to somebody');
      return 'notes.txt';
    },
    'INVALID_DB_PATH',
  ],
  'another program’s database': [
    (folder) => {
      const database = openDatabase(path.join(folder, 'other.db'));
      database.exec('CREATE TABLE compactblocks(height INTEGER PRIMARY KEY, data BLOB NOT NULL)');
      database.close();
      return 'other.db';
    },
    'INVALID_DB_PATH',
  ],
  'the wallet': [() => 'wallet.dat', 'INVALID_DB_PATH'],
  'the note store': [() => 'ledger.db', 'INVALID_DB_PATH'],
  'a way out of the data directory': [() => '../blocks.db', 'INVALID_DB_PATH'],
  'a link': [
    (folder) => {
      fs.symlinkSync(path.join(folder, 'elsewhere.db'), path.join(folder, 'link.db'));
      return 'link.db';
    },
    'INVALID_DB_PATH',
  ],
};

for (const [what, [make, code]] of Object.entries(REFUSED)) {
  test(`${what} as db_path is ${code}`, async (t) => {
    const { server, wallet } = await setUp(t);
    const db_path = make(wallet.folder);
    const before = fingerprintsOf(wallet.folder);
    const calls = server.calls.length;
    for (const name of ['lwd.info', 'lwd.chain_tip', 'lwd.sync_compact'] satisfies OperationName[]) {
      t.is(await wallet.failure(name, { db_path }), code, name);
    }
    t.deepEqual(fingerprintsOf(wallet.folder), before);
    t.is(server.calls.length, calls);
  });
}

test('a default store of another network stops the scan as well, and stays as it is', async (t) => {
  const { server, wallet } = await setUp(t);
  storeOfAnother(wallet.folder, 'test.db');
  const file = path.join(wallet.folder, 'compact-main.db');
  fs.renameSync(path.join(wallet.folder, 'test.db'), file);
  const before = fs.readFileSync(file);
  t.is(await wallet.failure('sync.run', { source: 'compact' }), 'NETWORK_MISMATCH');
  server.stop();
  t.is(await wallet.failure('sync.run', { source: 'compact' }), 'NETWORK_MISMATCH');
  t.true(fs.readFileSync(file).equals(before));
});
