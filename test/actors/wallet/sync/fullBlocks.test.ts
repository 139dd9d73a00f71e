// What a node's full block says replaces what a compact server said of it: a compact block's hash covers none of its outputs.

import test, { type ExecutionContext } from 'ava';
import type { Output } from '../../../../src/protocol/operations.ts';
import { startSwappedBed, ZEC } from '../../../helpers/swappedBed.ts';

const setUp = (t: ExecutionContext, complete_transactions: boolean) =>
  startSwappedBed(t, { config: { complete_transactions } as never });

const money = ({ total_zatoshi, complete, verified_with }: Output<'balance.get'>) => [
  total_zatoshi,
  complete,
  verified_with,
];

test('a scan from the node takes a false note away, finds the one that was hidden, and says so', async (t) => {
  const { wallet, bed, strangers, ours, server } = await setUp(t, false);
  await bed.sync('compact');
  const { changes } = await wallet.call('changes.list');
  t.deepEqual(
    changes.map(({ kind, height }) => [kind, height]).filter(([kind]) => kind === 'received'),
    [['received', strangers]],
  );
  t.deepEqual(money(await wallet.call('balance.get')), [3 * ZEC, true, null]);
  // A part of the range.
  const part = await wallet.call('sync.run', { source: 'node', start_height: 1, end_height: strangers });
  const url = server.url;
  t.deepEqual(part.contradicted, {
    start_height: strangers,
    end_height: strangers,
    blocks: 1,
    compact_server_url: url,
  });
  t.deepEqual(money(await wallet.call('balance.get')), [0, true, null]);
  const rest = await wallet.call('sync.run', {
    source: 'node',
    start_height: strangers + 1,
    end_height: 100,
  });
  t.like(rest.contradicted, { start_height: ours, end_height: ours });
  t.deepEqual(money(await wallet.call('balance.get')), [ZEC / 2, true, 'node']);
  t.like(await wallet.call('sync.status'), { contradicted: { start_height: ours } });
  const { changes: all } = await wallet.call('changes.list');
  const undone = all.find(({ kind }) => kind === 'unreceived');
  t.is(undone?.height, strangers);
  t.deepEqual(
    (await wallet.call('notes.list')).notes.map(({ height }) => height),
    [ours],
  );
  t.deepEqual(
    (await wallet.call('transactions.list')).transactions.map(({ height }) => height),
    [ours],
  );
  // Nothing changes when the same is read once more, from whom it be.
  const again = await wallet.call('sync.run', { source: 'node', start_height: 1, end_height: 100 });
  t.deepEqual([again.contradicted, again.notes_new], [null, 0]);
  const lied = await wallet.call('sync.run', { source: 'compact', start_height: 1, end_height: 100 });
  t.like(lied.contradicted, { start_height: strangers, end_height: ours, blocks: 2 });
  t.deepEqual(money(await wallet.call('balance.get')), [ZEC / 2, true, 'node']);
  t.deepEqual((await wallet.call('changes.list')).changes, all);
});

test('where the wallet reads its transactions in full, the false note goes with the scan that brought it', async (t) => {
  const { wallet, bed, strangers } = await setUp(t, true);
  const heard: unknown[] = [];
  wallet.link.subscribe(({ event, data }) => event === 'blocks.contradicted' && heard.push(data));
  const summary = await wallet.call('sync.run', { source: 'compact' });
  t.like(summary.contradicted, { start_height: strangers, end_height: strangers, blocks: 1 });
  t.deepEqual(heard, [summary.contradicted]);
  t.deepEqual(money(await wallet.call('balance.get')), [0, true, null]);
  // Again from the compact server: the block that was read from the node stays as it is.
  await bed.sync('compact');
  t.is((await wallet.call('balance.get')).total_zatoshi, 0);
});
