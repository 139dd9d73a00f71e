// One store per compact server: what a request names, or what somebody configured for a while, never gets among the
// blocks of another server.
import fs from 'node:fs';
import path from 'node:path';
import { fingerprintsOf, temporaryFolder } from '@wallet-companion/disk/test/folder';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { plantedBlocks } from '../../../helpers/hostileBlocks.ts';
import { compactMain, FIRST, MAIN_INFO, TIP } from '../../../helpers/knownSeedBlocks.ts';
import { startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const DEFAULT = 'compact-main.db';
const RANGE = { start_height: FIRST, end_height: FIRST + 9 };

async function startServer(
  t: ExecutionContext,
  blocks: readonly Uint8Array[],
): Promise<FixtureCompactServer> {
  const server = await FixtureCompactServer.start({ blocks, info: MAIN_INFO });
  t.teardown(() => server.stop());
  return server;
}

interface Running {
  readonly wallet: WalletHarness;
  readonly folder: string;
  stop(): Promise<void>;
}

async function run(t: ExecutionContext, url: string, folder = temporaryFolder(t)): Promise<Running> {
  const stores = createCompactStores();
  const config = { network: 'main', node_url: 'http://127.0.0.1:1' } as const;
  fs.writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ ...config, compact_server_url: url }));
  const wallet = await startWallet(t, { folder, stores });
  t.teardown(() => stores.close());
  const stop = async (): Promise<void> => {
    await wallet.stop();
    stores.close();
  };
  return { wallet, folder, stop };
}

const storesIn = (folder: string): string[] =>
  fs.readdirSync(folder).filter((name) => /^compact-.*\.db$/.test(name));

test('a named server neither fills nor reads the store of the configured one', async (t) => {
  const honest = await startServer(t, compactMain.slice(0, 40));
  const stranger = await startServer(t, plantedBlocks());
  const { wallet, folder, stop } = await run(t, honest.url);
  const named = { compact_server_url: stranger.url };
  const theirs = await wallet.call('lwd.sync_compact', { ...named, start_height: FIRST });
  t.is(theirs.blocks_stored, TIP - FIRST + 1);
  t.not(path.basename(theirs.db_path), DEFAULT);
  t.is((await wallet.call('lwd.info')).store, null);
  t.is((await wallet.call('lwd.chain_tip')).stored_height, null);

  const ours = await wallet.call('lwd.sync_compact', { start_height: FIRST });
  t.is(ours.blocks_stored, 40);
  t.is(path.basename(ours.db_path), DEFAULT);
  t.like(await wallet.call('lwd.sync_compact'), { blocks_stored: 0, caught_up: true });
  t.is((await wallet.call('lwd.info')).store?.block_count, 40);
  t.is((await wallet.call('lwd.info', named)).store?.path, theirs.db_path);
  t.is((await wallet.call('lwd.chain_tip', named)).stored_height, TIP);

  await stop();
  const before = fs.readFileSync(ours.db_path);
  const again = await run(t, honest.url, folder);
  await again.wallet.call('lwd.sync_compact', { ...named, ...RANGE });
  await again.stop();
  t.true(fs.readFileSync(ours.db_path).equals(before));
});

test('the configured server named in a request is the configured one, however it is written', async (t) => {
  const honest = await startServer(t, compactMain);
  const { wallet } = await run(t, honest.url);
  for (const compact_server_url of [honest.url, `${honest.url}/`, honest.host, honest.url.toUpperCase()]) {
    const { db_path } = await wallet.call('lwd.sync_compact', { compact_server_url, ...RANGE });
    t.is(path.basename(db_path), DEFAULT, compact_server_url);
  }
});

test('a db_path that is another server’s store is refused and left as it is', async (t) => {
  const honest = await startServer(t, compactMain);
  const stranger = await startServer(t, plantedBlocks());
  const { wallet, folder } = await run(t, honest.url);
  const named = { compact_server_url: stranger.url };
  const { db_path: ours } = await wallet.call('lwd.sync_compact', RANGE);
  const { db_path: theirs } = await wallet.call('lwd.sync_compact', { ...named, ...RANGE });
  await wallet.call('lwd.sync_compact', { db_path: 'mine.db', ...RANGE });
  await wallet.call('lwd.sync_compact', { db_path: 'theirs.db', ...named, ...RANGE });
  const before = fingerprintsOf(folder);
  const calls = stranger.calls.length;
  for (const input of [
    { db_path: DEFAULT, ...named },
    { db_path: ours, ...named },
    { db_path: 'mine.db', ...named },
    { db_path: theirs },
    { db_path: path.basename(theirs) },
    { db_path: 'theirs.db' },
  ]) {
    t.is(await wallet.failure('lwd.info', input), 'INVALID_DB_PATH');
    t.is(await wallet.failure('lwd.chain_tip', input), 'INVALID_DB_PATH');
    t.is(await wallet.failure('lwd.sync_compact', { ...input, ...RANGE }), 'INVALID_DB_PATH');
  }
  t.is(stranger.calls.length, calls);
  t.deepEqual(fingerprintsOf(folder), before);
  for (const input of [
    { db_path: ours },
    { db_path: DEFAULT },
    { db_path: theirs, ...named },
    { db_path: 'mine.db' },
    { db_path: 'theirs.db', ...named },
  ]) {
    t.is((await wallet.call('lwd.info', input)).store?.block_count, 10);
  }
});

test('a server that somebody configures for a while fills a store of its own', async (t) => {
  const honest = await startServer(t, compactMain.slice(0, 40));
  const stranger = await startServer(t, plantedBlocks());
  const { wallet, folder, stop } = await run(t, honest.url);
  const { db_path: ours } = await wallet.call('lwd.sync_compact', { start_height: FIRST });
  await wallet.call('config.compact_server_url', { url: stranger.url });
  t.is((await wallet.call('lwd.info')).store, null);
  const { db_path: theirs } = await wallet.call('lwd.sync_compact', { start_height: FIRST });
  t.not(theirs, ours);
  await wallet.call('config.compact_server_url', { url: honest.url });
  t.like((await wallet.call('lwd.info')).store, { path: ours, block_count: 40 });
  t.like(await wallet.call('lwd.sync_compact'), { blocks_stored: 0, caught_up: true, db_path: ours });
  await stop();
  const again = await run(t, honest.url, folder);
  t.is((await again.wallet.call('lwd.info')).store?.path, ours);
  t.is((await again.wallet.call('lwd.info', { compact_server_url: stranger.url })).store?.path, theirs);
});

test('the default store belongs to the server that filled it first, the next configured server gets another', async (t) => {
  const honest = await startServer(t, compactMain.slice(0, 40));
  const stranger = await startServer(t, plantedBlocks());
  const { wallet } = await run(t, honest.url);
  await wallet.call('config.compact_server_url', { url: stranger.url });
  t.is(path.basename((await wallet.call('lwd.sync_compact', RANGE)).db_path), DEFAULT);
  await wallet.call('config.compact_server_url', { url: honest.url });
  t.is((await wallet.call('lwd.info')).store, null);
  const { db_path } = await wallet.call('lwd.sync_compact', { start_height: FIRST });
  t.not(path.basename(db_path), DEFAULT);
  t.is((await wallet.call('lwd.info')).store?.block_count, 40);
});

test('a default store that cannot be read does not stop the start', async (t) => {
  const folder = temporaryFolder(t);
  fs.writeFileSync(path.join(folder, DEFAULT), 'no database');
  const { wallet } = await run(t, 'http://127.0.0.1:1', folder);
  t.is(await wallet.failure('lwd.info'), 'INVALID_DB_PATH');
  t.is(fs.readFileSync(path.join(folder, DEFAULT), 'utf8'), 'no database');
});

test('four stores of named servers are kept, the one written to longest ago goes first', async (t) => {
  const honest = await startServer(t, compactMain);
  const { wallet, folder } = await run(t, honest.url);
  await wallet.call('lwd.sync_compact', RANGE);
  const files: string[] = [];
  const sync = async (server: FixtureCompactServer): Promise<string> =>
    (await wallet.call('lwd.sync_compact', { compact_server_url: server.url, ...RANGE })).db_path;
  const age = (file: string, seconds: number): void => {
    for (const ending of ['', '-wal']) {
      if (fs.existsSync(file + ending)) fs.utimesSync(file + ending, seconds, seconds);
    }
  };
  const stranger = await startServer(t, plantedBlocks());
  await wallet.call('lwd.sync_compact', { compact_server_url: stranger.url, db_path: 'old.db', ...RANGE });
  age(path.join(folder, 'old.db'), 1);
  age(path.join(folder, DEFAULT), 1);
  for (let i = 0; i < 4; i++) {
    const file = await sync(await startServer(t, plantedBlocks()));
    files.push(file);
    age(file, 100 + ((i * 3) % 4));
  }
  t.is(storesIn(folder).length, 5);
  const fifth = await sync(await startServer(t, plantedBlocks()));
  const [oldest, ...others] = [files[0], files[3], files[2], files[1]].map((file) => path.basename(file!));
  t.deepEqual(storesIn(folder).sort(), [DEFAULT, path.basename(fifth), ...others].sort());
  t.false(
    fs.readdirSync(folder).some((name) => name.includes(oldest!)),
    'nothing of it is left',
  );
  t.true(fs.existsSync(path.join(folder, 'old.db')));
  t.is((await wallet.call('lwd.info')).store?.block_count, 10);
});

test('neither the configured server’s store nor one that is being filled makes room', async (t) => {
  const first = await startServer(t, compactMain);
  const { wallet, folder } = await run(t, first.url);
  await wallet.call('lwd.sync_compact', RANGE);
  const second = await startServer(t, compactMain);
  await wallet.call('config.compact_server_url', { url: second.url });
  const { db_path: configured } = await wallet.call('lwd.sync_compact', RANGE);
  fs.utimesSync(configured, 1, 1);

  // This one never ends its answer before the others are there.
  const slow = await startServer(t, plantedBlocks());
  const asked = new Promise<void>((resolve) => {
    slow.range = (items, start, end) => {
      if (start <= FIRST + 9 || start === end) return items;
      resolve();
      return ['stall'];
    };
  });
  const busy = await wallet.call('lwd.sync_compact', { compact_server_url: slow.url, ...RANGE });
  const running = wallet.failure('lwd.sync_compact', { compact_server_url: slow.url });
  await asked;
  for (const ending of ['', '-wal']) {
    if (fs.existsSync(busy.db_path + ending)) fs.utimesSync(busy.db_path + ending, 1, 1);
  }
  for (let i = 0; i < 6; i++) {
    const stranger = await startServer(t, plantedBlocks());
    await wallet.call('lwd.sync_compact', { compact_server_url: stranger.url, ...RANGE });
  }
  t.true(fs.existsSync(busy.db_path));
  t.true(fs.existsSync(configured));
  t.is(storesIn(folder).length, 2 + 4);
  slow.stop();
  t.is(await running, 'COMPACT_SERVER_UNREACHABLE', 'it was at work until its server went');
});

test('what a crash left of a removal is no obstacle', async (t) => {
  const stranger = await startServer(t, plantedBlocks());
  const { wallet, folder, stop } = await run(t, 'http://127.0.0.1:1');
  const named = { compact_server_url: stranger.url };
  const { db_path } = await wallet.call('lwd.sync_compact', { ...named, ...RANGE });
  await stop();
  fs.rmSync(db_path);
  fs.writeFileSync(`${db_path}-wal`, 'left behind');
  fs.writeFileSync(`${db_path}-journal`, 'left behind');
  const again = await run(t, 'http://127.0.0.1:1', folder);
  t.is((await again.wallet.call('lwd.info', named)).store, null);
  t.is((await again.wallet.call('lwd.sync_compact', { ...named, ...RANGE })).blocks_stored, 10);
});
