// The fingerprint by which signers know the seed, kept with the accounts.

import { bytesToHex } from '@wallet-companion/base/bytes';
import { FINGERPRINT, PHRASE } from '@wallet-companion/pczt/test/spendingAccount';
import test, { type ExecutionContext } from 'ava';
import { createWalletFile } from '../../../../src/storage/wallet/walletFile.ts';
import { CHEAP_KDF } from '../../../helpers/cheapKdf.ts';
import { temporaryFolder } from '../../../helpers/temporaryFolder.ts';
import { PASSWORD, seededRandom, startWallet, type WalletHarness } from '../../../helpers/walletHarness.ts';

const password = new TextEncoder().encode(PASSWORD);

const fileIn = (folder: string) =>
  createWalletFile({ dataDir: folder, randomBytes: seededRandom('beside'), kdf: CHEAP_KDF });

const fingerprintIn = async (folder: string): Promise<string | undefined> =>
  (await fileIn(folder).open(password)).book.seedFingerprint;

async function open(t: ExecutionContext, folder: string): Promise<WalletHarness> {
  const wallet = await startWallet(t, { folder, config: { network: 'regtest' } });
  t.teardown(() => wallet.stop());
  return wallet;
}

test('a wallet is made with it', async (t) => {
  const folder = temporaryFolder(t);
  const wallet = await open(t, folder);
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  t.is(await fingerprintIn(folder), bytesToHex(FINGERPRINT));
});

test('another account keeps it, and a wallet of a viewing key has none', async (t) => {
  const folder = temporaryFolder(t);
  const wallet = await open(t, folder);
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: 1 });
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await wallet.call('accounts.create', { password: PASSWORD });
  t.is(await fingerprintIn(folder), bytesToHex(FINGERPRINT));
  const { viewing_key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const beside = temporaryFolder(t);
  const watching = await open(t, beside);
  await watching.call('wallet.import_viewing_key', { viewing_key, password: PASSWORD, birthday_height: 1 });
  t.is(await fingerprintIn(beside), undefined);
});
