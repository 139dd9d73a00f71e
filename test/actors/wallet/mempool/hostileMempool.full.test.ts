// Mempools that lie or are flooded: each transaction is fetched and decrypted once, memory has a bound, and nothing fails.

import { runs } from '@wallet-companion/base/test/atLength';
import { asTxId, txIdToHex } from '@wallet-companion/zcash/identifiers';
import { parseTransaction, serializeTransaction, txid } from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { type MempoolSource, startMempoolBed } from '../../../helpers/mempoolBed.ts';

const SOURCES: readonly MempoolSource[] = ['node', 'compact'];
/** More than one look takes. */
const FLOOD = runs(5_000, 10_000);

/** Without shielded parts, each another one. */
function transparent(lockTime: number) {
  const bytes = serializeTransaction({
    version: 4,
    consensusBranchId: 0,
    lockTime,
    expiryHeight: 0,
    inputs: [],
    outputs: [],
  });
  return { txid: txid(parseTransaction(bytes)), bytes };
}

for (const source of SOURCES) {
  test(`${source}: garbage costs the others nothing, and is asked for once`, async (t) => {
    const { devnet, pay, look, sync, wallet } = await startMempoolBed(t);
    await sync(source);
    const payment = pay(7_000n);
    const rubbish = (fill: number, bytes: Uint8Array) =>
      devnet.mempool.put({ txid: asTxId(new Uint8Array(32).fill(fill)), bytes });
    rubbish(1, new Uint8Array(0));
    rubbish(
      2,
      Uint8Array.from({ length: 3_000 }, (_, i) => (i * 73) & 0xff),
    );
    rubbish(3, payment.bytes.subarray(0, payment.bytes.length - 1));
    rubbish(4, Uint8Array.from([...payment.bytes, 0]));
    devnet.mempool.put(payment);
    t.like(await look(source), { complete: true, trouble: null, unconfirmed_zatoshi: 7_000 });
    const asked = devnet.node.callCount('getrawtransaction');
    t.like(await look(source), { complete: true, unconfirmed_zatoshi: 7_000 });
    t.is(devnet.node.callCount('getrawtransaction'), asked);
    t.deepEqual(wallet.faults, []);
  });

  test(`${source}: thousands of transactions are looked at in bounded steps, each once`, async (t) => {
    const { devnet, pay, look, sync, amounts } = await startMempoolBed(t);
    await sync(source);
    for (let i = 0; i < FLOOD; i++) devnet.mempool.put(transparent(i));
    devnet.mempool.put(pay(7_000n));
    const first = await look(source);
    t.like(first, { complete: false, trouble: null, unconfirmed_zatoshi: 0 });
    if (source === 'node') t.true(devnet.node.callCount('getrawtransaction') < FLOOD / 2);
    const streams = devnet.compact.callCount('GetMempoolStream');
    let looks = 1;
    while (!(await look(source)).complete) looks += 1;
    t.true(looks < 10, `${looks} looks`);
    t.deepEqual(await amounts(), [0, 7_000, 0]);
    if (source === 'node') t.is(devnet.node.callCount('getrawtransaction'), FLOOD + 1);
    // One for each look, not one for each step of it.
    else t.is(devnet.compact.callCount('GetMempoolStream') - streams, looks);
  });
}

test('a transaction under the txid of another one is no transaction', async (t) => {
  const { devnet, pay, look, sync, reported } = await startMempoolBed(t);
  await sync('node');
  const [payment, other] = [pay(7_000n), pay(8_000n)];
  devnet.mempool.put({ txid: other.txid, bytes: payment.bytes });
  t.like(await look('node'), { complete: true, unconfirmed_zatoshi: 0, transactions: [] });
  devnet.mempool.put(payment);
  const { transactions } = await look('node');
  t.deepEqual(
    transactions.map((one) => one.txid),
    [txIdToHex(payment.txid)],
  );
  t.is(reported('note.seen').length, 1);
});

test('messages that are no transactions, and a stream without end', async (t) => {
  const { devnet, stream, pay, look, sync } = await startMempoolBed(t);
  await sync('compact');
  devnet.mempool.put(pay(7_000n));
  devnet.compact.misbehave({ kind: 'garbage', method: 'GetMempoolStream', times: 1 });
  t.like(await look('compact'), { complete: true, unconfirmed_zatoshi: 0 });
  devnet.compact.misbehave({ kind: 'flood', method: 'GetMempoolStream', times: 1 });
  stream.isEndless = true;
  const flooded = await look('compact');
  stream.isEndless = false;
  t.is(flooded.trouble?.code, 'TOO_MUCH');
  t.like(await look('compact'), { trouble: null, unconfirmed_zatoshi: 7_000 });
});
