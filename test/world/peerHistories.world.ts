// Random histories on the devnet, read by the companion and by a wallet that others built (zcash_client_sqlite): the same
// notes, memos, spends, sent notes, fees and balances, after every part. WALLET_COMPANION_PEER_HISTORIES asks for another
// number of them; WALLET_COMPANION_TRUTH_SEED draws those of an earlier run again.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { encodeUnifiedViewingKey } from '@wallet-companion/zcash/addresses';
import { deriveViewingKeys, mnemonicToSeed } from '@wallet-companion/zcash/keys';
import { readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import test from 'ava';
import { temporaryFolder } from '../helpers/temporaryFolder.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../helpers/walletHarness.ts';
import { hold } from '../truth/support/hold.ts';
import { ACCOUNTS, type History, HistoryChain, histories } from './history.ts';
import { type Opening, PEER_BIRTHDAY, PEER_PROGRAM, PeerWallet } from './peerWallet.ts';
import { companionView, difference, peerView } from './sameWallet.ts';

const COUNT = Number(process.env['WALLET_COMPANION_PEER_HISTORIES'] ?? 500);

if (PEER_PROGRAM === undefined) test.skip('the other wallet is not installed', () => {});
else
  test.serial('random histories: two wallets see the same', async (t) => {
    t.timeout(4 * 3_600_000);
    const { mnemonic } = readFixtureJson<{ mnemonic: string }>('known-seed', 'regtest', 'keys.json');
    const seed = mnemonicToSeed(mnemonic, '');
    const peer = new PeerWallet(t);
    const folder = temporaryFolder(t);
    let read = 0;
    let looks = 0;

    const happen = async (history: History): Promise<void> => {
      const { heights, source, watchOnly, events } = history;
      const chain = new HistoryChain(history, seed);
      const { devnet } = chain;
      const [node_url, server] = [await devnet.node.listen(), await devnet.compact.listen()];
      const files = path.join(folder, String(read++));
      const wallet = await startWallet(t, {
        folder: files,
        config: {
          network: 'regtest',
          node_url,
          compact_server_url: server,
          activation_heights: { nu6_3: undefined, ...heights },
        },
      });
      try {
        const viewingKeys = Array.from({ length: ACCOUNTS }, (_, account) =>
          encodeUnifiedViewingKey(deriveViewingKeys(seed, devnet.params, account), devnet.params),
        );
        await restore(wallet, watchOnly.here ? { viewingKeys } : { mnemonic });
        await peer.open({
          heights,
          file: path.join(files, 'peer.db'),
          keys: watchOnly.there ? { viewingKeys } : { mnemonic },
          accounts: ACCOUNTS,
          birthday: PEER_BIRTHDAY,
          server,
        });
        const look = async (): Promise<void> => {
          looks += 1;
          await wallet.call('sync.run', { source });
          await peer.sync();
          const found = difference(
            await companionView(wallet.call, ACCOUNTS, devnet.params),
            await peerView(peer, devnet.params),
          );
          if (found !== undefined) throw new Error(found);
        };
        for (const event of events) {
          if (event.kind === 'look') await look();
          else chain.happen(event);
        }
        await look();
      } finally {
        await wallet.stop();
        await devnet.close();
        rmSync(files, { recursive: true, force: true });
      }
    };
    await hold(t, histories, COUNT, happen);
    t.log(`${read} histories, compared ${looks} times`);
  });

/** With the accounts of the keys. */
async function restore({ call }: WalletHarness, keys: Opening['keys']): Promise<void> {
  const common = { password: PASSWORD, birthday_height: 1 };
  if ('mnemonic' in keys) {
    await call('wallet.restore', { mnemonic: keys.mnemonic, ...common });
    for (let account = 1; account < ACCOUNTS; account++) await call('accounts.create', common);
    return;
  }
  const [first, ...others] = keys.viewingKeys;
  await call('wallet.import_viewing_key', { viewing_key: first, ...common });
  for (const [i, viewing_key] of others.entries())
    await call('accounts.import_viewing_key', { viewing_key, account_index: i + 1, ...common });
}
