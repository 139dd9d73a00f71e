// A change of password as its caller sees it: open or locked, beside scans, and when the disk fails.

import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { NoteDatabases, NoteStoreState } from '../../../../src/actors/wallet/ports/noteDatabase.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { LEDGER_FILE, WALLET_FILE } from '../../../../src/storage/files/dataFiles.ts';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { emptyPool } from '../../../helpers/emptyPool.ts';
import { readKnownSeed, startKnownSeedNode } from '../../../helpers/knownSeed.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';
import { note, noteDatabases, transaction } from '../../../storage/notes/support/noteDatabase.ts';

const seed = readKnownSeed('main');
const first = seed.firstHeight;
const last = first + seed.mainBlocks.length - 1;
const NEW_PASSWORD = 'another password';
const CHANGE = { password: PASSWORD, new_password: NEW_PASSWORD };

/** With 20 notes and ten blocks scanned, open. */
async function start(
  t: ExecutionContext,
  wrap: (stores: NoteDatabases) => NoteDatabases = (stores) => stores,
): Promise<WalletHarness> {
  const node = await startKnownSeedNode(seed);
  t.teardown(() => node.stop());
  const config = { network: 'main', node_url: node.url } as const;
  const wallet = await startWallet(t, { config, pool: emptyPool(), noteDatabases: wrap });
  await wallet.call('wallet.restore', {
    mnemonic: seed.mnemonic,
    password: PASSWORD,
    birthday_height: first,
  });
  await wallet.call('sync.run', { end_height: first + 9 });
  await wallet.call('wallet.lock');
  await addNotes(wallet.folder);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  return wallet;
}

async function addNotes(folder: string): Promise<void> {
  const { masterKey } = await createWalletFile({
    dataDir: folder,
    randomBytes: (length) => new Uint8Array(length),
  }).open(new TextEncoder().encode(PASSWORD));
  const store = noteDatabases(folder).open(masterKey);
  let state: NoteStoreState | undefined;
  for (const slice of store.load()) state ??= slice.state;
  const numbers = Array.from({ length: 20 }, (_, i) => i);
  store.commit({
    state: state!,
    putNotes: numbers.map((i) => note(i, { account: 0, height: first + (i % 10), scope: 'external' })),
    putTransactions: numbers.map((i) => ({ ...transaction(i), complete: true, height: first + (i % 10) })),
  });
  store.close();
}

const contents = async (wallet: WalletHarness) => ({
  notes: await wallet.call('notes.list', { limit: 100 }),
  balance: await wallet.call('balance.get'),
  transactions: await wallet.call('transactions.list', { limit: 100 }),
});

test('an open session goes on after the change: memos, scans, addresses, and what a restart finds', async (t) => {
  const wallet = await start(t);
  const before = await contents(wallet);
  t.is(before.notes.notes.length, 20);
  t.deepEqual(await wallet.call('wallet.change_password', CHANGE), { changed: true });
  t.deepEqual(await contents(wallet), before);
  t.deepEqual(
    readdirSync(wallet.folder).filter((name) => name.startsWith('ledger-')),
    [],
  );
  t.like(await wallet.call('sync.run'), { start_height: first + 10, blocks_scanned: 40, caught_up: true });
  const { diversifier_index } = await wallet.call('address.next');
  const after = await contents(wallet);
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'WRONG_PASSWORD');
  await wallet.call('wallet.lock');
  await wallet.call('wallet.unlock', { password: NEW_PASSWORD });
  t.deepEqual(await contents(wallet), after);
  t.like(await wallet.call('sync.run'), { blocks_scanned: 0, last_scan_height: last });
  t.not((await wallet.call('address.next')).diversifier_index, diversifier_index);
  t.deepEqual(wallet.faults, []);
});

test('while locked the password changes without opening a session', async (t) => {
  const wallet = await start(t);
  const before = await contents(wallet);
  await wallet.call('wallet.lock');
  await wallet.call('wallet.change_password', CHANGE);
  t.false((await wallet.call('wallet.status')).unlocked);
  await wallet.call('wallet.unlock', { password: NEW_PASSWORD });
  t.deepEqual(await contents(wallet), before);
  t.like(await wallet.call('sync.run'), { start_height: first + 10, caught_up: true });
});

test('a note store from before the change is not taken by the wallet of after it', async (t) => {
  const wallet = await start(t);
  const file = path.join(wallet.folder, LEDGER_FILE);
  await wallet.call('wallet.lock');
  copyFileSync(file, `${file}~`);
  await wallet.call('wallet.change_password', CHANGE);
  copyFileSync(`${file}~`, file);
  t.is(await wallet.failure('wallet.unlock', { password: NEW_PASSWORD }), 'WALLET_CORRUPT');
});

test('while a sync runs the password stays', async (t) => {
  const wallet = await start(t);
  const scanning = wallet.call('sync.run');
  t.is(await wallet.failure('wallet.change_password', CHANGE), 'SYNC_IN_PROGRESS');
  await scanning;
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
  await wallet.call('wallet.change_password', CHANGE);
});

/** Stores whose resealing fails after the first slice, or which do not open once more. */
const failing =
  (where: { reseal?: boolean; open?: boolean }) =>
  (stores: NoteDatabases): NoteDatabases => ({
    open: (masterKey) => {
      if (where.open === true) throw new CompanionError('STORAGE_FAILED', 'made up');
      const store = stores.open(masterKey);
      const reseal = store.reseal.bind(store);
      store.reseal = function* (next) {
        for (const _ of reseal(next)) {
          if (where.reseal === true) throw new CompanionError('STORAGE_FAILED', 'full');
          yield;
        }
      };
      return store;
    },
    dropResealed: () => stores.dropResealed(),
    retire: () => stores.retire(),
  });

test('where the store cannot be written anew, everything is as before and the session goes on', async (t) => {
  const where = { reseal: false };
  const wallet = await start(t, failing(where));
  const before = await contents(wallet);
  where.reseal = true;
  t.is(await wallet.failure('wallet.change_password', CHANGE), 'STORAGE_FAILED');
  where.reseal = false;
  t.deepEqual(
    readdirSync(wallet.folder).filter((name) => name.startsWith('ledger-')),
    [],
  );
  t.deepEqual(await contents(wallet), before);
  t.like(await wallet.call('sync.run'), { start_height: first + 10, caught_up: true });
  t.is(await wallet.failure('wallet.unlock', { password: NEW_PASSWORD }), 'WRONG_PASSWORD');
  await wallet.call('wallet.lock');
  t.true((await wallet.call('wallet.unlock', { password: PASSWORD })).unlocked);
});

test('where the new store cannot be opened, the wallet locks, and unlocking with the new password goes on', async (t) => {
  const where = { open: false };
  const wallet = await start(t, failing(where));
  const before = await contents(wallet);
  where.open = true;
  t.is(await wallet.failure('wallet.change_password', CHANGE), 'STORAGE_FAILED');
  where.open = false;
  t.false((await wallet.call('wallet.status')).unlocked);
  t.is(await wallet.failure('wallet.unlock', { password: PASSWORD }), 'WRONG_PASSWORD');
  await wallet.call('wallet.unlock', { password: NEW_PASSWORD });
  t.deepEqual(await contents(wallet), before);
});

test('where another wallet file lies there, nothing is sealed with its key', async (t) => {
  const wallet = await start(t);
  const other = await startWallet(t, { config: { network: 'main', node_url: 'http://127.0.0.1:9' } });
  await other.call('wallet.create', { password: PASSWORD, birthday_height: first });
  copyFileSync(path.join(other.folder, WALLET_FILE), path.join(wallet.folder, WALLET_FILE));
  t.is(await wallet.failure('wallet.change_password', CHANGE), 'WALLET_CORRUPT');
  t.false((await wallet.call('wallet.status')).unlocked);
  t.deepEqual(
    readdirSync(wallet.folder).filter((name) => name.startsWith('ledger')),
    [LEDGER_FILE],
  );
});
