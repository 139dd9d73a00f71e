// By what signers know the seed: kept with the accounts, and made up for in wallets of earlier versions.

import { bytesToHex } from '@wallet-companion/shielded/bytes';
import test, { type ExecutionContext } from 'ava';
import { FINGERPRINT, PHRASE } from '#shielded-test/spendingAccount';
import type { AccountBook } from '../../../../src/actors/wallet/ports/storage.ts';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { PASSWORD, seededRandom, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 } as const;
const password = new TextEncoder().encode(PASSWORD);

const fileIn = (folder: string) =>
  createWalletFile({ dataDir: folder, randomBytes: seededRandom('beside'), kdf: CHEAP });

const fingerprintIn = async (folder: string): Promise<string | undefined> =>
  (await fileIn(folder).open(password)).book.seedFingerprint;

async function open(t: ExecutionContext, folder: string): Promise<WalletHarness> {
  const wallet = await startWallet(t, { folder, kdf: CHEAP, config: { network: 'regtest' } });
  t.teardown(() => wallet.stop());
  return wallet;
}

/** As a version made it that kept none. */
async function earlierWallet(t: ExecutionContext): Promise<{ folder: string; wallet: WalletHarness }> {
  const folder = temporaryFolder(t);
  const before = await open(t, folder);
  await before.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  await before.stop();
  const file = fileIn(folder);
  const { masterKey, book } = await file.open(password);
  const { seedFingerprint: _, ...rest } = book;
  await file.replaceBook(masterKey, rest satisfies AccountBook);
  return { folder, wallet: await open(t, folder) };
}

test('a wallet is made with it', async (t) => {
  const folder = temporaryFolder(t);
  const wallet = await open(t, folder);
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  t.is(await fingerprintIn(folder), bytesToHex(FINGERPRINT));
});

test('a wallet of an earlier version opens without it, and has it after a backup', async (t) => {
  const { folder, wallet } = await earlierWallet(t);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  t.is(await fingerprintIn(folder), undefined);
  t.is((await wallet.call('wallet.backup', { password: PASSWORD })).mnemonic, PHRASE);
  t.is(await fingerprintIn(folder), bytesToHex(FINGERPRINT));
});

test('a backup of a locked one leaves the file as it is', async (t) => {
  const { folder, wallet } = await earlierWallet(t);
  t.is((await wallet.call('wallet.backup', { password: PASSWORD })).mnemonic, PHRASE);
  t.is(await fingerprintIn(folder), undefined);
});

test('so it has after another account', async (t) => {
  const { folder, wallet } = await earlierWallet(t);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD });
  t.is(await fingerprintIn(folder), bytesToHex(FINGERPRINT));
  const { accounts } = await wallet.call('accounts.list');
  t.is(accounts.length, 2);
});

test('a wallet of a viewing key has none', async (t) => {
  const { wallet } = await earlierWallet(t);
  await wallet.call('wallet.unlock', { password: PASSWORD });
  const { viewing_key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const folder = temporaryFolder(t);
  const watching = await open(t, folder);
  await watching.call('wallet.import_viewing_key', { viewing_key, password: PASSWORD, birthday_height: 1 });
  t.is(await fingerprintIn(folder), undefined);
});
