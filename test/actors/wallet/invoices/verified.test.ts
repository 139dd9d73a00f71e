// Invoices that demand a mark: what a compact server alone reports is `seen` and no more, until a node gives the block.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { orchardAddress } from '@wallet-companion/pczt/test/spendingAccount';
import { compactFromTransaction, encodeCompactTransaction } from '@wallet-companion/zcash/compactBlocks';
import { CompactBlockSchema, CompactTxSchema } from '@wallet-companion/zcash/compactProto';
import { parseTransaction } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { type Invoice, startInvoiceBed } from '../../../helpers/invoiceBed.ts';
import { startLyingCompactServer } from '../../../helpers/lyingSources.ts';
import { PASSWORD, startWallet } from '../../../helpers/walletHarness.ts';

const ONE = { amount_zatoshi: 1000, confirmations: 1 };

test('an output that a compact server made up moves no invoice past seen, and no mark goes with it', async (t) => {
  const bed = await startInvoiceBed(t);
  const { devnet, wallet } = bed;
  const [careful, careless] = [await bed.create(ONE), await bed.create({ ...ONE, require_verified: false })];
  t.deepEqual([careful.require_verified, careless.require_verified], [true, false]);
  const madeUp = devnet.pay(
    [careful, careless].map(({ address }) => ({ address, pool: 'ironwood' as const, zatoshi: 1000n })),
  );
  const { ironwoodActions: outputs } = fromBinary(
    CompactTxSchema,
    encodeCompactTransaction(compactFromTransaction(parseTransaction(madeUp.bytes), 1)!),
  );
  const server = await startLyingCompactServer(t, bed.compactUrl);
  server.lie = (method, message) => {
    if (!method.startsWith('GetBlock')) return [message];
    const block = fromBinary(CompactBlockSchema, message);
    for (const { ironwoodActions: honest } of block.vtx) honest.splice(0, outputs.length, ...outputs);
    return [toBinary(CompactBlockSchema, block)];
  };
  await wallet.call('config.compact_server_url', { url: server.url });
  devnet.mine({
    transactions: [
      devnet.pay([1n, 2n].map((zatoshi) => ({ address: orchardAddress(9), pool: 'ironwood', zatoshi }))),
    ],
  });
  // With a node at hand the scan would find at once that the transaction is not in the block.
  await wallet.call('config.node_url', { url: 'http://127.0.0.1:1' });
  await bed.sync('compact');
  t.like(await bed.get(careful), {
    state: 'seen',
    received_zatoshi: 1000,
    verified_with: null,
    payments: [{ verified_with: null }],
  });
  t.like(await bed.get(careless), { state: 'confirmed', verified_with: null });
});

test('the mark that comes later moves the invoice on by itself, once, and a scan without it takes nothing back', async (t) => {
  const bed = await startInvoiceBed(t);
  const { wallet } = bed;
  const [invoice, parted] = [await bed.create(ONE), await bed.create(ONE)];
  bed.devnet.payTo(parted.address, { pool: 'ironwood', zatoshi: 400n });
  bed.devnet.payTo(invoice.address, { pool: 'ironwood', zatoshi: 1000n });
  bed.announced();
  await bed.sync('compact');
  t.deepEqual(bed.announced(), [
    [3, 'new', 'partial'],
    [4, 'seen', null],
  ]);
  await bed.pass(Date.parse(invoice.expires_at) - Date.parse(invoice.created_at) + 60_000);
  t.like(await bed.get(invoice), { state: 'seen', sequence: 4 });
  const height = (await bed.get(invoice)).payments[0]!.height!;
  const again = (source: 'node' | 'compact') =>
    wallet.call('sync.run', { source, start_height: height, end_height: height });
  await again('node');
  t.deepEqual(bed.announced().at(-1), [6, 'confirmed', null]);
  t.like(await bed.get(invoice), { verified_with: 'node', payments: [{ verified_with: 'node' }] });
  await again('compact');
  t.deepEqual(bed.announced(), []);
  t.like(await bed.get(invoice), { state: 'confirmed', verified_with: 'node' });
});

test('each answer, event and file with what a block moved has the mark of the block', async (t) => {
  const bed = await startInvoiceBed(t);
  const { wallet } = bed;
  const rows = async (): Promise<unknown[]> => {
    const [note, transaction, change, row] = [
      (await wallet.call('notes.list')).notes[0],
      (await wallet.call('transactions.list')).transactions[0],
      (await wallet.call('changes.list')).changes[0],
      (await wallet.call('transactions.export', { format: 'json' })).rows![0],
    ];
    const { verified_with: whole } = await wallet.call('transactions.export');
    const { verified_with: held } = await wallet.call('balance.at', { height: note!.height });
    return [...[note, transaction, change, row].map((one) => one!.verified_with), whole, held];
  };
  bed.devnet.mine({ transactions: [bed.pay(7n)] });
  await bed.sync('compact');
  t.is(bed.reported('note.received')[0]!.data.verified_with, null);
  t.deepEqual(await rows(), Array(6).fill(null));
  await wallet.call('sync.run', { source: 'node', start_height: 1, end_height: 9 });
  t.deepEqual(await rows(), Array(6).fill('node'));
  t.regex((await wallet.call('transactions.export')).text!, /,verified_with,refund_of,.*\r\n.*,node,"",/);
  t.regex((await wallet.call('transactions.export', { format: 'beancount' })).text!, /verified-with: "node"/);
});

test('without a configured node no mark is demanded, and another demand is another invoice', async (t) => {
  const bed = await startInvoiceBed(t);
  const made: Invoice = await bed.create({ ...ONE, reference: 'a' });
  t.is((await bed.create({ ...ONE, reference: 'a' })).invoice_id, made.invoice_id);
  const other = { ...ONE, reference: 'a', require_verified: false };
  t.is(await bed.wallet.failure('invoices.create', other), 'REFERENCE_IN_USE');
  const alone = await startWallet(t, { config: { network: 'regtest' } });
  await alone.call('wallet.create', { password: PASSWORD, birthday_height: 1 });
  t.false((await alone.call('invoices.create')).require_verified);
});
