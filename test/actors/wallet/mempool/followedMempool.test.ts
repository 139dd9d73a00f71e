// The mempool while follow mode is on: looked at between blocks, from a compact server over the stream that tells of the
// next one.

import { txIdToHex } from '@wallet-companion/zcash/identifiers';
import test from 'ava';
import { FOLLOW_POLL_MS } from '../../../../src/actors/wallet/follow/follower.ts';
import { type MempoolSource, startMempoolBed } from '../../../helpers/mempoolBed.ts';

const following = async (source: MempoolSource, bed: Awaited<ReturnType<typeof startMempoolBed>>) => {
  await bed.wallet.call('config.block_source', { source });
  await bed.wallet.call('follow.set', { enabled: true });
  await bed.pass(0);
};

/** Time goes on meanwhile: a look at the chain does not begin one at the mempool while another one runs. */
const afterLooks = ({ pass, until }: Awaited<ReturnType<typeof startMempoolBed>>, holds: () => boolean) =>
  until(async () => {
    await pass(FOLLOW_POLL_MS);
    return holds();
  });

test('node: with each look at the chain', async (t) => {
  const bed = await startMempoolBed(t);
  const { devnet, pay, reported, amounts } = bed;
  await following('node', bed);
  const [payment, other] = [pay(7_000n), pay(8_000n)];
  devnet.mempool.put(payment);
  devnet.mempool.put(other);
  await afterLooks(bed, () => reported('note.seen').length === 2);
  devnet.mine({ transactions: [payment] });
  devnet.mempool.drop(other.txid);
  await afterLooks(bed, () => reported('transaction.vanished').length === 1);
  t.like(reported('transaction.vanished')[0]!.data, { txid: txIdToHex(other.txid), reason: 'dropped' });
  t.deepEqual(await amounts(), [7_000, 0, 0]);
});

test('compact: over the one stream that is open, and dropped when a stream has ended without it', async (t) => {
  const bed = await startMempoolBed(t);
  const { devnet, wallet, pay, look, reported, pass, until, amounts } = bed;
  const { compact } = devnet;
  const [early, late] = [pay(7_000n), pay(8_000n)];
  devnet.mempool.put(early);
  await following('compact', bed);
  await until(() => compact.mempoolStreams === 1);
  const asked = compact.callCount('GetMempoolStream');
  await afterLooks(bed, () => reported('note.seen').length === 1);
  devnet.mempool.put(late);
  await until(async () => {
    await look('compact');
    return reported('note.seen').length === 2;
  });
  t.is(compact.callCount('GetMempoolStream'), asked);
  t.deepEqual(await amounts(), [0, 15_000, 0]);

  // A stream that begins after the next block does not have it; its end is what tells, unless the block after that one
  // came before the stream had begun.
  devnet.mempool.drop(early.txid);
  await until(async () => {
    const { height } = devnet.mine();
    await until(async () => {
      await pass(FOLLOW_POLL_MS);
      return (await wallet.call('config.get')).last_scan_height === height;
    });
    await until(() => compact.mempoolStreams === 1);
    await look('compact');
    return reported('transaction.vanished').length > 0;
  });
  t.deepEqual(
    reported('transaction.vanished').map(({ data }) => [data.txid, data.reason]),
    [[txIdToHex(early.txid), 'dropped']],
  );
  t.deepEqual(await amounts(), [0, 8_000, 0]);
});

test('compact: a server without the stream is reported as one', async (t) => {
  const bed = await startMempoolBed(t);
  bed.devnet.compact.misbehave({ kind: 'not-offered', method: 'GetMempoolStream' });
  await following('compact', bed);
  await bed.until(async () => (await bed.wallet.call('mempool.list')).trouble?.code === 'NOT_OFFERED');
  t.deepEqual(bed.wallet.faults, []);
});
