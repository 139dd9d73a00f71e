// The times of blocks decide about invoices and books: false ones are refused, from every source, and never freeze a wallet.

import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { CompactBlockSchema } from '@wallet-companion/zcash/compactProto';
import test, { type ExecutionContext } from 'ava';
import { BlockTimeRule, TimesDoubted } from '../../../../src/actors/wallet/sync/blockTimeRule.ts';
import { startInvoiceBed } from '../../../helpers/invoiceBed.ts';
import { startLyingCompactServer } from '../../../helpers/lyingSources.ts';

const HOUR = 3600;
const LATEST = 2 ** 32 - 1;

for (const source of ['node', 'compact'] as const) {
  const bad = source === 'node' ? 'NODE_BAD_RESPONSE' : 'COMPACT_SERVER_BAD_RESPONSE';

  test(`${source}: a payment in a block of 2001 does not confirm a cancelled invoice`, async (t) => {
    const bed = await startInvoiceBed(t);
    const invoice = await bed.create();
    await bed.wallet.call('invoices.cancel', { invoice_id: invoice.invoice_id });
    bed.devnet.mineEmpty(12);
    const good = bed.devnet.tip.height;
    bed.payTo([invoice, 1000]);
    bed.dated.next = Date.UTC(2001, 0, 1) / 1000;
    await t.throwsAsync(bed.mine(), { code: 'NODE_BAD_RESPONSE' });
    t.is(await bed.wallet.failure('sync.run', { source }), bad);
    t.like(await bed.get(invoice), { state: 'cancelled', exception: null, payments: [] });
    // What lies below is scanned, and no other range lets it in.
    t.is((await bed.wallet.call('config.get')).last_scan_height, good);
    t.is(await bed.wallet.failure('sync.run', { source, start_height: good + 1 }), bad);
  });

  test(`${source}: a block ahead of the clock waits until the clock is right, and no server is called bad`, async (t) => {
    const bed = await startInvoiceBed(t);
    const [punctual, later] = [await bed.create(), await bed.create()];
    bed.devnet.mineEmpty(2);
    bed.payTo([punctual, 1000]);
    bed.dated.next = Math.floor(bed.clock.now() / 1000) + 3 * HOUR;
    bed.devnet.mine({ transactions: [] });
    bed.dated.next = LATEST;
    await t.throwsAsync(bed.mine(), { code: 'BLOCK_AHEAD_OF_CLOCK', message: /clock may be wrong/ });
    const { height } = bed.devnet.tip;
    t.is((await bed.wallet.call('config.get')).last_scan_height, height - 2);
    bed.clock.sleep(HOUR * 1000);
    t.is(await bed.wallet.failure('sync.run', { source }), 'BLOCK_AHEAD_OF_CLOCK');
    t.is((await bed.wallet.call('config.get')).last_scan_height, height - 1);
    t.is((await bed.get(punctual)).exception, null);
    bed.devnet.reorganise(1, []);
    bed.payTo([later, 1000]);
    bed.dated.next = Math.floor(bed.clock.now() / 1000);
    bed.devnet.mine({ transactions: [] });
    t.true((await bed.wallet.call('sync.run', { source })).caught_up);
  });
}

/** A compact server whose times are false by so many seconds, and no node. */
async function startFalseTimes(t: ExecutionContext, seconds: number) {
  const bed = await startInvoiceBed(t);
  const lying = await startLyingCompactServer(t, bed.compactUrl);
  lying.lie = (method, message) => {
    if (method !== 'GetBlock' && method !== 'GetBlockRange') return [message];
    const block = fromBinary(CompactBlockSchema, message);
    return [toBinary(CompactBlockSchema, { ...block, time: block.time + seconds })];
  };
  await bed.wallet.call('config.compact_server_url', { url: lying.url });
  await bed.wallet.call('config.node_url', { url: 'http://127.0.0.1:1' });
  return Object.assign(bed, { withNode: () => bed.wallet.call('config.node_url', { url: bed.nodeUrl }) });
}

test('false times of a compact server give way to those of the node, which goes on', async (t) => {
  const bed = await startFalseTimes(t, HOUR);
  const invoice = await bed.create();
  bed.payTo([invoice, 1000]);
  for (let i = 0; i < 12; i++) bed.devnet.mine({ transactions: i === 6 ? bed.waiting.splice(0) : [] });
  await bed.wallet.call('sync.run', { source: 'compact' });
  t.is((await bed.get(invoice)).exception, 'late');
  bed.devnet.mineEmpty(2);
  await bed.withNode();
  const { reorg, caught_up } = await bed.wallet.call('sync.run', { source: 'node' });
  t.deepEqual([reorg, caught_up], [null, true]);
  t.like(await bed.get(invoice), { state: 'confirmed', exception: null });
});

test('false times above a gap are scanned again when the node closes it', async (t) => {
  const bed = await startFalseTimes(t, -HOUR);
  bed.devnet.mineEmpty(30);
  const range = { start_height: 20, end_height: 30 };
  await bed.wallet.call('sync.run', { source: 'compact', ...range });
  await bed.withNode();
  const closed = await bed.wallet.call('sync.run', { source: 'node', end_height: 30 });
  t.like(closed, { reorg: { fork_height: 19 }, range_complete: true, missing_ranges: [] });
  const { accounts } = await bed.wallet.call('coverage.get');
  t.deepEqual(
    accounts[0]!.scanned.map(({ end_height: end, verified_with: by }) => [end, by]),
    [[30, 'node']],
  );
});

test('a time is judged by the median of eleven blocks, wherever ranges begin and end', (t) => {
  const known = new Map<number, number>();
  const verified = new Set<number>();
  const noteStore = {
    block: (height: number) =>
      known.has(height) ? ({ height, time: known.get(height) } as never) : undefined,
    isVerified: (height: number) => verified.has(height),
  };
  const judge = (
    start: number,
    times: readonly number[],
    source: 'node' | 'compact' = 'node',
    afresh = false,
  ) => {
    const range = { start, end: start + times.length - 1 };
    const { good, fault } = new BlockTimeRule(noteStore, range, { source, now: () => 1e9, afresh }).follow(
      times.map((time, i) => ({ height: start + i, time })),
    );
    return [good, fault instanceof TimesDoubted ? fault.side : fault?.code];
  };
  const from = (first: number, count = 11) => Array.from({ length: count }, (_, i) => first + i);
  const ten = [9, 3, 8, 1, 7, 2, 6, 5, 4, 10];
  t.deepEqual(judge(20, [...ten, 1]), [11, undefined], 'ten are no window');
  t.deepEqual(judge(20, [...ten, 11, 6]), [11, 'NODE_BAD_RESPONSE'], 'at the median');
  t.deepEqual(judge(20, [...ten, 11, 7, 7]), [13, undefined]);
  for (const time of from(100)) known.set(time - 80, time);
  t.deepEqual(judge(31, [105]), [0, 'below'], 'blocks 20 to 30 are of 100 to 110');
  t.deepEqual(judge(31, [105, 106, 107, 108], 'node', true), [4, undefined]);
  t.deepEqual(judge(32, [1]), [1, undefined], 'a gap hides them');
  t.deepEqual(judge(31, [106, 107]), [2, undefined]);
  for (const time of from(100)) verified.add(time - 80);
  t.deepEqual(
    judge(31, [105], 'compact'),
    [0, 'COMPACT_SERVER_BAD_RESPONSE'],
    'a node gave the blocks before',
  );
  t.deepEqual(judge(9, from(100), 'compact'), [10, 'COMPACT_SERVER_BAD_RESPONSE'], 'and those above');
  t.deepEqual(judge(9, from(100), 'node'), [11, 'above']);
  t.deepEqual(judge(9, from(90), 'node'), [11, undefined]);
});
