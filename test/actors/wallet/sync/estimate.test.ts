// What a scan will take, before it begins: by the birthday, the tip, and the table of the main chain.

import { Devnet } from '@wallet-companion/devnet';
import { networkParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { estimateScan } from '../../../../src/actors/wallet/sync/estimate.ts';
import type { WalletContext } from '../../../../src/actors/wallet/wallet/walletContext.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

/** Of the main network, at a tip, without a wallet. */
const onMain = (tip: number, source: 'node' | 'compact', scanThreads: number): WalletContext =>
  ({
    params: networkParameters('main'),
    configuration: {},
    environment: {
      chain: { tip: async () => ({ height: tip }) },
      clock: { now: () => Date.parse('2026-11-29') },
      configFile: { get: () => ({ block_source: source }) },
      walletFile: { exists: () => false },
      scanThreads,
    },
  }) as unknown as WalletContext;

test('the whole history is known in its order of size: 124 million outputs, some 18 GB, hours of one core', async (t) => {
  const whole = await estimateScan(onMain(3_444_780, 'compact', 1), { birthday_height: 1 });
  t.is(whole.start_height, 419_200);
  t.is(whole.blocks, 3_025_581);
  t.true(whole.outputs > 120e6 && whole.outputs < 130e6, `${whole.outputs}`);
  t.true(whole.megabytes! > 14_000 && whole.megabytes! < 20_000, `${whole.megabytes}`);
  // 4,594 s of processor time were measured.
  t.true(whole.seconds > 4_600 && whole.seconds < 14_000, `${whole.seconds}`);
  const four = await estimateScan(onMain(3_444_780, 'node', 4), { birthday_height: 1 });
  t.is(four.megabytes, null);
  t.true(Math.abs(four.seconds * 4 - whole.seconds) < 1);
  const recent = await estimateScan(onMain(3_444_780, 'compact', 4), {});
  t.is(recent.blocks, 101);
  t.true(recent.seconds < 1 && recent.megabytes! < 2);
});

test('a wallet counts what it has not scanned; a birthday that cannot be is refused', async (t) => {
  const devnet = new Devnet({ seed: 'estimate' });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(30);
  const compact_server_url = await devnet.compact.listen();
  const config = { network: 'regtest', compact_server_url, block_source: 'compact' } as const;
  const wallet = await startWallet(t, { config });
  t.teardown(() => wallet.stop());
  t.like(await wallet.call('sync.estimate', { birthday_height: 11 }), { blocks: 20, source: 'compact' });
  await wallet.call('wallet.create', { password: PASSWORD, birthday_height: 21 });
  t.like(await wallet.call('sync.estimate'), { start_height: 21, chain_tip: 30, blocks: 10 });
  await wallet.call('sync.run');
  t.like(await wallet.call('sync.estimate'), { blocks: 0, outputs: 0, seconds: 0, megabytes: 0 });
  t.is(await wallet.failure('sync.estimate', { birthday_height: 1, birthday: '2021' }), 'INVALID_REQUEST');
});
