// Several payments signed by one device at once: the request, the answer with bare signatures, and what is no answer to it.

import { batchResultOf, batchResultUr, signBatchUr } from '@wallet-companion/devices/ur';
import { decodeBatchSignatures, encodeBatchSignatures } from '@wallet-companion/pczt/pczt';
import { SEED } from '@wallet-companion/pczt/test/spendingAccount';
import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../../../src/protocol/operations.ts';
import { keystoneBatchAnswer } from '../../../devices/mockKeystoneBatch.ts';
import {
  type PaymentStory,
  pcztIn,
  type StoryOptions,
  startPaymentStory,
} from '../../../helpers/paymentStoryBed.ts';

const ZEC = 100_000_000;

async function bedWith(t: ExecutionContext, count: number, options: StoryOptions = {}) {
  const notes = Array.from({ length: count }, () => ['ironwood', ZEC] as const);
  const bed = await startPaymentStory(t, { notes, ...options });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await bed.prepare({ zatoshi: 60_000_000 + i })).payment_id);
  return { bed, ids };
}

const urOf = ({ batch, request_id }: Output<'payments.batch'>) =>
  signBatchUr({ data: Buffer.from(batch, 'base64'), requestId: Buffer.from(request_id, 'hex') });

const answerTo = (bed: PaymentStory, request: Output<'payments.batch'>, seed = SEED): Uint8Array =>
  batchResultOf(keystoneBatchAnswer(urOf(request), { seed, params: bed.params })).data;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

test('three payments are signed at once, proved, sent and mined', async (t) => {
  const { bed, ids } = await bedWith(t, 3);
  const request = await bed.wallet.call('payments.batch', { payment_ids: ids });
  t.is(request.signatures, 3);
  const ur = keystoneBatchAnswer(urOf(request), { seed: SEED, params: bed.params });
  t.deepEqual(batchResultOf(ur).requestId, new Uint8Array(Buffer.from(request.request_id, 'hex')));
  const { payments } = await bed.wallet.call('payments.combine_batch', {
    payment_ids: ids,
    answer: base64(batchResultOf(ur).data),
  });
  t.deepEqual(
    payments.map(({ payment_id, signatures_added: count }) => [payment_id, count]),
    ids.map((id) => [id, 1]),
  );
  for (const id of ids) {
    t.is((await bed.wallet.call('payments.prove', { payment_id: id })).status, 'complete');
    await bed.broadcast(id);
  }
  await bed.mine();
  for (const id of ids) t.is((await bed.get(id)).status, 'mined');
  const again = await bed.wallet.failure('payments.batch', { payment_ids: ids });
  t.is(again, 'PAYMENT_STATE');
});

test('an answer in another order, with too little, or of other bytes is refused', async (t) => {
  const { bed, ids } = await bedWith(t, 2);
  const request = await bed.wallet.call('payments.batch', { payment_ids: ids });
  const answer = answerTo(bed, request);
  const combine = (payment_ids: readonly string[], bytes: Uint8Array) =>
    bed.wallet.failure('payments.combine_batch', { payment_ids: [...payment_ids], answer: base64(bytes) });
  t.is(await combine(ids.toReversed(), answer), 'PCZT_CHANGED');
  t.is(await combine(ids.slice(1), answer), 'INVALID_REQUEST');
  t.is(await combine(ids, answer.slice(0, -1)), 'INVALID_REQUEST');
  t.is(await combine(ids, Buffer.from('PCZT')), 'INVALID_REQUEST');
  const [first = [], second = []] = decodeBatchSignatures(answer);
  const elsewhere = encodeBatchSignatures([first.map((one) => ({ ...one, index: 9 })), second]);
  t.is(await combine(ids, elsewhere), 'INVALID_REQUEST');
  for (const id of ids) t.is((await bed.get(id)).missing[0]!.signatures, 1, 'nothing was taken');
  const half = encodeBatchSignatures([first, []]);
  const { payments } = await bed.wallet.call('payments.combine_batch', {
    payment_ids: ids,
    answer: base64(half),
  });
  t.deepEqual(
    payments.map(({ signatures_added, left_out }) => [signatures_added, left_out.length]),
    [
      [1, 0],
      [0, 1],
    ],
  );
  const other = await bed.wallet.call('payments.combine_batch', {
    payment_ids: ids,
    answer: base64(answerTo(bed, request, new Uint8Array(64).fill(9))),
  });
  t.deepEqual(
    other.payments.map(({ signatures_added }) => signatures_added),
    [0, 0],
    'a device with another seed signs nothing',
  );
});

test('what no device signs in a batch is reported before', async (t) => {
  const { bed, ids } = await bedWith(t, 1, {
    notes: [
      ['ironwood', ZEC],
      ['sapling', ZEC],
    ],
  });
  const sapling = await bed.prepare({ zatoshi: 50_000_000, pools: ['sapling'], privacy: ['crossing_pools'] });
  const refused = async (payment_ids: readonly string[]) => {
    await bed.wallet.failure('payments.batch', { payment_ids: [...payment_ids] });
    const result = await bed.wallet.link.dispatch(
      'payments.batch',
      { payment_ids: [...payment_ids] },
      { requestId: 'test' },
    );
    return result.ok ? 'taken' : [result.error.code, result.error.errors?.[0]?.path];
  };
  t.deepEqual(await refused([ids[0]!, sapling.payment_id]), ['INVALID_REQUEST', 'payment_ids.1']);
  t.deepEqual(await refused([ids[0]!, ids[0]!]), ['INVALID_REQUEST', 'payment_ids']);
  t.deepEqual(await refused([]), ['INVALID_REQUEST', 'payment_ids']);
  t.deepEqual(await refused(['ab'.repeat(16)]), ['NOT_FOUND', undefined]);
  await bed.combine(ids[0]!, bed.signed(pcztIn(await bed.signerView(ids[0]!))));
  t.deepEqual(await refused(ids), ['INVALID_REQUEST', 'payment_ids.0']);
});

test('the mock refuses what the firmware refuses', async (t) => {
  const { bed, ids } = await bedWith(t, 1);
  const { batch } = await bed.wallet.call('payments.batch', { payment_ids: ids });
  const device = { seed: SEED, params: bed.params };
  const data = Buffer.from(batch, 'base64');
  const requestId = new Uint8Array(16);
  t.throws(() =>
    keystoneBatchAnswer(batchResultUr({ data, requestId, firmwareVersion: new Uint8Array(3) }), device),
  );
  t.notThrows(() => keystoneBatchAnswer(signBatchUr({ data, requestId }), device));
  t.throws(() =>
    keystoneBatchAnswer(
      signBatchUr({ data: Buffer.concat([data, Buffer.alloc(1 << 20)]), requestId }),
      device,
    ),
  );
});
