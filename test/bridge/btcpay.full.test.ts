// The bridge over a real wallet and a chain, where what it draws, when it tries again and what it reports can be handed in.

import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import test from 'ava';
import { transfersOf } from '../../src/bridge/btcpay/transfers.ts';
import { unwrap } from '../../src/protocol/result.ts';
import { until } from '../helpers/until.ts';
import { PASSWORD } from '../helpers/walletHarness.ts';
import { Refused } from './plugin.ts';
import { blockOf } from './pluginBed.ts';
import { startShopBed } from './shopBed.ts';

test('numbers and addresses are never given twice: not after a restart, and not by two bridges at once', async (t) => {
  const bed = await startShopBed(t);
  await bed.follow();
  await bed.wallet.call('invoices.create', {
    reference: 'not of BTCPay',
    metadata: { btcpay: { index: 7 } },
  });
  const first = await bed.begin();
  const order = await bed.shopAt(first).order(0);
  t.is(order.minor, 0);
  await bed.mine([bed.payment([order.address, 7_000]).transaction]);
  await first.close();
  const shops = [bed.shopAt(await bed.begin()), bed.shopAt(await bed.begin())];
  for (const shop of shops) t.is((await shop.transfers(0, [0])).length, 1);
  // Both draw the same numbers, and ask for the same order.
  const made = await Promise.all([...shops, ...shops].map((shop) => shop.order(0)));
  t.deepEqual(made.map(({ minor }) => minor).sort(), [1, 2, 3, 4]);
  t.is(new Set([order, ...made].map(({ address }) => address)).size, 5);
});

test("an invoice that another grant made to look like an order is none of the bridge's", async (t) => {
  const bed = await startShopBed(t);
  await bed.follow();
  const shop = bed.shopAt(await bed.begin());
  const order = await shop.order(0);
  const grant = { id: 'till', scopes: ['invoice'], wallets: ['*'], limits: {} } as const;
  const likeOrder = { reference: 'btcpay 7', metadata: { btcpay: { index: 7, bridge: 'x' } } };
  const made = unwrap(
    await bed.wallet.link.dispatch('invoices.create', likeOrder, { requestId: 'till', grant }),
  );
  const own = await bed.wallet.link.dispatch('invoices.list', {}, { requestId: 'till', grant });
  t.like(unwrap(own), { own_grant_id: 'till', invoices: [{ grant_id: 'till' }] });
  await bed.mine([
    bed.payment([made.address, 5_000]).transaction,
    bed.payment([order.address, 7_000]).transaction,
  ]);
  const known = await shop.transfers(0, null);
  t.deepEqual(
    known.map(({ amount }) => amount),
    [7_000],
  );
});

test('a wallet that would see no payment is not synced, and the reason is reported', async (t) => {
  const bed = await startShopBed(t);
  const shop = bed.shopAt(await bed.begin());
  const asked = async () => {
    const { status, detail } = await t.throwsAsync(shop.call('sync_info', {}), { instanceOf: Refused });
    return [status, detail] as const;
  };
  const [status, why] = await asked();
  t.is(status, 503);
  t.true(why.includes('serve --follow --keep-open'));
  await bed.until(() => bed.reported.at(-1) === why);
  await bed.follow();
  t.true(await shop.isAvailable());
  await bed.until(() => bed.reported.at(-1) === 'The companion sees payments.');
  await bed.wallet.call('wallet.lock');
  t.is((await asked())[0], 423);
  await bed.until(() => bed.reported.at(-1)?.startsWith('The wallet is locked') === true);
  t.is((await t.throwsAsync(shop.order(0), { instanceOf: Refused })).status, 423);
  // What came meanwhile is told after the unlock.
  bed.devnet.mine();
  await bed.wallet.call('wallet.unlock', { password: PASSWORD });
  await bed.pass(0);
  await bed.lastTold(blockOf(bed.devnet));
  await bed.front.close();
  t.is((await asked())[0], 502);
  await bed.until(() => bed.reported.at(-1)?.startsWith('The companion is gone') === true);
});

test('a callback that fails is tried again, in its place; a redirect is no answer; what is given up is made up for', async (t) => {
  const bed = await startShopBed(t);
  const { btcpay, payment, mine, lastTold, until, nextTry, devnet } = bed;
  await bed.follow();
  const shop = bed.shopAt(await bed.begin());
  const order = await shop.order(0);
  await until(() => btcpay.reported.length === 1);
  const { transaction, reported } = payment([order.address, 7_000]);
  btcpay.answer = () => 302;
  await mine([transaction]);
  await until(() => bed.reported.some((text) => text.includes('STATUS_302')));
  btcpay.answer = () => 500;
  await nextTry();
  await until(() => btcpay.reported.length === 3);
  btcpay.answer = () => 200;
  await nextTry();
  await until(() => btcpay.reported.length === 5);
  t.deepEqual(btcpay.reported.slice(1), [...Array.from({ length: 3 }, () => reported), blockOf(devnet)]);
  btcpay.answer = () => 500;
  await mine([]);
  await until(() => btcpay.reported.length === 6);
  // BTCPay hears of the latter alone.
  await mine([]);
  await mine([]);
  for (let tries = 1; tries < 8; tries++) await nextTry();
  await until(() => btcpay.reported.length === 5 + 8 + 1);
  t.true(bed.reported.some((text) => text.startsWith('Given up')));
  btcpay.answer = () => 200;
  await nextTry();
  await lastTold(blockOf(devnet));
  t.is(new Set(btcpay.reported.slice(5, 13)).size, 1);
  t.deepEqual([...new Set(btcpay.reported.slice(13))], [blockOf(devnet)]);
});

test('where the invoices are another file, the bridge begins anew', async (t) => {
  const bed = await startShopBed(t);
  const { wallet, mine, payment, lastTold, devnet } = bed;
  await bed.follow();
  const shop = bed.shopAt(await bed.begin());
  const old = await shop.order(0);
  await mine([payment([old.address, 7_000]).transaction]);
  t.is((await shop.transfers(0, null)).length, 1);
  await wallet.call('wallet.lock');
  for (const name of readdirSync(wallet.folder))
    if (name.startsWith('invoices.db')) rmSync(path.join(wallet.folder, name));
  await wallet.call('wallet.unlock', { password: PASSWORD });
  await bed.pass(0);
  const order = await shop.order(0);
  t.deepEqual(await shop.transfers(0, null), []);
  const { transaction, reported } = payment([order.address, 9_000]);
  await mine([transaction]);
  await lastTold(blockOf(devnet));
  t.is(bed.btcpay.reported.at(-2), reported);
  t.deepEqual(
    (await shop.transfers(0, [order.minor])).map(({ amount }) => amount),
    [9_000],
  );
});

test('a block counts with its payments, and not only when config.json has its height', async (t) => {
  const bed = await startShopBed(t);
  const { devnet, wallet, payment, lastTold } = bed;
  await bed.follow();
  const shop = bed.shopAt(await bed.begin());
  const { address } = await shop.order(0);
  // Nobody can write it now.
  const file = path.join(wallet.folder, 'config.json');
  rmSync(file);
  mkdirSync(file);
  devnet.mine({ transactions: [payment([address, 7_000]).transaction] });
  await bed.look();
  await lastTold(blockOf(devnet));
  t.like((await shop.transfers(0, null))[0], { height: devnet.tip.height, confirmations: 1 });
});

test('more than 64 connections cut the one that waits for longest', async (t) => {
  const bed = await startShopBed(t);
  const { port } = (await bed.begin()).listening;
  const sockets: Socket[] = [];
  // A machine that needs ten seconds for all of them may cut more, but not another one first.
  const cut: number[] = [];
  const open = async () => {
    const socket = createConnection(port, '127.0.0.1');
    const place = sockets.push(socket) - 1;
    socket.once('close', () => cut.push(place));
    t.teardown(() => socket.destroy());
    await once(socket, 'connect');
  };
  for (let i = 0; i < 64; i++) await open();
  await open();
  await until(() => cut.length > 0);
  t.is(cut[0], 0);
  t.false(sockets.at(-1)!.destroyed);
});

test('a payment whose block lacks the mark that the order demands has no confirmation for BTCPay', (t) => {
  const payment = {
    txid: 'ab'.repeat(32),
    pool: 'ironwood',
    output_index: 0,
    height: 90,
    time: '2026-01-02T03:04:05Z',
    amount_zatoshi: 5,
  } as const;
  const order = { index: 1, account: 0, address: 'u1example', requiredConfirmations: 10 };
  const reported = (requiresVerified: boolean, mark: 'node' | null) => {
    const payments = [{ ...payment, verified_with: mark }];
    const [transfer] = transfersOf({ ...order, requiresVerified, payments }, 99);
    return [transfer!.height, transfer!.confirmations, transfer!.verified_with];
  };
  t.deepEqual(reported(true, null), [0, 0, null]);
  t.deepEqual(reported(true, 'node'), [90, 10, 'node']);
  t.deepEqual(reported(false, null), [90, 10, null]);
});
