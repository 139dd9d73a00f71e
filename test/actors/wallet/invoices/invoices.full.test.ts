// Invoices over the real parts: an embedded chain with a mempool, files, and a clock that only the test moves.

import fs from 'node:fs';
import path from 'node:path';
import { parsePaymentUri } from '@wallet-companion/zcash/zip321';
import test from 'ava';
import { type Invoice, startInvoiceBed } from '../../../helpers/invoiceBed.ts';
import { PASSWORD } from '../../../helpers/walletHarness.ts';

test('an invoice has an address and a request of its own, and comes again for the same reference', async (t) => {
  const bed = await startInvoiceBed(t);
  const input = {
    amount: '0.25',
    reference: 'order 7',
    label: 'Shop',
    memo: 'table 7',
    metadata: { a: [1, null] },
  };
  const invoice = await bed.create(input);
  t.like(invoice, {
    state: 'new',
    exception: null,
    amount_zatoshi: 25_000_000,
    received_zatoshi: 0,
    unmined_zatoshi: null,
    required_confirmations: 10,
    reference: 'order 7',
    metadata: { a: [1, null] },
    sequence: 1,
    payments: [],
  });
  t.is(Date.parse(invoice.expires_at) - Date.parse(invoice.created_at), 900_000);
  const [payment] = parsePaymentUri(invoice.uri, bed.params);
  t.is(payment?.address, invoice.address);
  t.is(payment?.zatoshi, 25_000_000);
  const own = await bed.wallet.call('address.get', { diversifier_index: invoice.diversifier_index });
  t.is(own.unified_address, invoice.address);
  t.deepEqual(await bed.create(input), invoice);
  for (const other of [{ amount: '0.26' }, { memo: 'x' }, { metadata: { a: [1] } }, { confirmations: 2 }]) {
    t.is(await bed.wallet.failure('invoices.create', { ...input, ...other }), 'REFERENCE_IN_USE');
  }
  const others = await Promise.all([bed.create({}), bed.create({ amount_zatoshi: 5 })]);
  t.deepEqual(
    others.map(({ amount_zatoshi: amount, required_confirmations: depth }) => [amount, depth]),
    [
      [null, 10],
      [5, 1],
    ],
  );
  t.is(new Set([invoice, ...others].map(({ address }) => address)).size, 3);
  t.is((await bed.wallet.call('invoices.qr', { invoice_id: invoice.invoice_id })).uri, invoice.uri);
  t.is(await bed.wallet.failure('invoices.create', { amount: '0' }), 'INVALID_REQUEST');
  t.is(await bed.wallet.failure('invoices.create', { amount: '1', amount_zatoshi: 1 }), 'INVALID_REQUEST');
  t.is(await bed.wallet.failure('invoices.get', { invoice_id: '0'.repeat(32) }), 'NOT_FOUND');
});

test('seen, paid and confirmed are announced once each, in order, with everything in the event but the memo', async (t) => {
  const bed = await startInvoiceBed(t);
  const invoice = await bed.create({
    amount_zatoshi: 1000,
    confirmations: 2,
    reference: 'a',
    metadata: { b: 1 },
  });
  await bed.look();
  t.deepEqual(bed.announced(), [[1, 'new', null]]);
  bed.payTo([invoice, 1000]);
  await bed.look();
  await bed.look();
  const [event] = bed.announced();
  t.deepEqual(event, [2, 'seen', null]);
  t.like(await bed.get(invoice), { state: 'seen', unmined_zatoshi: 1000, received_zatoshi: 0 });
  await bed.mine();
  t.like(await bed.get(invoice), {
    state: 'paid',
    received_zatoshi: 1000,
    unmined_zatoshi: 0,
    confirmations: 1,
    payments: [{ pool: 'ironwood', amount_zatoshi: 1000, memo: { text: 'thanks' } }],
  });
  const paid = bed.wallet.events.flatMap((one) => (one.event === 'invoice.changed' ? [one.data] : []));
  t.like(paid[0], { reference: 'a', metadata: { b: 1 }, sequence: 3, state: 'paid', received_zatoshi: 1000 });
  t.false('memo' in paid[0]!.payments[0]!);
  t.deepEqual(bed.announced(), [[3, 'paid', null]]);
  await bed.mine();
  t.deepEqual(bed.announced(), [[4, 'confirmed', null]]);
  await bed.mine(3);
  t.deepEqual(bed.announced(), []);
});

test('partial, overpaid, and one payment to two invoices', async (t) => {
  const bed = await startInvoiceBed(t);
  const [first, second] = [await bed.create(), await bed.create()];
  bed.payTo([first, 400], [second, 1500]);
  await bed.mine();
  t.like(await bed.get(first), { state: 'new', exception: 'partial', received_zatoshi: 400 });
  t.like(await bed.get(second), { state: 'confirmed', exception: 'overpaid', received_zatoshi: 1500 });
  bed.payTo([first, 600]);
  await bed.mine();
  t.like(await bed.get(first), { state: 'confirmed', exception: null, received_zatoshi: 1000 });
  t.is((await bed.get(first)).payments.length, 2);
});

test('an invoice expires by the clock, without a block; a cancelled one does not, and a paid one is not cancelled', async (t) => {
  const bed = await startInvoiceBed(t);
  const [first, second, third] = [await bed.create(), await bed.create(), await bed.create()];
  const cancelled = await bed.wallet.call('invoices.cancel', { invoice_id: second.invoice_id });
  t.like(cancelled, { state: 'cancelled', sequence: 4 });
  t.deepEqual(await bed.wallet.call('invoices.cancel', { invoice_id: second.invoice_id }), cancelled);
  bed.payTo([third, 1000]);
  await bed.mine();
  t.is(await bed.wallet.failure('invoices.cancel', { invoice_id: third.invoice_id }), 'INVOICE_STATE');
  bed.announced();
  bed.clock.advance(901_000);
  t.deepEqual(bed.announced(), [[6, 'expired', null]]);
  t.is((await bed.get(first)).state, 'expired');
});

test('what another branch takes back is reversed, and late where it is mined again too late', async (t) => {
  const bed = await startInvoiceBed(t);
  const [gone, again, untouched] = [await bed.create(), await bed.create(), await bed.create()];
  bed.payTo([untouched, 1000]);
  await bed.mine(2);
  const fork = bed.devnet.tip.height;
  const stolen = bed.devnet.pay([{ address: gone.address, pool: 'orchard', zatoshi: 1000n }]);
  const back = bed.devnet.pay([{ address: again.address, pool: 'orchard', zatoshi: 1000n }]);
  bed.devnet.mine({ transactions: [stolen, back] });
  await bed.mine(60);
  t.is((await bed.get(gone)).state, 'confirmed');
  bed.announced();
  bed.clock.sleep(901_000);
  bed.devnet.reorganise(
    bed.devnet.tip.height - fork,
    Array.from({ length: 62 }, (_, i) => (i === 3 ? { transactions: [back] } : {})),
  );
  await bed.wallet.call('sync.run', { source: 'node' });
  const announced = bed.announced();
  t.like(await bed.get(gone), { state: 'expired', exception: 'reversed', received_zatoshi: 0, payments: [] });
  t.like(await bed.get(again), { state: 'expired', exception: 'late', received_zatoshi: 1000 });
  t.like(await bed.get(untouched), { state: 'confirmed', exception: null });
  t.deepEqual(announced.map(([, ...change]) => change.join(' ')).sort(), [
    'expired late',
    'expired reversed',
  ]);
});

test('a clock that is behind the chain makes no payment late, and one that is ahead none punctual after a cancel', async (t) => {
  const bed = await startInvoiceBed(t);
  const inTime = (seconds: number) => {
    bed.dated.next = Date.UTC(2026, 0, 2) / 1000 + seconds;
  };
  bed.clock.sleep(86_400_000);
  inTime(0);
  await bed.mine();
  const scanned = async () => (await bed.wallet.call('system.status', { known: true })).last_scan_time;
  t.is(await scanned(), '2026-01-02T00:00:00.000Z');
  bed.clock.sleep(-3_600_000);
  const slow = await bed.create();
  t.is(slow.created_at, '2026-01-02T00:00:00.000Z');
  bed.payTo([slow, 1000]);
  inTime(60);
  await bed.mine();
  t.like(await bed.get(slow), { state: 'confirmed', exception: null });
  bed.clock.sleep(2 * 3_600_000);
  const [cancelled, partial] = [await bed.create(), await bed.create()];
  bed.payTo([partial, 400]);
  inTime(120);
  await bed.mine();
  for (const { invoice_id } of [cancelled, partial]) await bed.wallet.call('invoices.cancel', { invoice_id });
  bed.payTo([cancelled, 1000], [partial, 600]);
  inTime(180);
  await bed.mine();
  await bed.killed();
  t.is(await scanned(), '2026-01-02T00:03:00.000Z');
  t.like(await bed.get(cancelled), { state: 'cancelled', exception: 'late', received_zatoshi: 1000 });
  t.like(await bed.get(partial), { state: 'cancelled', exception: 'late', received_zatoshi: 1000 });
});

test('a payment in a block of another branch is late after a cancel, and one in a block that is scanned again is not', async (t) => {
  const bed = await startInvoiceBed(t);
  const [unpaid, partial] = [await bed.create(), await bed.create()];
  bed.payTo([partial, 400]);
  await bed.mine(4);
  for (const { invoice_id } of [unpaid, partial]) await bed.wallet.call('invoices.cancel', { invoice_id });
  await bed.wallet.call('wallet.rescan', {});
  await bed.wallet.call('sync.run', { source: 'node' });
  t.like(await bed.get(partial), { state: 'cancelled', exception: 'partial', received_zatoshi: 400 });
  const payment = bed.devnet.pay([{ address: unpaid.address, pool: 'orchard', zatoshi: 1000n }]);
  bed.devnet.reorganise(2, [{ transactions: [payment] }, {}, {}]);
  await bed.wallet.call('sync.run', { source: 'node' });
  await bed.killed();
  t.like(await bed.get(unpaid), { state: 'cancelled', exception: 'late', received_zatoshi: 1000 });
  t.like(await bed.get(partial), { state: 'cancelled', exception: 'partial', received_zatoshi: 400 });
});

test('a block with the time of the invoice counts, and one after it is late', async (t) => {
  const bed = await startInvoiceBed(t);
  const [first, second] = [await bed.create(), await bed.create()];
  bed.payTo([first, 1000]);
  bed.clock.sleep(900_000);
  await bed.mine();
  bed.payTo([second, 1000]);
  bed.clock.sleep(1000);
  await bed.mine();
  t.like(await bed.get(first), { state: 'confirmed', exception: null });
  t.like(await bed.get(second), { state: 'expired', exception: 'late', received_zatoshi: 1000 });
});

test('a restart, a rescan and a wallet with the same rows and no notes come to the same, and report nothing again', async (t) => {
  const bed = await startInvoiceBed(t);
  const [first, second] = [await bed.create({ amount_zatoshi: 1000, confirmations: 5 }), await bed.create()];
  bed.payTo([first, 1000]);
  await bed.mine();
  await bed.look();
  bed.announced();
  const before = [await bed.get(first), await bed.get(second)];
  await bed.killed();
  t.deepEqual(bed.announced(), []);
  await bed.look();
  t.deepEqual([await bed.get(first), await bed.get(second)], before);
  await bed.wallet.call('wallet.rescan');
  t.like(await bed.get(first), { state: 'new', exception: null }, 'not reversed: it is not known yet');
  await bed.wallet.call('sync.run', { source: 'node' });
  t.deepEqual([await bed.get(first), await bed.get(second)], before);
  t.deepEqual(bed.announced(), []);
});

test('what was missed is listed by number, and a page goes on where the one before ended', async (t) => {
  const bed = await startInvoiceBed(t);
  const made: Invoice[] = [];
  for (let i = 0; i < 5; i++) {
    made.push(await bed.create({ amount_zatoshi: 1000, reference: `n${i}` }));
    bed.clock.advance(1000);
  }
  bed.payTo([made[1]!, 1000]);
  await bed.mine();
  const since = await bed.wallet.call('invoices.list', { since: 3, limit: 2 });
  t.deepEqual(
    since.invoices.map(({ reference, sequence }) => [reference, sequence]),
    [
      ['n3', 4],
      ['n4', 5],
    ],
  );
  t.like(since, { has_more: true, sequence: 6 });
  const rest = await bed.wallet.call('invoices.list', { since: 5 });
  t.deepEqual(
    rest.invoices.map(({ reference, state }) => [reference, state]),
    [['n1', 'confirmed']],
  );
  const first = await bed.wallet.call('invoices.list', { limit: 3 });
  const second = await bed.wallet.call('invoices.list', { limit: 3, cursor: first.next_cursor! });
  t.deepEqual(
    [...first.invoices, ...second.invoices].map(({ reference }) => reference),
    ['n4', 'n3', 'n2', 'n1', 'n0'],
  );
  const confirmed = await bed.wallet.call('invoices.list', { state: 'confirmed' });
  t.deepEqual(
    confirmed.invoices.map(({ reference }) => reference),
    ['n1'],
  );
  t.is(
    await bed.wallet.failure('invoices.list', { since: 1, cursor: first.next_cursor! }),
    'INVALID_REQUEST',
  );
});

test('a caller that waits is answered by the change, by the end of its time, or by the lock', async (t) => {
  const bed = await startInvoiceBed(t);
  const invoice = await bed.create();
  const { invoice_id } = invoice;
  const wait = (more: object = {}) =>
    bed.wallet.call('invoices.get', { invoice_id, wait_seconds: 30, ...more });
  t.is((await wait({ after: 0 })).sequence, 1);
  const changed = wait();
  bed.payTo([invoice, 1000]);
  await bed.look();
  t.is((await changed).state, 'seen');
  const late = wait();
  bed.clock.advance(30_000);
  t.is((await late).sequence, 2);
  const locked = bed.wallet.failure('invoices.get', { invoice_id, wait_seconds: 30 });
  await bed.wallet.call('wallet.lock');
  t.is(await locked, 'WALLET_LOCKED');
  t.is(await bed.wallet.failure('invoices.list', {}), 'WALLET_LOCKED');
});

test('invoices open with a new password, and no longer with the old one', async (t) => {
  const bed = await startInvoiceBed(t);
  const invoice = await bed.create();
  await bed.wallet.call('wallet.change_password', { password: PASSWORD, new_password: 'another one' });
  const second = await bed.create();
  t.like(await bed.get(invoice), { address: invoice.address });
  await bed.wallet.call('wallet.lock');
  await bed.wallet.call('wallet.unlock', { password: 'another one' });
  const { invoices } = await bed.wallet.call('invoices.list');
  t.deepEqual(new Set(invoices.map(({ address }) => address)), new Set([invoice.address, second.address]));
});

test('what cannot be written is not announced, and announced once it can be; what was written and not announced is listed', async (t) => {
  const bed = await startInvoiceBed(t);
  const invoice = await bed.create();
  bed.announced();
  bed.payTo([invoice, 1000]);
  bed.failWrites(true);
  await bed.look();
  t.deepEqual(bed.announced(), []);
  t.is((await bed.get(invoice)).sequence, 1);
  t.is(await bed.wallet.failure('invoices.create', {}), 'STORAGE_FAILED');
  t.is((await bed.wallet.call('invoices.list')).invoices.length, 1);
  bed.failWrites(false);
  await bed.look();
  t.deepEqual(bed.announced(), [[2, 'seen', null]]);
  await bed.killed();
  t.deepEqual(bed.announced(), [], 'the mempool was not looked at: it may still be there');
  const { invoices } = await bed.wallet.call('invoices.list', { since: 1 });
  t.deepEqual(
    invoices.map(({ sequence, unmined_zatoshi }) => [sequence, unmined_zatoshi]),
    [[2, null]],
  );
  await bed.mine();
  t.deepEqual(bed.announced(), [[3, 'confirmed', null]]);
  const second = await bed.create({ amount_zatoshi: 7, confirmations: 20 });
  bed.announced();
  bed.payTo([second, 7]);
  bed.failWrites(true);
  await bed.mine();
  t.deepEqual(bed.announced(), []);
  bed.failWrites(false);
  await bed.mine();
  t.deepEqual(bed.announced(), [[5, 'paid', null]], 'no payment and no height brings it back');
});

test('invoices that do not open do not keep the wallet locked', async (t) => {
  const bed = await startInvoiceBed(t);
  const invoice = await bed.create();
  await bed.wallet.call('wallet.lock');
  fs.writeFileSync(path.join(bed.wallet.folder, 'invoices.db'), 'something else');
  await bed.wallet.call('wallet.unlock', { password: PASSWORD });
  t.is(await bed.wallet.failure('invoices.get', { invoice_id: invoice.invoice_id }), 'WALLET_CORRUPT');
  t.is(await bed.wallet.failure('invoices.create', {}), 'WALLET_CORRUPT');
  t.is((await bed.wallet.call('balance.get')).total_zatoshi, 0);
  t.is(fs.readFileSync(path.join(bed.wallet.folder, 'invoices.db'), 'utf8'), 'something else');
});
