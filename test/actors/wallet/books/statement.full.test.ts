// A statement of a period, and its check by a second companion that has the viewing key alone.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { orchardAddress, unifiedAddress } from '@wallet-companion/pczt/test/spendingAccount';
import test, { type ExecutionContext } from 'ava';
import { clockOf, companionWorld } from '../../../helpers/companionWorld.ts';
import { readCsv } from '../../../helpers/csvReader.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const HOSTILE = '=1+1<script>alert(1)</script>';
const TIMES = ['2025-06-01T00:00:00Z', '2025-12-31T23:30:00Z', '2026-01-01T00:30:00Z'];

/** 1,000,000 zatoshi in 2025, of which 5 and a fee were paid at the end of it; 7 in 2026. */
async function setUp(t: ExecutionContext) {
  const world = await companionWorld(t, { hasCompactServer: false, devnet: { clock: clockOf(TIMES) } });
  const { devnet, wallet } = world;
  await wallet.call('labels.set', {
    diversifier_index: (await wallet.call('address.get')).diversifier_index,
    label: HOSTILE,
  });
  const { viewing_key: key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  world.pay(1_000_000n);
  const payments = [{ address: orchardAddress(9), pool: 'ironwood', zatoshi: 5n }] as const;
  devnet.mine({ transactions: [devnet.spend(world.account, { from: 'ironwood', payments })] });
  world.pay(7n);
  await wallet.call('sync.run');
  return Object.assign(world, { key });
}

const base64 = (statement: object): string => Buffer.from(JSON.stringify(statement)).toString('base64');

test('a statement says what was held and moved, and which blocks that rests on', async (t) => {
  const { wallet } = await setUp(t);
  const fee = (await wallet.call('transactions.list')).transactions[1]!.fee_zatoshi!;
  const { statement } = await wallet.call('statement.get', { year: 2025 });
  t.like(statement, {
    start_height: 1,
    end_height: 2,
    opening_zatoshi: 0,
    received_zatoshi: 1_000_000,
    sent_zatoshi: 5,
    fee_zatoshi: fee,
    closing_zatoshi: 1_000_000 - 5 - fee,
    labels: [{ label: HOSTILE, received_zatoshi: 1_000_000, note_count: 1 }],
    complete: true,
    missing_ranges: [],
    scanned: [{ account: 0, start_height: 1, end_height: 2, verified_with: 'node' }],
  });
  wallet.clock.advance(86_400_000);
  // There the year ended an hour later.
  const there = { year: 2025, time_zone: 'Atlantic/Azores' };
  t.is((await wallet.call('statement.get', there)).statement!.end_height, 3);
  const next = (await wallet.call('statement.get', { from: '2026-01-01' })).statement!;
  t.like(next, { start_height: 3, opening_zatoshi: statement!.closing_zatoshi, received_zatoshi: 7 });
  t.is(next.closing_zatoshi, (await wallet.call('balance.get')).total_zatoshi);
});

test('books name the order that a payment was for, and report where the invoices cannot be read', async (t) => {
  const { devnet, wallet } = await setUp(t);
  const exported = (format: 'json' | 'csv') => wallet.call('transactions.export', { format });
  const { address } = await wallet.call('invoices.create', { amount_zatoshi: 9, reference: '=A-17' });
  devnet.payTo(address, { pool: 'sapling', zatoshi: 9n });
  await wallet.call('sync.run');
  const { rows = [], warning } = await exported('json');
  t.is(warning, undefined);
  t.deepEqual(rows.at(-1)!.references, ['=A-17']);
  t.true(rows.slice(0, -1).every(({ references }) => references.length === 0));
  t.true(
    readCsv((await exported('csv')).text!)
      .at(-1)!
      .includes("'=A-17"),
  );
  await wallet.call('wallet.lock');
  writeFileSync(path.join(wallet.folder, 'invoices.db'), 'no database');
  await wallet.call('wallet.unlock', { password: PASSWORD });
  const without = await exported('json');
  t.deepEqual(without.rows!.at(-1)!.references, []);
  t.regex(without.warning!, /invoices cannot be read/);
});

test('books name the contact who was paid', async (t) => {
  const { wallet } = await setUp(t);
  const paid = async () =>
    (await wallet.call('transactions.export', { format: 'json', direction: 'sent' })).rows![0]!
      .counterparties;
  t.deepEqual(await paid(), [orchardAddress(9)]);
  await wallet.call('contacts.set', { name: '=Bob', address: unifiedAddress(9) });
  t.deepEqual(await paid(), ['=Bob']);
  const { text = '' } = await wallet.call('transactions.export', { direction: 'sent' });
  t.true(readCsv(text)[1]!.includes("'=Bob"));
});

test('as a page it runs nothing and loads nothing, as CSV it is no formula', async (t) => {
  const { wallet } = await setUp(t);
  const { text: page = '' } = await wallet.call('statement.get', { format: 'html' });
  t.notRegex(page, /<script|<img|<link|src=|href=|@import|url\(/i);
  t.regex(page, /default-src 'none'/);
  t.regex(page, /=1\+1&lt;script&gt;/);
  const { text: csv = '' } = await wallet.call('statement.get', { format: 'csv' });
  t.true(readCsv(csv).some((cells) => cells[1] === `'${HOSTILE}`));
});

test('a second companion with the viewing key finds the same, or what differs', async (t) => {
  const { wallet, config, key } = await setUp(t);
  const { statement } = await wallet.call('statement.get', { year: 2025 });
  const second = await startWallet(t, { config });
  await second.call('wallet.import_viewing_key', {
    password: PASSWORD,
    birthday_height: 1,
    viewing_key: key,
  });
  const check = (given: object) => second.call('statement.check', { statement: base64(given) });
  // Nothing differs by accident where nothing was scanned.
  t.like(await check(statement!), { equal: false, complete: false });
  await second.call('sync.run');
  t.deepEqual(await check(statement!), { equal: true, differences: [], complete: true, missing_ranges: [] });
  const wrong = { ...statement!, closing_zatoshi: 12, end_hash: '00'.repeat(32) };
  t.like(await check(wrong), { equal: false, complete: true });
  t.deepEqual(
    (await check(wrong)).differences.map(({ field, stated }) => [field, stated]),
    [
      ['end_hash', wrong.end_hash],
      ['closing_zatoshi', '12'],
    ],
  );
  for (const no of [{}, { ...statement!, start_height: 9 }, { ...statement!, more: 1 }])
    t.is(await second.failure('statement.check', { statement: base64(no) }), 'INVALID_REQUEST');
});
