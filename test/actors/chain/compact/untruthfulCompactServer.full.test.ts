// Compact servers that leave things out, on the main network's heights: whatever a server gave, it does not outlive that
// server in the store. That an honest tree state finds each omission is in hostileSources.full.test.ts.

import { inTurn } from '@wallet-companion/base/test/atLength';
import { CompactServer as DevnetServer, type Omission } from '@wallet-companion/devnet/servers';
import { POOLS } from '@wallet-companion/zcash/pools';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { companionWorld, onMain } from '../../../helpers/companionWorld.ts';

const FIRST = 3_500_000;
const compact = { source: 'compact' } as const;

/** A chain that pays 1, 2 and 4 million to the three pools in blocks `FIRST + 2` to `FIRST + 4` of 8. */
async function setUp(t: ExecutionContext) {
  const stores = createCompactStores();
  t.teardown(() => stores.close());
  const world = await companionWorld(t, {
    ...onMain(FIRST),
    config: { node_url: 'http://127.0.0.1:1', complete_transactions: false },
    stores,
  });
  const { devnet, wallet, address, compactUrl: honestUrl } = world;
  const liar = new DevnetServer(devnet);
  t.teardown(() => liar.close());
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2, sapling: 1 })] });
  devnet.mine();
  devnet.mine({ transactions: [devnet.pay([{ address, pool: 'sapling', zatoshi: 1_000_000n }])] });
  devnet.mine({
    transactions: [devnet.pay([{ address, pool: 'orchard', zatoshi: 2_000_000n }], { version: 5 })],
  });
  devnet.mine({ transactions: [devnet.pay([{ address, pool: 'ironwood', zatoshi: 4_000_000n }])] });
  devnet.mineEmpty(2);
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2, sapling: 1 })] });
  const use = (url: string) => wallet.call('config.compact_server_url', { url });
  return {
    devnet,
    wallet,
    owner: world.account,
    liar,
    liarUrl: await liar.listen(),
    honestUrl,
    sync: async (url: string) => {
      await use(url);
      const { caught_up } = await wallet.call('sync.run', compact);
      t.true(caught_up);
    },
    refusal: async (url: string) => {
      await use(url);
      t.is(await wallet.failure('sync.run', compact), 'COMPACT_SERVER_BAD_RESPONSE');
      t.is((await wallet.call('sync.status')).last_scan_height, FIRST - 1);
      return (await wallet.call('sync.status')).last_error?.detail ?? '';
    },
    rescan: async () => {
      await wallet.call('wallet.rescan', { from_height: FIRST });
    },
    balance: world.total,
  };
}

const TOTAL = 7_000_000;
const SIZES = ['true', 'counted'] as const;
const LEFT_OUT = ['transactions', 'outputs', ...POOLS] as const;
const omissions: readonly Omission[] = LEFT_OUT.flatMap((what) => SIZES.map((sizes) => ({ what, sizes })));

for (const omission of LEFT_OUT.flatMap((what, place) =>
  inTurn(SIZES, place).map((sizes) => ({ what, sizes })),
)) {
  const { what, sizes } = omission;

  test.serial(`${what} left out, with ${sizes} sizes: forgotten with the server that gave it`, async (t) => {
    const { liar, liarUrl, honestUrl, sync, rescan, wallet, balance } = await setUp(t);
    liar.misbehave({ kind: 'omission', omission, at: FIRST + 2 });
    liar.misbehave({ kind: 'not-offered', method: 'GetTreeState' });
    // Nothing tells that it lies: what the wallet then shows is wrong, but no longer than it asks this server.
    await wallet.call('config.compact_server_url', { url: liarUrl });
    await wallet.call('sync.run', compact).catch(() => undefined);
    await rescan();
    await sync(honestUrl);
    t.is(await balance(), TOTAL);
    await rescan();
    await sync(honestUrl);
    t.is(await balance(), TOTAL);
    liar.behave();
    await rescan();
    await sync(liarUrl);
    t.is(await balance(), TOTAL);
  });
}

for (const omission of omissions.filter(({ what }) => what === 'transactions')) {
  test.serial(
    `an omission in passing, with ${omission.sizes} sizes, costs a second call alone`,
    async (t) => {
      const { liar, liarUrl, sync, balance } = await setUp(t);
      // The first calls are about the tip.
      liar.misbehave({ kind: 'omission', omission, after: 2, times: 1 });
      await sync(liarUrl);
      t.is(await balance(), TOTAL);
    },
  );
}

for (const omission of omissions.filter(({ sizes }) => sizes === 'counted')) {
  test.serial(
    `a store begun with ${omission.what} left out is gone on with by an honest server`,
    async (t) => {
      const { liar, liarUrl, honestUrl, sync, wallet, balance } = await setUp(t);
      await wallet.call('config.compact_server_url', { url: liarUrl });
      liar.misbehave({ kind: 'omission', omission });
      await wallet.call('lwd.sync_compact', { end_height: FIRST + 4 });
      await wallet.call('config.compact_server_url', { url: honestUrl });
      await wallet.call('lwd.sync_compact', { start_height: FIRST + 5 });
      await sync(honestUrl);
      t.is(await balance(), TOTAL);
    },
  );
}

for (const at of [FIRST, FIRST + 7]) {
  test.serial(
    `an omission in the ${at === FIRST ? 'first' : 'last'} block of a range is found`,
    async (t) => {
      const { liar, liarUrl, refusal, sync, balance } = await setUp(t);
      for (const sizes of ['true', 'counted'] as const) {
        liar.misbehave({ kind: 'omission', omission: { what: 'transactions', sizes }, at });
        await refusal(liarUrl);
        liar.behave();
      }
      await sync(liarUrl);
      t.is(await balance(), TOTAL);
    },
  );
}

test.serial('Sapling spends left out show nowhere, but only as long as that server is asked', async (t) => {
  const { devnet, owner, liar, liarUrl, honestUrl, sync, rescan, balance } = await setUp(t);
  devnet.mine({ transactions: [devnet.spend(owner, { from: 'sapling', payments: [] })] });
  const fee = TOTAL - Number(owner.balance());
  t.true(fee > 0);
  liar.misbehave({ kind: 'omission', omission: { what: 'sapling-spends', sizes: 'true' } });
  await sync(liarUrl);
  t.is(await balance(), TOTAL - fee + 1_000_000, 'the spent note is still there');
  await rescan();
  await sync(honestUrl);
  t.is(await balance(), TOTAL - fee);
});
