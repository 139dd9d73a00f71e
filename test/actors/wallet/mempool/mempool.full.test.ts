// Unmined transactions from the first sight of them to the block, or to their end, by a node and by a compact server.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import {
  parseTransaction,
  serializeTransaction,
  transactionContents,
  txid as txidOf,
} from '@wallet-companion/zcash/transactions';
import test from 'ava';
import { type MempoolSource, startMempoolBed } from '../../../helpers/mempoolBed.ts';

const SOURCES: readonly MempoolSource[] = ['node', 'compact'];
/** As the devnet's transactions expire. */
const EXPIRY_DELTA = 40;

/** The same spends, with outputs that nobody can read. */
function withoutOurNotes({ bytes }: { readonly bytes: Uint8Array }) {
  const contents = transactionContents(parseTransaction(bytes));
  const { ironwood } = contents;
  if (ironwood === undefined) throw new Error('it has no Ironwood actions');
  const actions = ironwood.actions.map((action) => ({
    ...action,
    encCiphertext: new Uint8Array(action.encCiphertext.length).fill(7),
  }));
  const changed = serializeTransaction({ ...contents, ironwood: { ...ironwood, actions } });
  return { txid: txidOf(parseTransaction(changed)), bytes: changed };
}

for (const source of SOURCES) {
  test(`${source}: a payment is seen, listed apart, and counted once when it is mined`, async (t) => {
    const { devnet, wallet, pay, look, sync, amounts, reported } = await startMempoolBed(t);
    await sync(source);
    t.deepEqual(await amounts(), [0, null, null]);
    t.like(await wallet.call('mempool.list'), { looked_at: null, complete: false, transactions: [] });

    const payment = pay(7_000n, 'order 17');
    devnet.mempool.put(payment);
    devnet.mempool.put(devnet.traffic({ ironwood: 2 }));
    const seen = await look(source);
    const txid = txIdToHex(payment.txid);
    t.like(seen, { source, complete: true, trouble: null, unconfirmed_zatoshi: 7_000 });
    t.is(seen.transactions.length, 1);
    t.like(seen.transactions[0], { txid, expiry_height: 4 + EXPIRY_DELTA, spends: [] });
    t.like(seen.transactions[0]!.notes[0], { value_zatoshi: 7_000, memo: { text: 'order 17' } });
    t.deepEqual(await amounts(), [0, 7_000, 0]);
    t.is(reported('note.seen').length, 1);
    t.like(reported('note.seen')[0]!.data, { txid, value_zatoshi: 7_000, pool: 'ironwood' });
    t.false(JSON.stringify(wallet.events).includes('order 17'));
    const unmined = [{ txid, state: 'seen', received_zatoshi: 7_000, spent_zatoshi: 0 }];
    t.deepEqual(
      reported('transaction.unmined').map(({ data }) => data),
      unmined as never,
    );

    await look(source);
    t.is(reported('note.seen').length, 1);
    devnet.mine({ transactions: [payment] });
    await sync(source);
    t.deepEqual(await amounts(), [7_000, 0, 0]);
    t.is(reported('note.received')[0]!.data.txid, txid);
    await look(source);
    t.deepEqual(await amounts(), [7_000, 0, 0]);
    t.like(await wallet.call('mempool.list'), { transactions: [], vanished: [] });
    t.deepEqual(reported('transaction.vanished'), []);
    t.is(reported('transaction.unmined').length, 1);
    t.is((await wallet.call('changes.list')).changes.filter(({ kind }) => kind === 'received').length, 1);
  });

  test(`${source}: our own unmined spend marks its note and changes no total`, async (t) => {
    const { devnet, wallet, account, address, pay, look, sync, amounts } = await startMempoolBed(t);
    devnet.mine({ transactions: [pay(100_000n)] });
    await sync(source);
    const payments = [{ address, pool: 'ironwood', zatoshi: 30_000n }] as const;
    const spend = devnet.spend(account, { from: 'ironwood', payments });
    devnet.mempool.put(spend);
    const { transactions } = await look(source);
    t.deepEqual(transactions[0]!.notes.map(({ scope }) => scope).sort(), ['external', 'internal']);
    t.like(transactions[0]!.spends[0], { value_zatoshi: 100_000 });
    const fee = Number(spend.fee);
    t.deepEqual(await amounts(), [100_000, 100_000 - fee, 100_000]);
    const marked = await wallet.call('notes.list');
    t.deepEqual(
      marked.notes.map(({ spent, spent_unconfirmed }) => [spent, spent_unconfirmed]),
      [[null, { txid: txIdToHex(spend.txid) }]],
    );
    t.deepEqual((await wallet.call('mempool.list', { account: 0 })).transactions.length, 1);
    devnet.mine({ transactions: [spend] });
    await sync(source);
    t.deepEqual(await amounts(), [100_000 - fee, 0, 0]);
    t.true((await wallet.call('notes.list')).notes.every(({ spent_unconfirmed: by }) => by === null));
  });

  test(`${source}: what is not mined up to its expiry height vanishes as expired`, async (t) => {
    const { devnet, wallet, pay, look, sync, amounts, reported } = await startMempoolBed(t);
    await sync(source);
    const payment = pay(7_000n);
    devnet.mempool.put(payment);
    await look(source);
    devnet.mineEmpty(EXPIRY_DELTA);
    await sync(source);
    t.deepEqual(await amounts(), [0, 7_000, 0]);
    devnet.mine();
    await sync(source);
    t.deepEqual(await amounts(), [0, 0, 0]);
    t.deepEqual(
      reported('transaction.vanished').map(({ data }) => data),
      [{ txid: txIdToHex(payment.txid), reason: 'expired', received_zatoshi: 7_000, spent_zatoshi: 0 }],
    );
    t.deepEqual(
      reported('transaction.unmined').map(({ data }) => data.state),
      ['seen', 'expired'],
    );
    t.like((await wallet.call('mempool.list')).vanished[0], { reason: 'expired', received_zatoshi: 7_000 });
  });

  test(`${source}: what spends a note that another transaction has spent vanishes as conflicted`, async (t) => {
    const { devnet, account, address, pay, look, sync, amounts, reported } = await startMempoolBed(t);
    devnet.mine({ transactions: [pay(100_000n)] });
    await sync(source);
    const spend = (zatoshi: bigint) =>
      devnet.spend(account, { from: 'ironwood', payments: [{ address, pool: 'ironwood', zatoshi }] });
    const [loser, winner] = [spend(10_000n), spend(20_000n)];
    devnet.mempool.put(loser);
    await look(source);
    devnet.mine({ transactions: [winner] });
    await sync(source);
    t.deepEqual(
      reported('transaction.vanished').map(({ data }) => [data.txid, data.reason]),
      [[txIdToHex(loser.txid), 'conflicted']],
    );
    const loserNotes = 100_000 - Number(loser.fee);
    t.deepEqual(
      reported('transaction.unmined').map(({ data }) => [
        data.state,
        data.received_zatoshi,
        data.spent_zatoshi,
      ]),
      [
        ['seen', loserNotes, 100_000],
        // The note is spent by then.
        ['replaced', loserNotes, 0],
      ],
    );
    t.deepEqual(await amounts(), [100_000 - Number(winner.fee), 0, 0]);
    // A server that is behind goes on listing it.
    devnet.mempool.put(loser);
    t.deepEqual((await look(source)).transactions, []);
    t.is(reported('note.seen').length, 2);
  });

  test(`${source}: a reorganisation puts it back into the mempool, and it counts once`, async (t) => {
    const { devnet, pay, look, sync, amounts, reported } = await startMempoolBed(t);
    await sync(source);
    const payment = pay(7_000n);
    devnet.mempool.put(payment);
    await look(source);
    devnet.mine({ transactions: [payment] });
    await sync(source);
    await look(source);
    t.deepEqual(await amounts(), [7_000, 0, 0]);

    devnet.reorganise(1);
    devnet.mempool.put(payment);
    await sync(source);
    await look(source);
    t.deepEqual(await amounts(), [0, 7_000, 0]);
    devnet.mine({ transactions: [payment] });
    await sync(source);
    t.deepEqual(await amounts(), [7_000, 0, 0]);
    await look(source);
    t.deepEqual(await amounts(), [7_000, 0, 0]);
    t.deepEqual(reported('transaction.vanished'), []);
  });

  test(`${source}: a server without a mempool says so, and is no failure`, async (t) => {
    const { devnet, wallet, look, sync, amounts } = await startMempoolBed(t);
    await sync(source);
    if (source === 'node') devnet.node.misbehave({ kind: 'error', method: 'getrawmempool' });
    else devnet.compact.misbehave({ kind: 'not-offered', method: 'GetMempoolStream' });
    devnet.mempool.put(devnet.traffic({ ironwood: 2 }));
    const answer = await look(source);
    t.like(answer, { looked_at: null, complete: false, unconfirmed_zatoshi: null, transactions: [] });
    t.is(answer.trouble?.code, 'NOT_OFFERED');
    t.deepEqual(await amounts(), [0, null, null]);
    devnet.node.behave();
    devnet.compact.behave();
    t.like(await look(source), { trouble: null, complete: true, unconfirmed_zatoshi: 0 });

    if (source === 'node') devnet.node.misbehave({ kind: 'http-500', method: 'getrawmempool' });
    else devnet.compact.misbehave({ kind: 'error', method: 'GetMempoolStream' });
    const code = source === 'node' ? 'NODE_BAD_RESPONSE' : 'COMPACT_SERVER_UNREACHABLE';
    t.is(await wallet.failure('mempool.look', { source }), code);
    t.is((await wallet.call('mempool.list')).trouble?.code, code);
  });
}

test('a node that has it no more, once every block up to then was scanned, has dropped it', async (t) => {
  const { devnet, pay, look, sync, amounts, reported } = await startMempoolBed(t);
  await sync('node');
  const [dropped, mined] = [pay(7_000n), pay(8_000n)];
  devnet.mempool.put(dropped);
  devnet.mempool.put(mined);
  await look('node');
  devnet.mine({ transactions: [mined] });
  devnet.mempool.drop(dropped.txid);
  // What happened in the block is not known yet: neither is gone.
  await look('node');
  t.deepEqual(await amounts(), [0, 15_000, 0]);
  t.deepEqual(reported('transaction.vanished'), []);
  await sync('node');
  t.deepEqual(
    reported('transaction.vanished').map(({ data }) => [data.txid, data.reason, data.received_zatoshi]),
    [[txIdToHex(dropped.txid), 'dropped', 7_000]],
  );
  t.like(reported('transaction.unmined').at(-1)!.data, { txid: txIdToHex(dropped.txid), state: 'dropped' });
  t.deepEqual(await amounts(), [8_000, 0, 0]);
  // It comes back.
  devnet.mempool.put(dropped);
  await look('node');
  t.deepEqual(await amounts(), [8_000, 7_000, 0]);
  t.is(reported('note.seen').length, 3);
});

test('nothing is looked at unless somebody asks, and nothing is left after the lock', async (t) => {
  const { devnet, wallet, pay, look, sync, amounts } = await startMempoolBed(t);
  await sync('node');
  devnet.mempool.put(pay(7_000n));
  await wallet.call('balance.get');
  await wallet.call('mempool.list');
  t.is(devnet.node.callCount('getrawmempool'), 0);
  await look('node');
  t.deepEqual(await amounts(), [0, 7_000, 0]);
  await wallet.call('wallet.lock');
  t.is(await wallet.failure('mempool.list'), 'WALLET_LOCKED');
  t.is(await wallet.failure('mempool.look'), 'WALLET_LOCKED');
  await wallet.call('wallet.unlock', { password: 'correct horse battery staple' });
  t.deepEqual(await amounts(), [0, null, null]);
});

test('a spend of a note that is scanned only afterwards is found by the next look', async (t) => {
  const { devnet, account, address, pay, look, sync, amounts } = await startMempoolBed(t);
  await sync('node');
  devnet.mine({ transactions: [pay(100_000n)] });
  // Nothing in it is ours but the note it spends, which is not known yet.
  const payments = [{ address, pool: 'ironwood', zatoshi: 1n }] as const;
  const spend = withoutOurNotes(devnet.spend(account, { from: 'ironwood', payments }));
  devnet.mempool.put(spend);
  await look('node');
  t.deepEqual(await amounts(), [0, 0, 0]);
  await sync('node');
  await look('node');
  t.deepEqual(await amounts(), [100_000, 0, 100_000]);
  // From then on it is known.
  const asked = devnet.node.callCount('getrawtransaction');
  await look('node');
  t.is(devnet.node.callCount('getrawtransaction'), asked);
});
