// Receipts from the moment a payment is sent until a reorganisation takes it out of the chain, and what a stranger's companion says.
// It makes payments on a devnet, which takes seconds.

import test from 'ava';
import { examples } from '../../../../scripts/generate/examples.ts';
import { SOURCES, startPaymentStory } from '../../../helpers/paymentStoryBed.ts';
import { startWallet } from '../../../helpers/walletHarness.ts';

for (const source of SOURCES)
  test(`${source}: a receipt is pending, then valid, then pending again where its block is gone`, async (t) => {
    const bed = await startPaymentStory(t, { source });
    const { payment_id: id, txid } = await bed.prepare({ zatoshi: 60_000_000, memo: 'order 17' });
    const made = (more: object = {}) => bed.call('receipts.create', { txid, source, ...more });
    t.is((await t.throwsAsync(made()))?.message.includes('no such transaction'), true, 'never sent');
    await bed.complete(id);
    await bed.broadcast(id);
    const { receipts, warning } = await made({ label: 'invoice 17' });
    t.is(receipts.length, 1, 'change has none');
    t.regex(warning, /not prove who paid/);
    const [{ receipt, ...shown }] = receipts as [(typeof receipts)[number]];
    t.like(shown, { value_zatoshi: 60_000_000, memo: { text: 'order 17' }, label: 'invoice 17' });
    t.deepEqual((await made({ output_index: shown.output_index, label: 'invoice 17' })).receipts, receipts);
    await t.throwsAsync(made({ output_index: 99 }), { message: /nobody else/ });

    const verify = (more: object = {}) => bed.call('receipts.verify', { receipt, source, ...more });
    t.like(await verify(), { result: 'pending', reason: 'not_mined', ...shown, chain: 'not_mined' });
    await bed.mine(2);
    const height = bed.devnet.tip.height - 1;
    t.like(await verify(), {
      result: 'valid',
      reason: null,
      ...shown,
      mined_height: height,
      confirmations: 2,
    });
    bed.devnet.reorganise(2, [{}, {}, {}]);
    bed.devnet.mempool.drop(Buffer.from(txid, 'hex').reverse() as never);
    t.like(await verify(), { result: 'pending', reason: 'not_found', value_zatoshi: null, chain: 'unknown' });
  });

test('each wrong receipt has its answer, and a given transaction asks no server', async (t) => {
  const bed = await startPaymentStory(t);
  const { payment_id: id, txid } = await bed.prepare({ zatoshi: 60_000_000 });
  await bed.complete(id);
  await bed.broadcast(id);
  await bed.mine();
  const { receipts } = await bed.call('receipts.create', { txid });
  const { receipt } = receipts[0]!;
  const json = JSON.parse(Buffer.from(receipt, 'base64url').toString());
  const raw = bed.devnet.blocks.byTxid(txid)!.transaction.bytes;
  const stranger = await startWallet(t, {
    config: { network: 'regtest' },
    openNode: () => t.fail() as never,
    openCompact: () => t.fail() as never,
  });
  t.teardown(() => stranger.stop());
  const verify = (change: object, transaction: Uint8Array = raw) =>
    stranger.call('receipts.verify', {
      receipt: JSON.stringify({ ...json, ...change }),
      transaction: Buffer.from(transaction).toString('hex'),
    });
  t.like(await verify({}), {
    result: 'valid',
    chain: 'not_asked',
    value_zatoshi: 60_000_000,
    confirmations: null,
  });
  const ock = `${json.ock[0] === 'A' ? 'B' : 'A'}${json.ock.slice(1)}`;
  t.like(await verify({ ock }), { result: 'invalid', reason: 'does_not_open', recipient: null });
  t.like(await verify({ output_index: 70 }), { result: 'invalid', reason: 'no_such_output' });
  t.like(await verify({ network: 'main' }), { result: 'invalid', reason: 'other_network' });
  t.like(await verify({ txid: '00'.repeat(32) }), { result: 'invalid', reason: 'other_transaction' });
  t.like(await verify({ challenge: 'YQ' }), { result: 'invalid', reason: 'other_challenge' });
  await t.throwsAsync(stranger.call('receipts.verify', { receipt: receipt.slice(0, -8) }), {
    message: /receipt/,
  });
  await t.throwsAsync(verify({}, raw.subarray(0, 90)), { message: /transaction/ });
  t.like(await stranger.call('receipts.verify', { receipt: examples['receipts.verify'].input.receipt }), {
    result: 'invalid',
    reason: 'other_network',
  });
});
