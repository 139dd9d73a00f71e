// The addresses of a phrase by the companion and by a wallet that others built (zcash_client_sqlite): the same ones at the
// first thousand diversifier indices, and the same indices without an address.
import path from 'node:path';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import test from 'ava';
import { CompanionError } from '../../src/protocol/errors.ts';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../helpers/walletHarness.ts';
import { PEER_BIRTHDAY, PEER_PROGRAM, PeerWallet } from './peerWallet.ts';

const INDICES = 1_000;
const ACCOUNTS = 2;

if (PEER_PROGRAM === undefined) test.skip('the other wallet is not installed', () => {});
else
  test.serial('the first thousand addresses of two accounts', async (t) => {
    const { mnemonic } = readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json');
    const devnet = new Devnet({ params: regtestParameters() });
    devnet.mineEmpty(PEER_BIRTHDAY - 1);
    const server = await devnet.compact.listen();
    t.teardown(() => devnet.close());
    const wallet = await startWallet(t, { config: { network: 'regtest' } });
    t.teardown(() => wallet.stop());
    await wallet.call('wallet.restore', { mnemonic, password: PASSWORD, birthday_height: 1 });
    await wallet.call('accounts.create', { password: PASSWORD, birthday_height: 1 });

    const peer = new PeerWallet(t);
    const file = path.join(temporaryFolder(t), 'peer.db');
    const heights = { nu6_3: 1 };
    const opened = await peer.open({
      heights,
      file,
      keys: { mnemonic },
      accounts: ACCOUNTS,
      birthday: PEER_BIRTHDAY,
      server,
    });
    const addresses = await peer.addresses(INDICES);
    for (let account = 0; account < ACCOUNTS; account++) {
      const { viewing_key } = await wallet.call('wallet.viewing_key', { password: PASSWORD, account });
      t.is(viewing_key, opened.viewingKeys[account]!);
      const ours = await ownAddresses(wallet, account);
      t.deepEqual(ours, addresses[account]);
      t.log(`account ${account}: ${ours.filter(({ unified }) => unified !== null).length} addresses`);
    }
  });

async function ownAddresses({ call }: WalletHarness, account: number) {
  const found: { unified: string | null; sapling: string | null }[] = [];
  for (let index = 0; index < INDICES; index++) {
    try {
      const at = await call('address.get', { account, diversifier_index: String(index) });
      found.push({ unified: at.unified_address, sapling: at.sapling_address });
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'INVALID_REQUEST') throw error;
      found.push({ unified: null, sapling: null });
    }
  }
  return found;
}
