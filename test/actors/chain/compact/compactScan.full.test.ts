// A wallet that scans from compact blocks step by step: what it says on the way, and what it makes of an incomplete
// world. (Whole chains: compactChains.full.test.ts; memos: compactCompletion.test.ts.)

import { Patience } from '@wallet-companion/base/async';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { asTxId } from '@wallet-companion/zcash/identifiers';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { readDelimited } from '@wallet-companion/zcash/test/fixtures';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../../src/actors/wallet/ports/configFile.ts';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { type FixtureCompactServer, STALL } from '../../../helpers/fixtureCompactServer.ts';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  shownBalance,
  shownNotes,
  startKnownSeedCompactServer,
  startKnownSeedNode,
} from '../../../helpers/knownSeed.ts';
import { openPatientCompact, PATIENT_CLIENT } from '../../../helpers/waits.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const NOBODY = 'http://127.0.0.1:1';
const compact = { source: 'compact' } as const;

for (const name of ['main', 'regtest'] as const) {
  const seed = readKnownSeed(name);
  const branch = readDelimited('known-seed', name, 'compact-reorg.bin');
  const last = seed.firstHeight + 49;
  const at = (offset: number): number => seed.firstHeight + offset;

  const startServer = async (t: ExecutionContext): Promise<FixtureCompactServer> => {
    const server = await startKnownSeedCompactServer(seed);
    t.teardown(() => server.stop());
    return server;
  };

  const restored = async (
    t: ExecutionContext,
    config: Partial<Config>,
    openCompact = openPatientCompact,
  ): Promise<WalletHarness> => {
    const stores = createCompactStores();
    t.teardown(() => stores.close());
    const heights = name === 'regtest' ? { activation_heights: { nu6_3: at(26) } } : {};
    const wallet = await startWallet(t, {
      config: { network: seed.network, node_url: NOBODY, ...heights, ...config },
      stores,
      openCompact,
    });
    await wallet.call('wallet.restore', {
      mnemonic: seed.mnemonic,
      password: PASSWORD,
      birthday_height: seed.firstHeight,
    });
    await wallet.call('accounts.create', { password: PASSWORD });
    return wallet;
  };

  const notesOf = async (wallet: WalletHarness): Promise<unknown> =>
    shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes, false);

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
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));

    server.reorg(seed.reorg.lastCommonHeight ?? 0, branch);
    const after = await wallet.call('sync.run', compact);
    t.deepEqual(after.reorg, {
      fork_height: seed.reorg.lastCommonHeight!,
      depth: last - seed.reorg.lastCommonHeight!,
    });
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.reorg, [0, 1], false));
    t.deepEqual(
      shownBalance(await wallet.call('balance.get')),
      expectedBalance(seed.reorg, seed.reorg.tip.height, [0, 1]),
    );
  });

  test(`${name}: a short stream fails the sync, keeps what was scanned, and the next one goes on`, async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    server.range = (items, start) => items.filter((_, i) => items.length === 1 || start + i < at(20));
    const code = await wallet.failure('sync.run', compact);
    t.is(code, 'COMPACT_SERVER_BAD_RESPONSE');
    server.range = (items) => items;
    await wallet.call('sync.run', compact);
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  });

  // What follows is the same on every network.
  if (name === 'main') continue;

  test('storing does not scan, and says what is left to scan as the wallet goes on', async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    const unscanned = async (input = {}) => (await wallet.call('lwd.sync_compact', input)).unscanned;
    t.deepEqual(await unscanned({ end_height: at(19) }), { start_height: at(0), end_height: at(19) });
    t.is((await wallet.call('config.get')).last_scan_height, at(0) - 1);
    await wallet.call('sync.run', { ...compact, end_height: at(9) });
    t.deepEqual(await unscanned(), { start_height: at(10), end_height: last });
    await wallet.call('wallet.lock');
    t.deepEqual(await unscanned(), { start_height: at(10), end_height: last }, 'locked');
    await wallet.call('sync.run', { ...compact, password: PASSWORD });
    t.is(await unscanned(), null);
    await wallet.call('wallet.rescan', { from_height: at(30) });
    t.deepEqual(await unscanned(), { start_height: at(30), end_height: last });
    await wallet.call('wallet.rescan');
    t.deepEqual(await unscanned(), { start_height: at(0), end_height: last });
  });

  test('without the server a range that is stored is complete, one beyond the store is not', async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    await wallet.call('lwd.sync_compact', { end_height: at(29) });
    server.stop();
    const run = (input: object) => wallet.call('sync.run', { ...compact, ...input });
    const cut = { chain_tip: at(29), caught_up: false };
    t.like(await run({ end_height: at(9) }), { ...cut, end_height: at(9), range_complete: true });
    t.like(await run({ end_height: at(9) }), { ...cut, blocks_scanned: 0, range_complete: true });
    t.like(await run({ end_height: at(40) }), { ...cut, end_height: at(29), range_complete: false });
    t.is(await wallet.failure('sync.run', { ...compact, end_height: at(40) }), 'COMPACT_SERVER_UNREACHABLE');
    t.like(await run({ start_height: at(3), end_height: at(8) }), { ...cut, blocks_scanned: 6 });
    t.is((await wallet.call('balance.get')).as_of_height, at(29));
    t.deepEqual(shownBalance(await wallet.call('balance.get')), expectedBalance(seed.main, at(29), [0, 1]));
  });

  test('a silent server holds up neither the stored blocks nor, once it answers, the rest', async (t) => {
    const server = await startServer(t);
    const openCompact: typeof openPatientCompact = (url, parameters) =>
      openPatientCompact(url, parameters, PATIENT_CLIENT, new Patience(1));
    const wallet = await restored(t, { compact_server_url: server.url }, openCompact);
    await wallet.call('lwd.sync_compact', { end_height: at(29) });
    server.before = () => {
      throw STALL;
    };
    for (const end of [at(9), at(29)]) {
      t.like(await wallet.call('sync.run', { ...compact, end_height: end }), {
        // The first ten twice: notes of account 1 are there, so that account 2 is looked for.
        blocks_scanned: 20,
        range_complete: true,
        caught_up: false,
      });
    }
    t.deepEqual(shownBalance(await wallet.call('balance.get')), expectedBalance(seed.main, at(29), [0, 1]));
    server.before = () => undefined;
    t.like(await wallet.call('sync.run', compact), { blocks_scanned: 20, caught_up: true });
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  });

  test('without the server a gap in the store ends the scan, and what is below it stays', async (t) => {
    const server = await startServer(t);
    const wallet = await restored(t, { compact_server_url: server.url });
    await wallet.call('lwd.sync_compact', { end_height: at(9) });
    await wallet.call('lwd.sync_compact', { start_height: at(20) });
    server.stop();
    t.is(await wallet.failure('sync.run', compact), 'COMPACT_SERVER_UNREACHABLE');
    t.is((await wallet.call('config.get')).last_scan_height, at(9));
    t.deepEqual(shownBalance(await wallet.call('balance.get')), expectedBalance(seed.main, at(9), [0, 1]));
  });

  test('without the server a store that starts above is followed where it links', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    await wallet.call('sync.run', { end_height: at(29) });
    await wallet.call('lwd.sync_compact', { start_height: at(30) });
    server.stop();
    t.like(await wallet.call('sync.run', compact), { blocks_scanned: 20, reorg: null });
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  });

  test('stored blocks that carry no tree sizes go on from what was scanned', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    await wallet.call('sync.run', { end_height: at(29) });
    server.serve(
      readDelimited('known-seed', name, 'compact-main.bin').map((bytes) =>
        encodeCompactBlock({ ...decodeCompactBlock(bytes), treeSizes: undefined }),
      ),
    );
    await wallet.call('lwd.sync_compact', { start_height: at(30) });
    server.stop();
    t.like(await wallet.call('sync.run', compact), { blocks_scanned: 20 });
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  });

  test('a server that names other transactions, then the node: each note counts once, each spend too', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    server.serve(
      readDelimited('known-seed', name, 'compact-main.bin').map((bytes) => {
        const block = decodeCompactBlock(bytes);
        const transactions = block.transactions.map((transaction) => ({
          ...transaction,
          txid: asTxId(transaction.txid.map((byte) => byte ^ 0xff)),
        }));
        return encodeCompactBlock({ ...block, transactions });
      }),
    );
    await wallet.call('sync.run', compact);
    const balance = expectedBalance(seed.main, last, [0, 1]);
    t.deepEqual(shownBalance(await wallet.call('balance.get')), balance);
    const again = await wallet.call('sync.run', { start_height: seed.firstHeight, end_height: last });
    t.is(again.notes_new, 0);
    t.deepEqual(shownBalance(await wallet.call('balance.get')), balance);
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
    const { transactions } = await wallet.call('transactions.list', { limit: 1000 });
    const real = new Set(
      expectedNotes(seed.main, [0, 1], false).flatMap(({ txid, spent }) => [txid, spent?.txid ?? txid]),
    );
    t.deepEqual(transactions.map(({ txid }) => txid).sort(), [...real].sort());
  });

  test('a store that starts below the fork leads over a reorg, however little it holds', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    await wallet.call('sync.run');
    server.reorg(seed.reorg.lastCommonHeight!, branch);
    const start_height = seed.reorg.lastCommonHeight! + 1;
    const stored = await wallet.call('lwd.sync_compact', { start_height });
    t.deepEqual(stored.unscanned, { start_height: last + 1, end_height: seed.reorg.tip.height });
    server.stop();
    t.like(await wallet.call('sync.run', compact), {
      reorg: { fork_height: seed.reorg.lastCommonHeight!, depth: last - seed.reorg.lastCommonHeight! },
      blocks_scanned: branch.length,
    });
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.reorg, [0, 1], false));
  });

  test('a store that starts above the fork cannot lead over a reorg by itself', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    await wallet.call('sync.run');
    server.reorg(seed.reorg.lastCommonHeight!, branch);
    await wallet.call('lwd.sync_compact', { start_height: seed.reorg.lastCommonHeight! + 3 });
    server.stop();
    t.is(await wallet.failure('sync.run', compact), 'COMPACT_SERVER_UNREACHABLE');
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false), 'nothing was undone');
  });

  test('a store that is not higher than what was scanned is not believed against it', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    node.reorg(seed.reorg.lastCommonHeight!, seed.reorgBlocks);
    await wallet.call('sync.run');
    await wallet.call('lwd.sync_compact');
    server.stop();
    const balance = expectedBalance(seed.reorg, seed.reorg.tip.height, [0, 1]);
    for (const range of [{}, { start_height: at(0), end_height: at(9) }]) {
      t.is(await wallet.failure('sync.run', { ...compact, ...range }), 'COMPACT_SERVER_UNREACHABLE');
      t.deepEqual(shownBalance(await wallet.call('balance.get')), balance);
    }
  });

  test('a lower store of the same branch closes gaps by itself', async (t) => {
    const server = await startServer(t);
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await restored(t, { compact_server_url: server.url, node_url: node.url });
    await wallet.call('lwd.sync_compact', { end_height: at(30) });
    server.stop();
    await wallet.call('sync.run', { start_height: at(20) });
    await wallet.call('sync.run', { ...compact, start_height: at(0), end_height: at(19) });
    t.true((await wallet.call('balance.get')).complete);
    t.deepEqual(await notesOf(wallet), expectedNotes(seed.main, [0, 1], false));
  });
}
