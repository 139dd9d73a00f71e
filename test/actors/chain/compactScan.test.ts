// Scanning from compact blocks, on chains with known answers: the same notes as from the node, memos excepted.
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../src/actors/wallet/storage.ts';
import { createCompactStores } from '../../../src/storage/compactStores.ts';
import { FixtureCompactServer, GrpcError } from '../../helpers/fixtureCompactServer.ts';
import { readDelimited } from '../../helpers/fixtures.ts';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  shownBalance,
  shownNotes,
  startKnownSeedNode,
} from '../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../helpers/walletHarness.ts';

const NOBODY = 'http://127.0.0.1:1';
const compact = { source: 'compact' } as const;

for (const name of ['main', 'regtest'] as const) {
  const seed = readKnownSeed(name);
  const blocks = readDelimited('known-seed', name, 'compact-main.bin');
  const branch = readDelimited('known-seed', name, 'compact-reorg.bin');
  const last = seed.firstHeight + 49;
  const at = (offset: number): number => seed.firstHeight + offset;

  const startServer = async (t: ExecutionContext): Promise<FixtureCompactServer> => {
    const info =
      name === 'main'
        ? { chainName: 'main', saplingActivationHeight: 419_200n }
        : { chainName: 'test', saplingActivationHeight: 1n };
    const server = await FixtureCompactServer.start({ blocks, info });
    t.teardown(() => server.stop());
    return server;
  };

  const restored = async (t: ExecutionContext, config: Partial<Config>): Promise<WalletHarness> => {
    const stores = createCompactStores();
    t.teardown(() => stores.close());
    const heights = name === 'regtest' ? { activation_heights: { nu6_3: at(26) } } : {};
    const wallet = await startWallet(t, {
      config: { network: seed.network, node_url: NOBODY, ...heights, ...config },
      stores,
    });
    await wallet.call('wallet.restore', {
      mnemonic: seed.mnemonic,
      password: PASSWORD,
      birthday_height: seed.firstHeight,
    });
    await wallet.call('accounts.create', { password: PASSWORD });
    return wallet;
  };

  const notesOf = async (wallet: WalletHarness, withMemos: boolean): Promise<unknown> =>
    shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes, withMemos);

  test(`${name}: from a compact server, height by height, then after the reorg`, async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    for (let height = seed.firstHeight; height <= last; height += 7) {
      await wallet.call('sync.run', { ...compact, end_height: height });
      const balance = await wallet.call('balance.get');
      t.deepEqual(shownBalance(balance), expectedBalance(seed.main, height, [0, 1]), `at ${height}`);
    }
    const summary = await wallet.call('sync.run', compact);
    t.is(summary.source, 'compact');
    t.true(summary.caught_up);
    t.deepEqual(await notesOf(wallet, false), expectedNotes(seed.main, [0, 1], false));

    server.reorg(seed.reorg.lastCommonHeight ?? 0, branch);
    const after = await wallet.call('sync.run', compact);
    t.deepEqual(after.reorg, {
      fork_height: seed.reorg.lastCommonHeight!,
      depth: last - seed.reorg.lastCommonHeight!,
    });
    t.deepEqual(await notesOf(wallet, false), expectedNotes(seed.reorg, [0, 1], false));
    t.deepEqual(
      shownBalance(await wallet.call('balance.get')),
      expectedBalance(seed.reorg, seed.reorg.tip.height, [0, 1]),
    );
  });

  test(`${name}: from the store alone, once it holds the blocks`, async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    t.is((await wallet.call('lwd.sync_compact')).blocks_stored, 50);
    t.is((await wallet.call('balance.get')).note_count, 0);
    // From here on the server gives single blocks, to compare, and no range.
    server.range = (items) => (items.length > 1 ? [new GrpcError(13)] : items);
    t.is((await wallet.call('sync.run', compact)).blocks_scanned, 50);
    t.deepEqual(await notesOf(wallet, false), expectedNotes(seed.main, [0, 1], false));
  });

  test(`${name}: ranges in any order, from both sources by turns, give the same notes`, async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    for (const [source, start, end] of [
      ['compact', 40, 49],
      ['node', 12, 25],
      ['compact', 8, 14],
      ['compact', 26, 39],
      ['node', 0, 7],
    ] as const) {
      await wallet.call('sync.run', { source, start_height: at(start), end_height: at(end) });
    }
    t.true((await wallet.call('balance.get')).complete);
    t.deepEqual(shownBalance(await wallet.call('balance.get')), expectedBalance(seed.main, last, [0, 1]));
    t.deepEqual(await notesOf(wallet, true), expectedNotes(seed.main, [0, 1]), 'memos completed by the node');
  });

  test(`${name}: with complete_transactions off nobody is asked for memos`, async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const config = { compact_server_url: server.url, node_url: node.url, complete_transactions: false };
    const wallet = await restored(t, config);
    const asked = node.calls.length;
    await wallet.call('sync.run', compact);
    t.is(node.calls.length, asked);
    t.false(server.calls.includes('GetTransaction'));
    t.deepEqual(await notesOf(wallet, false), expectedNotes(seed.main, [0, 1], false));
  });

  test(`${name}: a short stream fails the sync, keeps what was scanned, and the next one goes on`, async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    server.range = (items, start) => items.filter((_, i) => items.length === 1 || start + i < at(20));
    const code = await wallet.failure('sync.run', compact);
    t.is(code, 'COMPACT_SERVER_BAD_RESPONSE');
    server.range = (items) => items;
    await wallet.call('sync.run', compact);
    t.deepEqual(await notesOf(wallet, false), expectedNotes(seed.main, [0, 1], false));
  });
}
