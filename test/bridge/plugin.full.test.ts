// A shop with BTCPay, from the first address to the sixth confirmation: bridge and companion as people run them, and every
// payment on a devnet's chain.

import http from 'node:http';
import { text } from 'node:stream/consumers';
import { POOLS } from '@wallet-companion/zcash/pools';
import test from 'ava';
import { METHODS, type Method, paid, Refused } from './plugin.ts';
import { blockOf, PASSWORD, startPluginBed, txidOf } from './pluginBed.ts';

test('an order in each pool is seen unmined, and counts with the block and its sixth confirmation', async (t) => {
  const { plugin, send, mine, devnet } = await startPluginBed(t);
  t.true(await plugin.isAvailable());
  t.is(await plugin.networkFee(), 10_000);
  t.is((await plugin.call('get_height', {})).height, 1);
  const shop = await plugin.call('create_account', { label: 'shop' });
  const orders = [await plugin.order(shop.account_index)];
  for (const _ of POOLS.slice(1)) orders.push(await plugin.order(shop.account_index));
  t.is(new Set(orders.map(({ address }) => address)).size, POOLS.length);
  const transactions = POOLS.map((pool, place) =>
    devnet.pay([{ address: orders[place]!.address, pool, zatoshi: 1_000_000 + place, memo: 'a poem' }]),
  );
  const listed = (confirmations: number) => orders.map((order) => paid(order, confirmations));
  const all = POOLS.map((_, place) => 1_000_000 + place);
  const none = POOLS.map(() => 0);
  for (const each of transactions) await send(each);
  t.deepEqual([listed(0), listed(1)], [all, none]);
  const txid = txidOf(transactions[0]!);
  const unmined = {
    address: orders[0]!.address,
    amount: 1_000_000,
    confirmations: 0,
    height: 0,
    fee: 0,
    note: 'a poem',
    payment_id: '',
    subaddr_index: { major: 0, minor: orders[0]!.minor },
    suggested_confirmations_threshold: 10,
    timestamp: 0,
    txid,
    type: 'in',
    unlock_time: 0,
    verified_with: null,
  };
  t.deepEqual([...orders[0]!.payments.values()], [unmined]);
  const { length } = plugin.reported;
  await mine(transactions);
  t.deepEqual(
    new Set(plugin.reported.slice(length, -1)),
    new Set(transactions.map((each) => `tx ${txidOf(each)}`)),
  );
  t.is(plugin.reported.at(-1), blockOf(devnet));
  t.deepEqual([listed(1), listed(2)], [all, none]);
  const mined = {
    ...unmined,
    verified_with: 'node',
    confirmations: 1,
    height: 2,
    timestamp: devnet.tip.time,
  };
  t.deepEqual([...orders[0]!.payments.values()], [mined]);
  await mine([], 4);
  t.deepEqual([listed(5), listed(6)], [all, none]);
  await mine();
  t.deepEqual([listed(6), listed(7)], [all, none]);
  const { subaddress_accounts: accounts, ...totals } = await plugin.call('get_accounts', { tag: null });
  t.is(accounts.length, 1);
  t.like(accounts[0], { account_index: 0, base_address: shop.address, balance: 3_000_003 });
  t.deepEqual(totals, { total_balance: 3_000_003, total_unlocked_balance: 0 });
});

test('notes of a transaction to an address are one payment; an old plugin finds those to the second account', async (t) => {
  const { plugin, send, mine, asked, devnet } = await startPluginBed(t, { isOld: true });
  await asked('/api/accounts', { password: PASSWORD, birthday_height: 1 });
  await asked('/api/sync');
  const [order, other, second] = [await plugin.order(0), await plugin.order(0), await plugin.order(1)];
  const { address } = order;
  const many = devnet.pay([
    { address, pool: 'sapling', zatoshi: 100 },
    { address, pool: 'ironwood', zatoshi: 20 },
    { address, pool: 'ironwood', zatoshi: 3, memo: 'for all' },
    { address: other.address, pool: 'orchard', zatoshi: 7 },
  ]);
  const payments = ({ payments }: typeof order) => [...payments.values()];
  const listed = () => plugin.orders.map((one) => payments(one).map(({ amount }) => amount));
  await send(many);
  t.deepEqual(listed(), [[123], [7], []]);
  t.is(payments(order)[0]?.note, 'for all');
  await mine([many]);
  const again = devnet.pay([{ address, pool: 'ironwood', zatoshi: 123 }]);
  const elsewhere = devnet.pay([{ address: second.address, pool: 'ironwood', zatoshi: 9 }]);
  await send(again);
  await send(elsewhere);
  t.true(plugin.reported.includes(`tx ${txidOf(elsewhere)} of 1`));
  t.deepEqual([paid(order, 0), paid(order, 1)], [246, 123]);
  await mine([again, elsewhere]);
  t.deepEqual(listed(), [[123, 123], [7], [9]]);
  const depths = payments(order).map(({ confirmations }) => confirmations);
  t.deepEqual(depths, [2, 1]);
  // Without numbers all of the account.
  for (const none of [null, []])
    t.deepEqual([(await plugin.transfers(0, none)).length, (await plugin.transfers(1, none)).length], [3, 1]);
  t.deepEqual(await plugin.transfers(0, [second.minor]), []);
  for (const account_index of [0, 1, null]) {
    const asked = { txid: txidOf(elsewhere), account_index };
    t.like((await plugin.call('get_transfer_by_txid', asked)).transfer.subaddr_index, { major: 1 });
  }
  const { subaddress_accounts: accounts, total_balance } = await plugin.call('get_accounts', { tag: null });
  t.deepEqual([...accounts.map(({ balance }) => balance), total_balance], [253, 9, 262]);
});

test('a payment that a reorganisation takes back is gone; its new block is reported, also by a bridge that starts later', async (t) => {
  const { plugin, mine, reorganise, restart, devnet } = await startPluginBed(t);
  const order = await plugin.order(0);
  const payment = devnet.pay([{ address: order.address, pool: 'ironwood', zatoshi: 42 }]);
  await mine([payment], 3);
  t.is(paid(order, 3), 42);
  await reorganise(3);
  t.is(order.payments.size, 0);
  await t.throwsAsync(plugin.lookAt(txidOf(payment)), { instanceOf: Refused });
  plugin.reported.length = 0;
  await mine([payment]);
  t.is(plugin.reported[0], `tx ${txidOf(payment)}`);
  t.deepEqual([paid(order, 1), paid(order, 2)], [42, 0]);
  t.is(order.payments.get(txidOf(payment))!.height, 6);
  await restart();
  t.is(paid(order, 2), 42);
  const later = await plugin.order(0);
  t.not(later.minor, order.minor);
  t.not(later.address, order.address);
});

const ORDER = { account_index: 0, label: 'btcpay invoice #1' };
const LIST = { in: true, 'filter_by_height ': false, account_index: 0, subaddr_indices: [] };
const ASKED = { account_index: 0, txid: 'ab'.repeat(32) };
const NO_OBJECT = [[], 7, 'text'];
/** What a plugin could send that is set up wrongly, older, newer, or given nonsense by its owner. */
const WRONG: Readonly<Record<Method, readonly unknown[]>> = {
  sync_info: [],
  get_fee_estimate: [],
  get_height: [],
  get_accounts: [],
  create_account: [...NO_OBJECT, ...['uview1', 7].map((key) => ({ label: 'shop', key, height: 1 }))],
  create_address: [
    ...NO_OBJECT,
    ...[7, -1, 0.5, 2 ** 31, '0'].map((account_index) => ({ ...ORDER, account_index })),
    { ...ORDER, label: 7 },
  ],
  get_transfers: [
    ...NO_OBJECT,
    ...[-1, 'main'].map((account_index) => ({ ...LIST, account_index })),
    ...['all', ['1'], [0.5], 0].map((subaddr_indices) => ({ ...LIST, subaddr_indices })),
  ],
  get_transfer_by_txid: [
    ...NO_OBJECT,
    { account_index: 0 },
    ...[null, '', 'x', 'ab'.repeat(31), 7].map((txid) => ({ ...ASKED, txid })),
    ...[0, 7, '0'].map((account_index) => ({ ...ASKED, account_index })),
  ],
};

test('without the token nothing is answered, wrong input is refused, and what is left out is no reason to refuse', async (t) => {
  const { plugin, base, mine, asked, service, devnet } = await startPluginBed(t);
  const { origin, pathname } = new URL(base);
  const token = pathname.slice(1, -1);
  const unknown = await plugin.post('constructor', '{}');
  t.is(unknown.status, 404);
  const problem = (body: string) => body.replace(/"request_id":"[^"]+"/, '');
  const answer = problem(await unknown.text());
  const other = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A');
  for (const path of ['/', '//', `/${other}/`, `/${token}`, `/${token}x/`, `/${token}/${token}/`])
    for (const method of METHODS) {
      // Also before a long body is read.
      const response = await plugin.post(method, path === '//' ? 'x'.repeat(70_000) : '{}', origin + path);
      t.is(response.status, 404, path + method);
      t.is(problem(await response.text()), answer);
    }
  for (const method of METHODS) {
    t.is((await plugin.post(`${method}/`, '{}')).status, 404);
    const get = await fetch(base + method, { headers: { connection: 'close' } });
    t.deepEqual([get.status, get.headers.get('allow')], [405, 'POST']);
    const typed = { method: 'POST', body: 'label=shop', headers: { 'content-type': 'text/plain' } };
    t.is((await fetch(base + method, typed)).status, 415);
    for (const body of ['{"label"', ...WRONG[method].map((input) => JSON.stringify(input))]) {
      const response = await plugin.post(method, body);
      const text = await response.text();
      t.true([400, 404].includes(response.status), `${method} ${body}: ${response.status} ${text}`);
      t.regex(text, /"detail":"(?:[^"\\]|\\.){12,}\."/, `${method} ${body}`);
      t.false(text.includes(token) || text.includes(service.configDir));
    }
    t.is((await plugin.post(method, JSON.stringify({ label: 'x'.repeat(65_536) }))).status, 413);
  }
  const order = await plugin.order(0);
  await mine([devnet.pay([{ address: order.address, pool: 'ironwood', zatoshi: 6 }])]);
  // Nothing of the above made an order.
  t.is((await plugin.transfers(0, null)).length, 1);
  for (const more of [
    { subaddr_indices: undefined, account_index: undefined },
    { subaddr_indices: null, account_index: null, min_height: null, max_height: null },
    { subaddr_indices: [order.minor, 5, order.minor], max_height: 1 },
  ])
    t.deepEqual(
      (await plugin.call('get_transfers', { ...LIST, ...more })).in.map(({ amount }) => amount),
      [6],
    );
  t.deepEqual(await plugin.transfers(7, []), []);
  for (const label of ['', null, undefined, 'a shop: "Ünïcøde" \n 🦓']) {
    for (const none of [{}, { key: null, height: null }, { key: '', height: 0 }])
      t.is((await plugin.call('create_account', { label, ...none })).account_index, 0);
    await plugin.call('create_address', { label });
  }
  for (const input of [{}, { tag: 'x' }]) t.is((await plugin.call('get_accounts', input)).total_balance, 6);
  // In pieces, and by the name that a container has for this machine.
  const headers = { host: 'host.docker.internal:3001', 'content-type': 'application/json' };
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request(`${base}get_height`, { method: 'POST', headers, agent: false }, resolve);
    request.on('error', reject).write('{');
    request.end('}');
  });
  t.is(await text(await answered), '{"height":2}');
  await asked('/api/follow', { enabled: false });
  t.false(await plugin.isAvailable());
  await service.stop();
  t.false(await plugin.isAvailable());
});
