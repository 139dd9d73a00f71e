// Every chain with known answers, scanned from compact blocks: notes, positions, nullifiers, spends and balances are as
// expected, from a server, from the local store alone, and in any order of ranges with the node as the other source.

import { bytesToHex } from '@wallet-companion/base/bytes';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { FixtureCompactServer } from '../../../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../../../helpers/fixtureNode.ts';
import {
  type KnownBranch,
  type KnownNote,
  readKnownChains,
  sortedNotes,
} from '../../../helpers/knownChains.ts';
import { shownBalance } from '../../../helpers/knownSeed.ts';
import { blocksBySqliteShell, hasSqliteShell } from '../../../helpers/sqliteShell.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const NOBODY = 'http://127.0.0.1:1';
const compact = { source: 'compact' } as const;

for (const chain of readKnownChains()) {
  const { firstHeight, main, fork } = chain;

  interface Setup {
    readonly server: FixtureCompactServer;
    readonly node: FixtureNode;
    readonly wallet: WalletHarness;
  }

  /** `node_url` leads nowhere unless asked for. */
  const setUp = async (t: ExecutionContext, { withNode = false } = {}): Promise<Setup> => {
    const info = { chainName: chain.chainName, saplingActivationHeight: BigInt(chain.saplingActivation) };
    const server = await FixtureCompactServer.start({ blocks: main.compact, info });
    const node = await FixtureNode.start({
      chain: chain.chainName,
      firstHeight,
      blocks: main.raw,
      treesBefore: chain.treesBefore,
    });
    const stores = createCompactStores();
    t.teardown(async () => {
      server.stop();
      stores.close();
      await node.stop();
    });
    const wallet = await startWallet(t, {
      config: {
        network: chain.network,
        activation_heights: chain.activationHeights,
        node_url: withNode ? node.url : NOBODY,
        compact_server_url: server.url,
      },
      stores,
    });
    await wallet.call('wallet.restore', {
      mnemonic: chain.mnemonic,
      password: PASSWORD,
      birthday_height: firstHeight,
    });
    await wallet.call('accounts.create', { password: PASSWORD });
    return { server, node, wallet };
  };

  // The blocks of the first commit are scanned twice: account 1 has notes in them, so account 2 is looked at.
  const compare = async (t: ExecutionContext, wallet: WalletHarness, branch: KnownBranch): Promise<void> => {
    const { notes } = await wallet.call('notes.list', { limit: 1000 });
    const shown = notes.map(
      ({
        memo: _,
        confirmations: __,
        diversifier_index: ___,
        label: ____,
        spent_unconfirmed: _____,
        reserved_by: ______,
        verified_with: _______,
        ...note
      }): KnownNote => note,
    );
    t.deepEqual(sortedNotes(shown), sortedNotes(branch.notes));
    const balance = await wallet.call('balance.get');
    t.deepEqual(shownBalance(balance), branch.balance);
    t.true(balance.complete);
    t.is(balance.as_of_height, branch.tip);
  };

  /** Ranges out of order, by turns from the compact source and from the node, that cover everything from `from` on. */
  const scanInPieces = async (wallet: WalletHarness, from: number, to: number): Promise<void> => {
    const cut = (part: number): number => from + Math.floor(((to - from + 1) * part) / 4);
    for (const [source, part] of [
      ['compact', 3],
      ['node', 1],
      ['compact', 0],
      ['node', 3],
      ['compact', 2],
    ] as const) {
      const [start_height, end_height] = [cut(part), cut(part + 1) - 1];
      if (start_height <= end_height) await wallet.call('sync.run', { source, start_height, end_height });
    }
  };

  test(`${chain.name}: from a compact server`, async (t) => {
    const { server, wallet } = await setUp(t);
    const blocks = main.compact.length + Math.min(64, main.compact.length);
    t.like(await wallet.call('sync.run', compact), { ...compact, blocks_scanned: blocks, caught_up: true });
    await compare(t, wallet, main);
    if (fork === undefined) return;
    server.reorg(fork.forkHeight, fork.compact);
    t.like(await wallet.call('sync.run', compact), {
      reorg: { fork_height: fork.forkHeight, depth: main.tip - fork.forkHeight },
      caught_up: true,
    });
    await compare(t, wallet, fork);
  });

  (hasSqliteShell() ? test : test.skip)(
    `${chain.name}: the store opened by sqlite3 shows the blocks of the wire, on both branches`,
    async (t) => {
      const { server, wallet } = await setUp(t);
      const wire = (blocks: readonly Uint8Array[], from: number) =>
        blocks.map((bytes, i) => ({ height: from + i, data: bytesToHex(bytes) }));
      const { db_path } = await wallet.call('lwd.sync_compact');
      const stored = wire(main.compact, firstHeight);
      t.deepEqual(blocksBySqliteShell(db_path), stored);
      if (fork === undefined) return;
      server.reorg(fork.forkHeight, fork.compact);
      await wallet.call('lwd.sync_compact');
      t.deepEqual(blocksBySqliteShell(db_path), [
        ...stored.slice(0, fork.forkHeight - firstHeight + 1),
        ...wire(fork.compact, fork.forkHeight + 1),
      ]);
    },
  );

  test(`${chain.name}: from the store alone, until there is nothing left in it`, async (t) => {
    const { server, wallet } = await setUp(t);
    t.like(await wallet.call('lwd.sync_compact'), {
      blocks_stored: main.compact.length,
      unscanned: { start_height: firstHeight, end_height: main.tip },
    });
    t.is((await wallet.call('balance.get')).note_count, 0, 'storing scans nothing');
    server.stop();
    t.like(await wallet.call('sync.run', compact), {
      blocks_scanned: main.compact.length + Math.min(64, main.compact.length),
      chain_tip: main.tip,
      range_complete: false,
      caught_up: false,
    });
    await compare(t, wallet, main);
    t.is(await wallet.failure('sync.run', compact), 'COMPACT_SERVER_UNREACHABLE');
    t.is((await wallet.call('sync.status')).chain_tip, null, 'nobody told where the chain ends');
    await compare(t, wallet, main);
  });

  test(`${chain.name}: ranges in any order, from the store alone and the node by turns`, async (t) => {
    const { server, wallet } = await setUp(t, { withNode: true });
    await wallet.call('lwd.sync_compact');
    server.stop();
    await scanInPieces(wallet, firstHeight, main.tip);
    await compare(t, wallet, main);
  });

  if (fork === undefined) continue;

  test(`${chain.name}: the store alone leads a scanned wallet to the other branch`, async (t) => {
    const { server, wallet } = await setUp(t);
    await wallet.call('sync.run', compact);
    await compare(t, wallet, main);
    server.reorg(fork.forkHeight, fork.compact);
    const reorg = { fork_height: fork.forkHeight, depth: main.tip - fork.forkHeight };
    t.like(await wallet.call('lwd.sync_compact'), {
      reorg,
      unscanned: { start_height: fork.forkHeight + 1, end_height: fork.tip },
    });
    await compare(t, wallet, main);
    server.stop();
    t.like(await wallet.call('sync.run', compact), { reorg, chain_tip: fork.tip, caught_up: false });
    await compare(t, wallet, fork);
  });

  test(`${chain.name}: the other branch in any order of ranges, from the store alone and the node by turns`, async (t) => {
    const { server, node, wallet } = await setUp(t, { withNode: true });
    await scanInPieces(wallet, firstHeight, main.tip);
    server.reorg(fork.forkHeight, fork.compact);
    node.reorg(fork.forkHeight, fork.raw);
    await wallet.call('lwd.sync_compact');
    server.stop();
    await scanInPieces(wallet, fork.forkHeight + 1, fork.tip);
    await compare(t, wallet, fork);
  });
}
