import test, { type ExecutionContext } from 'ava';
import { exportPage } from '../../../../src/actors/wallet/books/exportPage.ts';
import { NoteStore } from '../../../../src/actors/wallet/noteStore/noteStore.ts';
import type { Input } from '../../../../src/protocol/operations.ts';
import { clockOf, companionWorld } from '../../../helpers/companionWorld.ts';
import { readCsv } from '../../../helpers/csvReader.ts';
import { MemoryNoteDatabase } from '../../../helpers/memoryNoteDatabase.ts';
import { NO_NAMES } from '../../../helpers/rowNames.ts';
import { ManualClock, PASSWORD } from '../../../helpers/walletHarness.ts';
import { note, state, transaction } from '../../../storage/notes/support/noteDatabase.ts';

type Export = Input<'transactions.export'>;

/** An hour before New Year in New York, an hour after it there, and the next July. */
const TIMES = ['2026-01-01T04:00:00Z', '2026-01-01T06:00:00Z', '2026-07-01T12:00:00Z'];

/** Notes of 1, 2 and 4 zatoshi, a block each. */
async function setUp(t: ExecutionContext) {
  const clock = new ManualClock();
  clock.advance(Date.UTC(2026, 6, 1, 13) - clock.now());
  const world = await companionWorld(t, {
    hasCompactServer: false,
    devnet: { clock: clockOf(TIMES) },
    clock,
  });
  for (const zatoshi of [1n, 2n, 4n]) world.pay(zatoshi, `${zatoshi}`, 'orchard');
  await world.sync();
  return Object.assign(world, {
    rows: async (input: Export) =>
      (await world.call('transactions.export', { ...input, format: 'json' })).rows ?? [],
    text: async (input: Export) => (await world.call('transactions.export', input)).text ?? '',
  });
}

const received = (rows: readonly { readonly received_zatoshi: number }[]): number[] =>
  rows.map(({ received_zatoshi: zatoshi }) => zatoshi);

test('a year is that of its time zone, and opens with what was held before', async (t) => {
  const { wallet, rows } = await setUp(t);
  t.deepEqual(received(await rows({ year: 2026 })), [1, 2, 4]);
  const there = { year: 2026, time_zone: 'America/New_York' };
  t.deepEqual(received(await rows(there)), [2, 4]);
  t.like(await wallet.call('transactions.export', { ...there, format: 'json' }), {
    opening_zatoshi: 1,
    balance_zatoshi: 7,
  });
  t.like(await wallet.call('transactions.export', { ...there, year: 2025, format: 'json' }), {
    opening_zatoshi: 0,
    balance_zatoshi: 1,
  });
  t.deepEqual(received(await rows({ from: '2026-01-01T06:00:00Z', to: '2026-01-31' })), [2]);
  const page = await wallet.call('transactions.export', { ...there, format: 'json', limit: 1 });
  const next = { ...there, format: 'json', limit: 1, cursor: page.next_cursor! } as const;
  t.deepEqual(received(await rows(next)), [4]);
  t.is(await wallet.failure('transactions.export', { ...next, year: 2025 }), 'INVALID_REQUEST');
  for (const wrong of [
    { year: 2026, from: '2026-01-01' },
    { from: '2026-02-30' },
    { from: '2026-02-01', to: '2026-01-31' },
    { time_zone: 'Berlin' },
    { address: 'u1nobody' },
    { from: '2026-07-02' },
    { year: 2031 },
  ])
    t.is(await wallet.failure('transactions.export', wrong), 'INVALID_REQUEST', JSON.stringify(wrong));
});

test('the other formats have their head on the first page, and close on the last', async (t) => {
  const { text, wallet } = await setUp(t);
  const first = await wallet.call('transactions.export', { format: 'hledger', limit: 2, year: 2026 });
  const last = await text({ format: 'hledger', limit: 2, year: 2026, cursor: first.next_cursor! });
  const whole = await text({ format: 'hledger', year: 2026 });
  t.is(first.text! + last, whole);
  t.regex(whole, /^2026-07-01 \* closing balance\n {2}Assets:Zcash {2}0\.00000000 ZEC = 0\.00000007 ZEC$/m);
  const beans = await text({
    format: 'beancount',
    from: '2026-01-01',
    time_zone: 'America/New_York',
    account: 0,
  });
  t.regex(beans, /^2026-01-01 balance Assets:Zcash:Account0 {2}0\.00000001 ~ 0\.00000000 ZEC$/m);
  t.notRegex(beans, / open /);
  const posted = await text({
    format: 'beancount',
    from: '2026-01-01',
    time_zone: 'America/New_York',
    account: 0,
    opening: 'post',
  });
  t.regex(posted, /^2026-01-01 \* "Opening balance"\n {2}Assets:Zcash:Account0 {2}0\.00000001 ZEC$/m);
  t.regex(posted, /^2016-10-28 open Assets:Zcash:Account0 ZEC$/m);
  t.regex(beans, /^2026-07-02 balance Assets:Zcash:Account0 {2}0\.00000007 ~ 0\.00000000 ZEC$/m);
  t.is(readCsv(await text({ format: 'koinly' })).length, 4);
  t.is(readCsv(await text({ format: 'cointracker' }))[1]![0], '01/01/2026 04:00:00');
});

test('rows are chosen by label, address and direction, and keep the balance of the whole', async (t) => {
  const { wallet, devnet, address, rows, text } = await setUp(t);
  const shop = await wallet.call('address.next');
  await wallet.call('labels.set', { diversifier_index: shop.diversifier_index, label: 'Shop' });
  devnet.payTo(shop.unified_address, { pool: 'sapling', zatoshi: 8n });
  const { viewing_key: key } = await wallet.call('wallet.viewing_key', { password: PASSWORD });
  const friend = (await wallet.call('address.next')).unified_address;
  devnet.payTo(address, { pool: 'ironwood', zatoshi: 1_000_000n });
  devnet.mine({
    transactions: [
      devnet.spend(devnet.account(key), {
        from: 'ironwood',
        payments: [{ address: friend, pool: 'ironwood', zatoshi: 5n }],
      }),
    ],
  });
  await wallet.call('sync.run');
  const [labelled, ...none] = await rows({ label: 'Shop' });
  t.deepEqual(none, []);
  t.like(labelled, { received_zatoshi: 8, labels: ['Shop'], balance_zatoshi: 15, confirmations: 3 });
  t.deepEqual(received(await rows({ address: shop.unified_address })), [8]);
  const { sapling_address: sapling } = shop;
  t.deepEqual(received(await rows({ address: sapling! })), [8]);
  t.deepEqual(received(await rows({ address })), [1, 2, 4, 1_000_000]);
  const [sent, ...others] = await rows({ direction: 'sent' });
  t.deepEqual(others, []);
  t.is(sent!.received_zatoshi, 0);
  t.true(sent!.sent_zatoshi! > 0);
  t.is((await rows({ direction: 'received' })).length, 5);
  t.notRegex(await text({ format: 'beancount', direction: 'sent' }), / balance /);
});

const booksOf = (store: MemoryNoteDatabase) => ({
  noteStore: new NoteStore(store, [{ index: 0, birthdayHeight: 1 }], 1),
  names: NO_NAMES,
});
const PERIOD = { zone: 'UTC', start: 0, end: 200 };

test('the fee of a transaction that pays from two pools is on one of its rows', (t) => {
  const store = new MemoryNoteDatabase();
  const paying = { ...transaction(6), fee: 15 };
  const { txid, height, txIndex } = paying;
  const spent = { txid, height, txIndex };
  store.commit({
    state: state(200),
    putNotes: [note(2, { spent }), note(4, { spent })],
    putTransactions: [transaction(2), transaction(4), paying],
  });
  const { rows } = exportPage(booksOf(store), { format: 'json' }, PERIOD, 0);
  t.deepEqual(
    rows?.map(({ sent_zatoshi, fee_zatoshi }) => [sent_zatoshi, fee_zatoshi]),
    [
      [0, null],
      [0, null],
      [1004, 15],
      [1002, null],
    ],
  );
});

test('books that do not add up to the notes are not given', (t) => {
  const store = new MemoryNoteDatabase();
  const give = () => exportPage(booksOf(store), {}, PERIOD, 0);
  store.commit({ state: state(200), putNotes: [note(2)] });
  t.throws(give, { code: 'WALLET_CORRUPT', message: /adds up to 0 zatoshi, and the notes to 1002/ });
  store.commit({ state: state(200), putTransactions: [transaction(2)] });
  t.is(give().balance_zatoshi, 1002);
});
