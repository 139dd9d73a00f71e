// What compact blocks leave out, memos and sent notes, is read afterwards: from the node, else from the compact server,
// else with a later sync, and not at all when the owner does not want it.
import { status } from '@grpc/grpc-js';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { parseBlock } from '@wallet-companion/zcash/blocks';
import { txid } from '@wallet-companion/zcash/transactions';
import test, { type ExecutionContext } from 'ava';
import type { Config } from '../../../../src/actors/wallet/ports/configFile.ts';
import { type FixtureCompactServer, GrpcError } from '../../../helpers/fixtureCompactServer.ts';
import type { FixtureNode } from '../../../helpers/fixtureNode.ts';
import {
  expectedNotes,
  readKnownSeed,
  shownNotes,
  startKnownSeedCompactServer,
  startKnownSeedNode,
} from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const NOBODY = 'http://127.0.0.1:1';
const compact = { source: 'compact' } as const;

for (const name of ['main', 'regtest'] as const) {
  const seed = readKnownSeed(name);
  const rawTransactions = new Map(
    seed.mainBlocks.flatMap((block) =>
      parseBlock(block).transactions.map(
        (transaction) => [bytesToHex(txid(transaction)), transaction.bytes] as const,
      ),
    ),
  );
  const knownTransaction = (wanted: Uint8Array): Uint8Array | GrpcError =>
    rawTransactions.get(bytesToHex(wanted)) ?? new GrpcError(status.NOT_FOUND);

  interface Setup {
    readonly server: FixtureCompactServer;
    readonly node: FixtureNode;
    /** Restored, with accounts 0 and 1. The node is configured unless told otherwise. */
    readonly restore: (config?: Partial<Config>) => Promise<WalletHarness>;
  }

  const setUp = async (t: ExecutionContext): Promise<Setup> => {
    const server = await startKnownSeedCompactServer(seed);
    const node = await startKnownSeedNode(seed);
    t.teardown(async () => {
      server.stop();
      await node.stop();
    });
    const restore = async (config: Partial<Config> = {}): Promise<WalletHarness> => {
      const urls = { node_url: node.url, compact_server_url: server.url };
      const heights = name === 'regtest' ? { activation_heights: { nu6_3: seed.firstHeight + 26 } } : {};
      const wallet = await startWallet(t, {
        config: { network: seed.network, ...heights, ...urls, ...config },
      });
      await wallet.call('wallet.restore', {
        mnemonic: seed.mnemonic,
        password: PASSWORD,
        birthday_height: seed.firstHeight,
      });
      await wallet.call('accounts.create', { password: PASSWORD });
      return wallet;
    };
    return { server, node, restore };
  };

  /** Without what says which source they came from. */
  const transactionsOf = async (wallet: WalletHarness) =>
    (await wallet.call('transactions.list', { limit: 1000 })).transactions.map(
      ({ verified_with: _, ...transaction }) => transaction,
    );

  /**
   * Memos as the fixture says, sent notes as a scan from the node finds them (test/actors/wallet/knownSeed.full.test.ts).
   */
  const assertComplete = async (t: ExecutionContext, { restore }: Setup, wallet: WalletHarness) => {
    t.deepEqual(
      shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes),
      expectedNotes(seed.main, [0, 1]),
    );
    const full = await restore();
    await full.call('sync.run');
    const transactions = await transactionsOf(wallet);
    t.deepEqual(transactions, await transactionsOf(full));
    t.true(transactions.some(({ sent_outputs }) => sent_outputs.length > 0));
    t.true(transactions.every(({ complete }) => complete));
  };

  const assertIncomplete = async (t: ExecutionContext, wallet: WalletHarness) => {
    const { notes } = await wallet.call('notes.list', { limit: 1000 });
    t.true(notes.every(({ memo }) => memo === null));
    t.deepEqual(shownNotes(notes, false), expectedNotes(seed.main, [0, 1], false));
    const transactions = await transactionsOf(wallet);
    t.true(transactions.every(({ complete, sent_outputs }) => !complete && sent_outputs.length === 0));
  };

  test(`${name}: a reachable node gives whole blocks, and no server learns a txid`, async (t) => {
    const setup = await setUp(t);
    const { server, node, restore } = setup;
    const wallet = await restore();
    t.true((await wallet.call('sync.run', compact)).caught_up);
    t.false(server.calls.includes('GetTransaction'));
    t.false(node.calls.some((call) => call.startsWith('getrawtransaction')));
    await assertComplete(t, setup, wallet);
  });

  test(`${name}: without a node the compact server gives the transactions one by one`, async (t) => {
    const setup = await setUp(t);
    const { server, restore } = setup;
    server.transaction = knownTransaction;
    const wallet = await restore({ node_url: NOBODY });
    t.true((await wallet.call('sync.run', compact)).caught_up);
    const asked = server.calls.filter((call) => call === 'GetTransaction').length;
    t.is(asked, (await transactionsOf(wallet)).length);
    await assertComplete(t, setup, wallet);
  });

  // What follows is the same on every network.
  if (name === 'main') continue;

  test('a silent node holds a sync up once, not for every block', async (t) => {
    const { server, node, restore } = await setUp(t);
    server.transaction = knownTransaction;
    const wallet = await restore();
    const before = node.calls.length;
    node.exchange = (_request, response) => {
      response.destroy();
      return true;
    };
    await wallet.call('sync.run', compact);
    t.true((await transactionsOf(wallet)).every(({ complete }) => complete));
    t.is(node.calls.length, before);
    const tries = node.authorizations.length;
    t.true(tries <= 3, `${tries}`);
  });

  test('with complete_transactions off no server gets a request, and amounts are complete', async (t) => {
    const { server, node, restore } = await setUp(t);
    server.transaction = knownTransaction;
    const wallet = await restore({ complete_transactions: false });
    const before = node.calls.length;
    t.true((await wallet.call('sync.run', compact)).caught_up);
    t.is(node.calls.length, before);
    t.false(server.calls.includes('GetTransaction'));
    await assertIncomplete(t, wallet);
    t.true((await wallet.call('balance.get')).complete);
  });

  test('while neither answers the sync succeeds, and the next one reads what is left', async (t) => {
    const setup = await setUp(t);
    const { server, restore } = setup;
    server.transaction = () => new GrpcError(status.UNAVAILABLE);
    const wallet = await restore({ node_url: NOBODY });
    t.true((await wallet.call('sync.run', compact)).caught_up);
    await assertIncomplete(t, wallet);
    t.deepEqual(
      wallet.faults.map(({ where }) => where),
      ['sync.complete_transactions'],
    );
    server.transaction = knownTransaction;
    t.is((await wallet.call('sync.run', compact)).blocks_scanned, 0);
    await assertComplete(t, setup, wallet);
  });

  test('with the server gone after the store was filled, the node completes', async (t) => {
    const setup = await setUp(t);
    const { server, restore } = setup;
    const wallet = await restore();
    await wallet.call('lwd.sync_compact');
    server.stop();
    // Twice: account 1 has notes, so account 2 is looked at.
    t.is((await wallet.call('sync.run', compact)).blocks_scanned, 100);
    await assertComplete(t, setup, wallet);
  });

  test('a transaction that is not the requested one is not used', async (t) => {
    const { server, restore } = await setUp(t);
    const other = [...rawTransactions.values()][0]!;
    server.transaction = () => other;
    const wallet = await restore({ node_url: NOBODY });
    await wallet.call('sync.run', compact);
    await assertIncomplete(t, wallet);
  });
}
