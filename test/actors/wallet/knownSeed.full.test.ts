// The specification's own story on chains with known answers: restore, scan from a node, compare everything.

import { hexToBytes } from '@wallet-companion/base/bytes';
import { encodeReceiver } from '@wallet-companion/zcash/addresses';
import { networkParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import {
  expectedBalance,
  expectedNotes,
  readKnownSeed,
  readTransactions,
  shownBalance,
  shownNotes,
  startKnownSeedNode,
} from '../../helpers/knownSeed.ts';
import { PASSWORD, startWallet } from '../../helpers/walletHarness.ts';

for (const name of ['main', 'regtest'] as const) {
  const seed = readKnownSeed(name);
  const last = seed.firstHeight + 49;
  const config = {
    network: seed.network,
    ...(name === 'regtest' ? { activation_heights: { nu6_3: seed.firstHeight + 26 } } : {}),
  };
  const restore = { mnemonic: seed.mnemonic, password: PASSWORD, birthday_height: seed.firstHeight };

  test(`${name}: a restored wallet has the fixture's address and viewing keys`, async (t) => {
    const wallet = await startWallet(t, { config });
    const restored = await wallet.call('wallet.restore', restore);
    t.is(restored.unified_address, seed.accounts[0]!.shieldedAddress);
    t.is(
      (await wallet.call('wallet.viewing_key', { password: PASSWORD })).viewing_key,
      seed.accounts[0]!.ufvk,
    );
    t.is((await wallet.call('address.get')).sapling_address, seed.accounts[0]!.saplingAddress);
    await wallet.call('accounts.create', { password: PASSWORD });
    const second = await wallet.call('wallet.viewing_key', { password: PASSWORD, account: 1 });
    t.is(second.viewing_key, seed.accounts[1]!.ufvk);
  });

  test(`${name}: notes, spends, memos and the balance after every height, then after the reorg`, async (t) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await startWallet(t, { config: { ...config, node_url: node.url } });
    await wallet.call('wallet.restore', restore);
    await wallet.call('accounts.create', { password: PASSWORD });
    for (let height = seed.firstHeight; height <= last; height++) {
      const summary = await wallet.call('sync.run', { end_height: height });
      t.is(summary.last_scan_height, height);
      for (const account of [0, 1]) {
        const balance = await wallet.call('balance.get', { account });
        t.deepEqual(
          shownBalance(balance),
          expectedBalance(seed.main, height, [account]),
          `account ${account} at ${height}`,
        );
        t.true(balance.complete);
        t.is(balance.as_of_hash, seed.main.blocks[height - seed.firstHeight]!.hash);
      }
    }
    const { notes } = await wallet.call('notes.list', { limit: 1000 });
    t.deepEqual(shownNotes(notes), expectedNotes(seed.main, [0, 1]));

    node.reorg(seed.reorg.lastCommonHeight ?? 0, seed.reorgBlocks);
    const summary = await wallet.call('sync.run');
    t.deepEqual(summary.reorg, {
      fork_height: seed.reorg.lastCommonHeight!,
      depth: last - seed.reorg.lastCommonHeight!,
    });
    t.true(summary.caught_up);
    t.is(summary.last_scan_height, seed.reorg.tip.height);
    const after = await wallet.call('notes.list', { limit: 1000 });
    t.deepEqual(shownNotes(after.notes), expectedNotes(seed.reorg, [0, 1]));
    t.deepEqual(
      shownBalance(await wallet.call('balance.get')),
      expectedBalance(seed.reorg, seed.reorg.tip.height, [0, 1]),
    );
  });

  test(`${name}: what was sent is recovered, one entry per transaction`, async (t) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await startWallet(t, { config: { ...config, node_url: node.url } });
    await wallet.call('wallet.restore', restore);
    await wallet.call('accounts.create', { password: PASSWORD });
    await wallet.call('sync.run');
    t.deepEqual(wallet.faults, []);
    const { transactions } = await wallet.call('transactions.list', { limit: 1000 });
    t.is(new Set(transactions.map(({ txid }) => txid)).size, transactions.length);
    t.true(transactions.every(({ complete }) => complete));
    const params = networkParameters(seed.network);
    const shown = transactions.flatMap(({ txid, sent_outputs }) =>
      sent_outputs
        .filter(({ scope }) => scope === 'external')
        .map(({ pool, output_index, account, value_zatoshi, recipient }) => ({
          txid,
          pool,
          output_index,
          account,
          value_zatoshi,
          recipient,
        })),
    );
    const expected = readTransactions(name)
      .filter(({ branch, height }) => branch === 'main' && height !== null)
      .flatMap(({ txid, sentOutputs }) =>
        sentOutputs
          .filter(({ recoverableWithOvk }) => recoverableWithOvk === 'external')
          .map(({ pool, outputIndex, fromAccount, value, rawAddress }) => ({
            txid,
            pool,
            output_index: outputIndex,
            account: fromAccount,
            value_zatoshi: Number(value),
            recipient: encodeReceiver(pool as 'sapling', hexToBytes(rawAddress), params),
          })),
      );
    const order = (a: { txid: string; output_index: number }, b: { txid: string; output_index: number }) =>
      a.txid.localeCompare(b.txid) || a.output_index - b.output_index;
    t.deepEqual(shown.sort(order), expected.sort(order));
  });

  test(`${name}: account 1 is found by the scan`, async (t) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await startWallet(t, { config: { ...config, node_url: node.url } });
    await wallet.call('wallet.restore', restore);
    t.like(await wallet.call('sync.run'), { caught_up: true, complete: true, accounts_searched: 3 });
    t.deepEqual(
      shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes),
      expectedNotes(seed.main, [0, 1]),
    );
  });

  test(`${name}: ranges in any order give the same notes`, async (t) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const wallet = await startWallet(t, { config: { ...config, node_url: node.url } });
    await wallet.call('wallet.restore', restore);
    await wallet.call('accounts.create', { password: PASSWORD });
    const at = (offset: number) => seed.firstHeight + offset;
    for (const [start, end] of [
      [40, 49],
      [10, 19],
      [12, 30],
      [0, 9],
    ] as const) {
      await wallet.call('sync.run', { start_height: at(start), end_height: at(end) });
    }
    const balance = await wallet.call('balance.get');
    t.false(balance.complete);
    t.deepEqual(balance.missing_ranges, [{ start_height: at(31), end_height: at(39) }]);
    t.is(balance.as_of_height, last);
    await wallet.call('sync.run', { start_height: at(31), end_height: at(39) });
    t.true((await wallet.call('balance.get')).complete);
    t.deepEqual(
      shownNotes((await wallet.call('notes.list', { limit: 1000 })).notes),
      expectedNotes(seed.main, [0, 1]),
    );
  });

  test(`${name}: a restart keeps wallet, notes, config and scan height`, async (t) => {
    const node = await startKnownSeedNode(seed);
    t.teardown(() => node.stop());
    const before = await startWallet(t, { config: { ...config, node_url: node.url } });
    await before.call('wallet.restore', restore);
    await before.call('sync.run', { end_height: seed.firstHeight + 29 });
    const shown = await before.call('balance.get');
    await before.stop();

    const after = await startWallet(t, { config: { ...config, node_url: node.url }, folder: before.folder });
    t.is((await after.call('config.get')).last_scan_height, seed.firstHeight + 29);
    t.is(await after.failure('balance.get'), 'WALLET_LOCKED');
    const summary = await after.call('sync.run', { password: PASSWORD, end_height: seed.firstHeight + 29 });
    t.is(summary.blocks_scanned, 0);
    t.deepEqual(await after.call('balance.get'), shown);
    await after.call('sync.run');
    t.deepEqual(
      shownNotes((await after.call('notes.list', { limit: 1000 })).notes),
      expectedNotes(seed.main, [0, 1]),
    );
  });
}
