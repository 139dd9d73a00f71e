// Export, balance at a time and payment requests of a wallet on an embedded chain.

import { blockHashToHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { parsePaymentUri } from '@wallet-companion/zcash/zip321';
import test, { type ExecutionContext } from 'ava';
import { companionWorld } from '../../../helpers/companionWorld.ts';
import { readCsv } from '../../../helpers/csvReader.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

const NOBODY = 'http://127.0.0.1:9';
const TRANSPARENT = 'tmEZhbWHTpdKMw5it8YDspUXSMGQyFwovpU';

const setUp = (t: ExecutionContext) => companionWorld(t, { hasCompactServer: false });

test('a day of payments, memos and change is one row each, and adds up', async (t) => {
  const { devnet, wallet, address } = await setUp(t);
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 5_000_000n, memo: '=1+1' });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 0n, memo: 'nothing, "really"' });
  const { viewing_key: key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const account = devnet.account(key);
  const ourselves = { address, pool: 'ironwood', zatoshi: 1_000_000n, memo: 'to myself' } as const;
  devnet.mine({ transactions: [devnet.spend(account, { from: 'ironwood', payments: [ourselves] })] });
  await wallet.call('sync.run');
  const { rows = [], ...rest } = await wallet.call('transactions.export', { format: 'json' });
  const { total_zatoshi: total } = await wallet.call('balance.get');
  t.like(rest, {
    balance_zatoshi: total,
    complete: true,
    as_of_height: devnet.tip.height,
    next_cursor: null,
  });
  t.is(rows.length, 3);
  // A note is no longer held after the very block that spends it.
  t.is((await wallet.call('balance.at', { height: devnet.tip.height })).total_zatoshi, total);
  t.like(rows[0], {
    received_zatoshi: 5_000_000,
    sent_zatoshi: 0,
    memos: [{ text: '=1+1' }],
    pool: 'ironwood',
  });
  t.like(rows[1], {
    received_zatoshi: 0,
    sent_zatoshi: 0,
    memos: [{ text: 'nothing, "really"' }],
    pool: 'sapling',
  });
  // What came back is netted out: the fee alone is gone.
  t.like(rows[2], { received_zatoshi: 0, sent_zatoshi: 5_000_000 - total, memos: [{ text: 'to myself' }] });
  const { text = '' } = await wallet.call('transactions.export', { format: 'csv' });
  t.deepEqual(
    await wallet.call('transactions.export'),
    await wallet.call('transactions.export', { format: 'csv' }),
  );
  t.deepEqual(
    readCsv(text).map((cells) => cells[8]),
    ['memo', "'=1+1", 'nothing, "really"', 'to myself'],
  );
});

test('pages belong to one history: where it changes, the cursor is refused', async (t) => {
  const { devnet, wallet, address } = await setUp(t);
  for (const zatoshi of [1n, 2n, 3n]) devnet.payTo(address, { pool: 'orchard', zatoshi });
  await wallet.call('sync.run');
  const { next_cursor: cursor } = await wallet.call('transactions.export', { format: 'csv', limit: 2 });
  const next = { format: 'csv', cursor, limit: 2 } as const;
  t.is(readCsv((await wallet.call('transactions.export', next)).text!).length, 1);
  devnet.payTo(address, { pool: 'orchard', zatoshi: 4n });
  await wallet.call('sync.run');
  t.is(readCsv((await wallet.call('transactions.export', next)).text!).length, 2);
  // Of the same values, in other blocks.
  devnet.reorganise(3);
  for (const zatoshi of [2n, 3n, 4n]) devnet.payTo(address, { pool: 'orchard', zatoshi });
  await wallet.call('sync.run');
  t.is(await wallet.failure('transactions.export', next), 'INVALID_REQUEST');
  t.is(await wallet.failure('transactions.export', { ...next, cursor: 'x' }), 'INVALID_REQUEST');
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('transactions.export', { ...next, cursor: 'x' }), 'INVALID_REQUEST');
  t.is(await wallet.failure('transactions.export', next), 'WALLET_LOCKED');
});

test('the balance at a height or a time is that after the block', async (t) => {
  const { devnet, wallet, address, timeOf } = await setUp(t);
  for (const zatoshi of [1n, 2n, 3n]) devnet.payTo(address, { pool: 'orchard', zatoshi });
  devnet.mineEmpty(5);
  const tip = devnet.tip.height;
  t.like(await wallet.call('balance.at', { height: 1 }), {
    total_zatoshi: 0,
    as_of_height: null,
    complete: false,
    missing_ranges: [{ start_height: 1, end_height: 1 }],
  });
  await wallet.call('sync.run');
  t.like(await wallet.call('balance.at', { height: 2 }), {
    height: 2,
    hash: blockHashToHex(devnet.blocks.at(2)!.hash),
    time: timeOf(2),
    total_zatoshi: 3,
    note_count: 2,
    complete: true,
    missing_ranges: [],
  });
  t.like(await wallet.call('balance.at', { date: timeOf(2) }), {
    height: 2,
    total_zatoshi: 3,
    complete: true,
  });
  const between = new Date(Date.parse(timeOf(3)) - 1_000).toISOString();
  t.like(await wallet.call('balance.at', { date: between }), { height: 2, total_zatoshi: 3 });
  t.like(await wallet.call('balance.at', { date: timeOf(tip) }), {
    height: tip,
    total_zatoshi: 6,
    complete: true,
  });
  // Mined, but not scanned yet.
  devnet.payTo(address, { pool: 'orchard', zatoshi: 4n });
  devnet.mineEmpty(3);
  t.like(await wallet.call('balance.at', { date: timeOf(tip + 2) }), {
    height: tip + 2,
    hash: blockHashToHex(devnet.blocks.at(tip + 2)!.hash),
    total_zatoshi: 6,
    complete: false,
    missing_ranges: [{ start_height: tip + 1, end_height: tip + 2 }],
  });
  for (const input of [{}, { height: 1, date: timeOf(1) }, { date: '2025-02-29' }, { date: '1970-01-01' }])
    t.is(await wallet.failure('balance.at', input), 'INVALID_REQUEST', JSON.stringify(input));
  t.is(await wallet.failure('balance.at', { height: 1, account: 7 }), 'NOT_FOUND');
});

test('without a node a date is answered from what was scanned, and says how far that may be believed', async (t) => {
  const { devnet, wallet, address, timeOf } = await setUp(t);
  for (const zatoshi of [1n, 2n, 3n]) devnet.payTo(address, { pool: 'orchard', zatoshi });
  await wallet.call('sync.run');
  await wallet.call('config.node_url', { url: NOBODY });
  t.like(await wallet.call('balance.at', { date: timeOf(2) }), {
    height: 2,
    complete: true,
    total_zatoshi: 3,
  });
  const last = await wallet.call('balance.at', { date: timeOf(3) });
  t.like(last, { height: 3, complete: false, total_zatoshi: 6, missing_ranges: [] });
  t.regex(last.warning ?? '', /could not be asked/);
  t.like(await wallet.call('balance.at', { height: 9 }), { hash: null, time: null, complete: false });
});

test('a gap above the height asked for does not matter, one below does', async (t) => {
  const { devnet, wallet, address } = await setUp(t);
  for (const zatoshi of [1n, 2n, 3n, 4n, 5n]) devnet.payTo(address, { pool: 'orchard', zatoshi });
  await wallet.call('sync.run', { end_height: 2 });
  await wallet.call('sync.run', { start_height: 4, end_height: 5 });
  t.like(await wallet.call('balance.at', { height: 2 }), {
    total_zatoshi: 3,
    complete: true,
    missing_ranges: [],
  });
  t.like(await wallet.call('balance.at', { height: 9 }), {
    complete: false,
    missing_ranges: [
      { start_height: 3, end_height: 3 },
      { start_height: 6, end_height: 9 },
    ],
  });
  t.like(await wallet.call('balance.at', { height: 4 }), {
    total_zatoshi: 7,
    complete: false,
    missing_ranges: [{ start_height: 3, end_height: 3 }],
  });
});

test('a payment request names an address of the wallet, or one that is given', async (t) => {
  const { wallet, address } = await setUp(t);
  t.deepEqual(await wallet.call('payment_uri.create'), { uri: `zcash:${address}`, address });
  const full = { zatoshi: 150_000_000, memo: 'order 17 \u{1f600}', label: 'Shop & Co', message: '100 %' };
  const { uri } = await wallet.call('payment_uri.create', full);
  t.deepEqual(parsePaymentUri(uri, regtestParameters()), [
    { ...full, address, memo: new TextEncoder().encode(full.memo) },
  ]);
  t.deepEqual(await wallet.call('payment_uri.parse', { uri }), {
    payments: [{ ...full, address, memo: { text: full.memo } }],
  });
  const { zatoshi: _, ...rest } = full;
  t.is((await wallet.call('payment_uri.create', { ...rest, amount: '1.50' })).uri, uri);
  t.is((await wallet.call('payment_uri.qr', { ...rest, amount: '1.5' })).uri, uri);
  const next = await wallet.call('address.next');
  const { diversifier_index } = next;
  t.is((await wallet.call('payment_uri.create', { diversifier_index })).address, next.unified_address);
  t.is((await wallet.call('payment_uri.create', { address: TRANSPARENT, zatoshi: 54 })).address, TRANSPARENT);
  for (const input of [
    { address: TRANSPARENT, memo: 'no' },
    { address: TRANSPARENT, zatoshi: 0 },
    { address: TRANSPARENT, amount: '0.00000053' },
    { address: 'u1nobody' },
    { address, account: 0 },
    { address, diversifier_index: '0' },
    { memo: 'a\0' },
    { memo: '\u20ac'.repeat(171) },
    { zatoshi: -1 },
    { zatoshi: 0.5 },
    { amount: '1.5', zatoshi: 150_000_000 },
    ...['-1', '1,5', '1.', '.5', '0.000000001', '21000000.00000001', '1e3', ''].map((amount) => ({ amount })),
  ])
    t.is(await wallet.failure('payment_uri.create', input), 'INVALID_REQUEST', JSON.stringify(input));
  await t.throwsAsync(wallet.call('payment_uri.create', { amount: '1,5' }), {
    message: /in ZEC.*such as 1\.5/,
  });
  t.is(await wallet.failure('payment_uri.create', { account: 7 }), 'NOT_FOUND');
  for (const bad of ['bitcoin:1', 'zcash:', `zcash:${address}?amount=x`, `zcash:${TRANSPARENT}?amount=0`])
    t.is(await wallet.failure('payment_uri.parse', { uri: bad }), 'INVALID_REQUEST', bad);
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('payment_uri.create'), 'WALLET_LOCKED');
  t.is(await wallet.failure('payment_uri.create', { address: TRANSPARENT }), 'WALLET_LOCKED');
  t.is(await wallet.failure('payment_uri.create', { address: TRANSPARENT, memo: 'no' }), 'INVALID_REQUEST');
});

test('QR codes come in three forms, and what is too long for one is refused', async (t) => {
  const { wallet } = await setUp(t);
  const { uri } = await wallet.call('payment_uri.create', { zatoshi: 5 });
  const text = await wallet.call('payment_uri.qr', { zatoshi: 5 });
  t.like(text, { uri, format: 'text' });
  t.is(text.image.split('\n')[0]!.length, text.width);
  t.regex((await wallet.call('payment_uri.qr', { format: 'svg' })).image, /^<svg /);
  const png = await wallet.call('payment_uri.qr', { format: 'png' });
  t.is(Buffer.from(png.image, 'base64').subarray(1, 4).toString('latin1'), 'PNG');
  const long = { memo: '\u20ac'.repeat(170), label: '\u20ac'.repeat(170), message: '\u20ac'.repeat(170) };
  t.is(await wallet.failure('payment_uri.qr', long), 'INVALID_REQUEST');
});
