// A restored phrase may have more accounts than the first: a scan looks for them, and nothing is complete before it has.

import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { PHRASE, unifiedAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import type { AccountBook } from '../../../../src/actors/wallet/ports/walletFile.ts';
import { WALLET_FILE } from '../../../../src/storage/files/dataFiles.ts';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../../helpers/cheapKdf.ts';
import { inlinePool } from '../../../helpers/inlinePool.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { PASSWORD, seededRandom, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const RESTORE = { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 };
const activation_heights = { nu6_3: 2 };

/** Ten blocks: account 0 is paid in block 2, account 2 in 3, account 1 in 8. */
async function startBed(t: ExecutionContext, folder = temporaryFolder(t)) {
  const devnet = new Devnet({ seed: t.title, params: regtestParameters(activation_heights) });
  t.teardown(() => devnet.close());
  const pay = (account: number, zatoshi: bigint) =>
    devnet.payTo(unifiedAddress(account), { pool: 'ironwood', zatoshi });
  devnet.mineEmpty(1);
  pay(0, 1n);
  pay(2, 100n);
  devnet.mineEmpty(4);
  pay(1, 10n);
  devnet.mineEmpty(2);
  const config = { network: 'regtest', activation_heights, node_url: await devnet.node.listen() } as const;
  /** The accounts of each batch. */
  const scannedFor: number[][] = [];
  const pool = () => {
    const inline = inlinePool();
    return {
      ...inline,
      scan: ((batch, keys) => {
        scannedFor.push([...new Set(keys.incoming.map(({ account }) => account))]);
        return inline.scan(batch, keys);
      }) satisfies typeof inline.scan,
    };
  };
  const open = async () => {
    const wallet = await startWallet(t, { folder, config, pool });
    t.teardown(() => wallet.stop());
    return wallet;
  };
  return { devnet, pay, open, folder, scannedFor };
}

async function reach(wallet: WalletHarness) {
  const { total_zatoshi, complete, accounts_searched, missing_ranges } = await wallet.call('balance.get');
  const { accounts } = await wallet.call('accounts.list');
  return [total_zatoshi, accounts.length, accounts_searched, complete, missing_ranges];
}

test('one sync finds every account of a restored phrase; then their keys alone are scanned with', async (t) => {
  const { open, pay, devnet, scannedFor } = await startBed(t);
  const wallet = await open();
  t.is((await wallet.call('wallet.restore', RESTORE)).accounts_searched, 0);
  t.like(await wallet.call('sync.run'), { caught_up: true, complete: true, accounts_searched: 4 });
  t.deepEqual(await reach(wallet), [111, 3, 4, true, []]);
  t.deepEqual(scannedFor.at(-1), [0, 1, 2, 3]);
  t.true((await wallet.call('coverage.get')).accounts.every(({ complete }) => complete));
  // What other programs add later is not looked for; a rescan looks at the same blocks for it again.
  pay(3, 1_000n);
  await wallet.call('sync.run');
  t.deepEqual(scannedFor.at(-1), [0, 1, 2]);
  t.deepEqual(await reach(wallet), [111, 3, 4, true, []]);
  await wallet.call('wallet.rescan');
  t.deepEqual(await reach(wallet), [0, 3, 0, false, []]);
  await wallet.call('sync.run', { end_height: 10 });
  t.deepEqual(scannedFor.at(-1), [0, 1, 2, 3]);
  t.deepEqual(await reach(wallet), [111, 3, 4, true, []]);
  devnet.rewindTo(1);
  devnet.mineEmpty(12);
  t.not((await wallet.call('sync.run')).reorg, null);
  t.deepEqual(await reach(wallet), [0, 3, 4, true, []]);
  t.deepEqual(wallet.faults, []);
});

test('an account found late leaves the blocks below missing for the one after it, until a sync without a range', async (t) => {
  const { open } = await startBed(t);
  const wallet = await open();
  await wallet.call('wallet.restore', RESTORE);
  await wallet.call('sync.run', { end_height: 7 });
  t.deepEqual(await reach(wallet), [1, 1, 2, true, []]);
  const missing_ranges = [{ start_height: 1, end_height: 7 }];
  t.like(await wallet.call('sync.run', { start_height: 8, end_height: 8 }), {
    complete: false,
    missing_ranges,
    accounts_searched: 2,
  });
  t.deepEqual(await reach(wallet), [11, 2, 2, false, missing_ranges]);
  t.true((await wallet.call('balance.get', { account: 1 })).complete);
  t.is((await wallet.call('coverage.get')).finished_at, null);
  t.like(await wallet.call('sync.run'), { start_height: 1, end_height: 10, complete: true });
  t.deepEqual(await reach(wallet), [111, 3, 4, true, []]);
});

test('the search goes on after a crash, a new password, and a file of an earlier program', async (t) => {
  const { open, folder } = await startBed(t);
  const first = await open();
  await first.call('wallet.restore', RESTORE);
  await first.call('sync.run', { end_height: 7 });
  const file = path.join(folder, WALLET_FILE);
  copyFileSync(file, `${file}-before`);
  await first.call('sync.run', { start_height: 8, end_height: 8 });
  await first.stop();
  copyFileSync(`${file}-before`, file);

  const second = await open();
  await second.call('wallet.unlock', { password: PASSWORD });
  t.deepEqual((await reach(second)).slice(0, 4), [11, 2, 2, false]);
  await second.call('wallet.change_password', { password: PASSWORD, new_password: 'another one' });
  await second.call('sync.run');
  t.deepEqual(await reach(second), [111, 3, 4, true, []]);
  await second.stop();

  const walletFile = createWalletFile({ dataDir: folder, randomBytes: seededRandom('old'), kdf: CHEAP_KDF });
  const { book, masterKey } = await walletFile.open(new TextEncoder().encode('another one'));
  const { search: _, ...older }: AccountBook = book;
  await walletFile.replaceBook(masterKey, { ...older, accounts: older.accounts.slice(0, 2) });
  const third = await open();
  await third.call('wallet.unlock', { password: 'another one' });
  await third.call('sync.run');
  t.deepEqual(await reach(third), [111, 3, 4, true, []]);
  t.deepEqual(third.faults, []);
});

test('no account is looked for where the phrase was made here, or there is none', async (t) => {
  const made = await startBed(t);
  const wallet = await made.open();
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  t.like(await wallet.call('sync.run'), { complete: true, accounts_searched: null });
  t.deepEqual(made.scannedFor.at(-1), [0]);
  const { viewing_key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  // An account added later lacks all blocks, and a sync without a range scans them; what was skipped it leaves.
  await wallet.call('accounts.create', { password: PASSWORD });
  t.deepEqual((await wallet.call('balance.get')).missing_ranges, [{ start_height: 1, end_height: 10 }]);
  t.like(await wallet.call('sync.run'), { start_height: 1, blocks_scanned: 10, complete: true });

  const watching = await (await startBed(t)).open();
  await watching.call('wallet.import_viewing_key', { viewing_key, password: PASSWORD, birthday_height: 1 });
  t.like(await watching.call('sync.run', { start_height: 5 }), { complete: false, accounts_searched: null });
  t.like(await watching.call('sync.run'), { blocks_scanned: 0, complete: false });
});

test('a new address is above every index that was paid before a restore', async (t) => {
  const { open, pay, devnet } = await startBed(t);
  const wallet = await open();
  await wallet.call('wallet.restore', RESTORE);
  const early = await wallet.call('address.next');
  t.regex(early.warning ?? '', /may have been paid before/);
  const { unified_address } = await wallet
    .call('address.get', { diversifier_index: '40' })
    .catch(async () => wallet.call('address.get', { diversifier_index: '41' }));
  devnet.payTo(unified_address, { pool: 'ironwood', zatoshi: 5n });
  pay(0, 1n);
  await wallet.call('sync.run');
  const paid = (await wallet.call('notes.list', { account: 0 })).notes.map((note) =>
    BigInt(note.diversifier_index ?? 0),
  );
  const { diversifier_index, warning } = await wallet.call('address.next');
  t.true(BigInt(diversifier_index) > 40n && paid.every((index) => index < BigInt(diversifier_index)));
  t.is(warning, undefined);
  t.true(BigInt((await wallet.call('address.next')).diversifier_index) > BigInt(diversifier_index));
});
