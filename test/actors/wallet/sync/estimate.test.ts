// What a scan will take, before it begins: by the birthday, the tip, and the table of the main chain.

import type { ChainService } from '@wallet-companion/chain/ports';
import { Devnet } from '@wallet-companion/devnet';
import { networkParameters } from '@wallet-companion/zcash/network';
import test from 'ava';
import { estimateScan } from '../../../../src/actors/wallet/sync/estimate.ts';
import type { WalletContext } from '../../../../src/actors/wallet/wallet/walletContext.ts';
import { CompanionError } from '../../../../src/protocol/errors.ts';
import { failureOf } from '../../../helpers/failureOf.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

/** Of the main network, at a tip, without a wallet. */
const onMain = (
  tip: number | CompanionError,
  source: 'node' | 'compact' | 'peers',
  scanThreads = 1,
): WalletContext =>
  ({
    params: networkParameters('main'),
    configuration: {},
    environment: {
      chain: {
        tip: async () => {
          if (typeof tip !== 'number') throw tip;
          return { height: tip };
        },
        peersFrom: async ({ birthday = NEWEST }: Parameters<ChainService['peersFrom']>[0]) =>
          birthday < FIRST ? null : Math.min(birthday, NEWEST),
      },
      clock: { now: () => Date.parse('2026-11-29'), after: () => () => undefined },
      configFile: { get: () => ({ block_source: source }) },
      walletFile: { exists: () => false },
      scanThreads,
    },
  }) as unknown as WalletContext;
/** Trees come with the program from here on, and up to here. */
const [FIRST, NEWEST] = [2_940_001, 3_444_781];

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

test('from peers all blocks since the newest trees count, in full: about 63 MB a day, and an old wallet is refused', async (t) => {
  // Protocol/peers.md 11 has the size of a day.
  const tip = 3_600_000;
  const fresh = await estimateScan(onMain(tip, 'peers'), {});
  t.like(fresh, { source: 'peers', chain_tip: tip, blocks: 101, read_from_height: NEWEST });
  const yesterday = await estimateScan(onMain(tip - 3_456, 'peers'), {});
  // Below a new wallet blocks come twice, and their leaves are joined.
  const aDay = (fresh.megabytes! - yesterday.megabytes!) / 2;
  t.true(fresh.seconds > 1_200 && fresh.seconds < 3_000, `${fresh.seconds}`);
  t.true(aDay > 60 && aDay < 66, `${aDay}`);
  t.true(fresh.megabytes! > 9_000 && fresh.megabytes! < 14_000, `${fresh.megabytes}`);
  const restored = await estimateScan(onMain(tip, 'peers'), { birthday_height: FIRST });
  t.like(restored, { blocks: tip - FIRST + 1, read_from_height: FIRST });
  // 11 GB since mid-2023 up to Ironwood, 4 GB in the 71 days after it.
  t.true(restored.megabytes! > 9_000 && restored.megabytes! < 16_000, `${restored.megabytes}`);
  const old = await failureOf(estimateScan(onMain(tip, 'peers'), { birthday: '2022' }));
  t.is(old.code, 'PEERS_BAD_RESPONSE');
});

test('the clock shows the tip while peers read headers, and where they are not chosen', async (t) => {
  const reading = new CompanionError('PEERS_UNREACHABLE', 'Headers are still being read.');
  const first = await estimateScan(onMain(reading, 'peers'), {});
  // NU7 is from 3,543,405 on, and three times as fast.
  t.true(first.chain_tip > 3_590_000 && first.chain_tip < 3_640_000, `${first.chain_tip}`);
  t.is(first.blocks, 101);
  const fault = new CompanionError('INTERNAL', 'This may not be asked.');
  t.is((await estimateScan(onMain(fault, 'compact'), { source: 'peers' })).chain_tip, first.chain_tip);
  t.is((await failureOf(estimateScan(onMain(fault, 'peers'), {}))).code, 'INTERNAL');
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
