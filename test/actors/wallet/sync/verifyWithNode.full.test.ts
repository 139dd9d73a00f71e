import { type Omission, RpcError } from '@wallet-companion/devnet/servers';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../../../src/storage/blocks/compactStores.ts';
import { companionWorld, onMain } from '../../../helpers/companionWorld.ts';
import { startLyingNode } from '../../../helpers/lyingSources.ts';

const FIRST = 3_500_000;
const TOP = FIRST + 134;
const TOTAL = 7_000_000;
const compact = { source: 'compact' } as const;
const verified = { ...compact, verify_with: 'node' } as const;
const DIFFERS = 'COMPACT_SERVER_BAD_RESPONSE';

/** Pays 1, 2 and 4 million in blocks `FIRST + 2` to `FIRST + 4` of 135, so that a sync takes several commits. */
async function setUp(t: ExecutionContext) {
  const stores = createCompactStores();
  t.teardown(() => stores.close());
  const world = await companionWorld(t, {
    ...onMain(FIRST),
    birthday: null,
    config: { complete_transactions: false },
    stores,
  });
  const { devnet, wallet, address } = world;
  const liar = devnet.compact;
  liar.misbehave({ kind: 'not-offered', method: 'GetTreeState' });
  const node = await startLyingNode(t, devnet);
  await wallet.call('config.node_url', { url: node.url });
  await world.restore(FIRST);
  const pay = (pool: 'sapling' | 'orchard' | 'ironwood', zatoshi: bigint, version?: 5) =>
    devnet.mine({ transactions: [devnet.pay([{ address, pool, zatoshi }], version && { version })] });
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2, sapling: 1 })] });
  devnet.mine();
  pay('sapling', 1_000_000n);
  pay('orchard', 2_000_000n, 5);
  pay('ironwood', 4_000_000n);
  devnet.mineEmpty(130);
  return {
    devnet,
    liar,
    node,
    wallet,
    omitFrom: (at: number, what: Omission['what'] = 'outputs') =>
      liar.misbehave({ kind: 'omission', omission: { what, sizes: 'counted' }, at }),
    /** From the node, without any compact server. */
    recovers: async () => {
      const summary = await wallet.call('sync.run', { source: 'node' });
      t.true(summary.caught_up);
      t.is((await wallet.call('balance.get')).total_zatoshi, TOTAL);
    },
    scannedUpTo: async () => (await wallet.call('sync.status')).last_scan_height,
    detail: async () => (await wallet.call('sync.status')).last_error?.detail ?? '',
  };
}

test('an honest compact server is confirmed, with a few questions to the node', async (t) => {
  const { wallet, node } = await setUp(t);
  let asked = 0;
  node.lie = (method, _params, honest) => {
    if (method === 'getblock') asked++;
    return honest;
  };
  const summary = await wallet.call('sync.run', verified);
  t.like(summary, { verified_with: 'node', blocks_scanned: 135, caught_up: true, source: 'compact' });
  t.true(asked >= 3 && asked <= 10, `${asked} blocks asked for`);
  t.is((await wallet.call('balance.get')).total_zatoshi, TOTAL);
  t.is((await wallet.call('sync.run', verified)).verified_with, null, 'there was nothing to verify');
  const again = { start_height: FIRST, end_height: FIRST + 9 };
  t.is((await wallet.call('sync.run', { ...verified, ...again })).verified_with, 'node');
  t.is((await wallet.call('sync.run', { ...compact, ...again })).verified_with, null);
});

for (const what of ['transactions', 'outputs', 'sapling', 'orchard', 'ironwood'] as const) {
  const lowest = { transactions: 2, outputs: 2, sapling: 2, orchard: 3, ironwood: 4 }[what];

  test(`${what} left out by a server whose sizes fit: found at the first block that differs`, async (t) => {
    const { wallet, omitFrom, scannedUpTo, detail, recovers } = await setUp(t);
    omitFrom(FIRST + 2, what);
    t.is(await wallet.failure('sync.run', verified), DIFFERS);
    t.regex(await detail(), new RegExp(`at height ${FIRST + lowest}:`));
    t.is(await scannedUpTo(), FIRST + lowest - 1);
    t.false((await wallet.call('notes.list')).notes.some(({ height }) => height >= FIRST + lowest));
    await recovers();
  });
}

test('where it begins to leave out later, the commits before stay', async (t) => {
  const { devnet, wallet, omitFrom, scannedUpTo, recovers } = await setUp(t);
  devnet.mine({ transactions: [devnet.traffic({ sapling: 2 })] });
  omitFrom(FIRST + 135);
  const events = wallet.events.length;
  t.is(await wallet.failure('sync.run', verified), DIFFERS);
  t.is(await scannedUpTo(), TOP);
  t.false(
    wallet.events.slice(events).some(({ event }) => event === 'reorg'),
    'nothing was taken back',
  );
  await recovers();
});

test('sizes of the first block that hide what it leaves out are compared with those before it', async (t) => {
  const { wallet, liar, scannedUpTo, detail, recovers } = await setUp(t);
  liar.misbehave({ kind: 'omission', omission: { what: 'outputs', sizes: 'true' }, at: FIRST + 4 });
  const from = { start_height: FIRST + 4 };
  t.is(await wallet.failure('sync.run', { ...verified, ...from }), DIFFERS);
  t.regex(await detail(), new RegExp(`at height ${FIRST + 3}:`));
  t.is(await scannedUpTo(), FIRST - 1);
  await recovers();
});

test('what an earlier sync believed is taken back', async (t) => {
  const { devnet, wallet, omitFrom, scannedUpTo, detail, recovers } = await setUp(t);
  omitFrom(FIRST + 3);
  t.is((await wallet.call('sync.run', compact)).last_scan_height, TOP);
  t.not((await wallet.call('balance.get')).total_zatoshi, TOTAL, 'it is misled');
  devnet.mineEmpty(1);
  const error = await wallet.link.dispatch('sync.run', verified, { requestId: 'test' });
  t.like(error, { ok: false, error: { code: DIFFERS, lastScanHeight: FIRST + 2 } });
  t.regex(await detail(), new RegExp(`at height ${FIRST + 3}:`));
  t.is(await scannedUpTo(), FIRST + 2);
  t.true(wallet.events.some(({ event }) => event === 'reorg'));
  await recovers();
});

test('a range above that the node confirms stays', async (t) => {
  const { wallet, liar, omitFrom, recovers } = await setUp(t);
  const upper = { start_height: FIRST + 80, end_height: TOP };
  await wallet.call('sync.run', { source: 'node', ...upper });
  omitFrom(FIRST + 2);
  t.is(await wallet.failure('sync.run', { ...verified, end_height: FIRST + 79 }), DIFFERS);
  const { last_scan_height } = await wallet.call('sync.status');
  t.is(last_scan_height, TOP);
  const { missing_ranges } = await wallet.call('balance.get');
  t.deepEqual(missing_ranges, [{ start_height: FIRST + 2, end_height: FIRST + 79 }]);
  // The same blocks again, which were scanned from the node meanwhile.
  await wallet.call('sync.run', { source: 'node', end_height: FIRST + 79 });
  t.is(
    await wallet.failure('sync.run', { ...verified, start_height: FIRST, end_height: FIRST + 79 }),
    DIFFERS,
  );
  t.is((await wallet.call('balance.get')).total_zatoshi, TOTAL, 'what is right is not lost');
  liar.behave();
  await recovers();
});

test('a range above that the node denies is missing again', async (t) => {
  const { wallet, liar, omitFrom, recovers, detail } = await setUp(t);
  omitFrom(FIRST + 3);
  await wallet.call('sync.run', { ...compact, start_height: FIRST + 3, end_height: FIRST + 90 });
  liar.behave();
  liar.misbehave({ kind: 'not-offered', method: 'GetTreeState' });
  omitFrom(FIRST + 2);
  t.is(await wallet.failure('sync.run', { ...verified, end_height: FIRST + 2 }), DIFFERS);
  t.regex(await detail(), new RegExp(`at height ${FIRST + 2}:`));
  t.is((await wallet.call('sync.status')).last_scan_height, FIRST + 1, 'not the gap above it');
  await recovers();
});

test('a compact server on another branch than the node', async (t) => {
  const { devnet, liar, wallet, scannedUpTo, detail } = await setUp(t);
  const fork = TOP - 19;
  liar.misbehave({ kind: 'stale-branch' });
  devnet.reorganise(20);
  t.is(await wallet.failure('sync.run', { ...verified, end_height: TOP }), DIFFERS);
  t.regex(await detail(), new RegExp(`different blocks at height ${fork}:`));
  t.is(await scannedUpTo(), fork - 1);
});

test('a node that is behind confirms what it has', async (t) => {
  const { devnet, wallet, node, scannedUpTo } = await setUp(t);
  const top = FIRST + 99;
  node.lie = (method, [height], honest) => {
    if (method === 'getblockchaininfo') return { ...(honest as object), blocks: top };
    if (Number(height) > top) throw new RpcError(-8, 'block height not in best chain');
    return honest;
  };
  t.is(await wallet.failure('sync.run', verified), 'NODE_BEHIND');
  t.is(await scannedUpTo(), top);
  t.is(await wallet.failure('sync.run', verified), 'NODE_BEHIND');
  t.is(await scannedUpTo(), top);
  t.false(wallet.events.some(({ event }) => event === 'reorg'));
  node.lie = (_method, _params, honest) => honest;
  t.like(await wallet.call('sync.run', verified), { verified_with: 'node', last_scan_height: TOP });
  t.is(devnet.tip.height, TOP);
});

test('a node that cannot be asked, from the start or from some point on', async (t) => {
  const { wallet, node, scannedUpTo } = await setUp(t);
  const nowhere = { ...verified, node_url: 'http://127.0.0.1:1' };
  t.is(await wallet.failure('sync.run', nowhere), 'NODE_UNREACHABLE');
  t.is(await scannedUpTo(), FIRST - 1);
  let left = 2;
  node.exchange = (response, method) => {
    if (method !== 'getblock' || left-- > 0) return false;
    response.destroy();
    return true;
  };
  t.is(await wallet.failure('sync.run', verified), 'NODE_UNREACHABLE');
  t.is(await scannedUpTo(), FIRST + 63, 'what was confirmed stays');
  node.exchange = () => false;
  t.like(await wallet.call('sync.run', verified), { verified_with: 'node', last_scan_height: TOP });
});

test('a node without tree sizes, or of another network', async (t) => {
  const { wallet, node, scannedUpTo } = await setUp(t);
  node.lie = (method, [, verbosity], honest) =>
    method === 'z_gettreestate' || (method === 'getblock' && verbosity === 1) ? {} : honest;
  t.is(await wallet.failure('sync.run', verified), 'NODE_BAD_RESPONSE');
  node.lie = (method, _params, honest) =>
    method === 'getblockchaininfo' ? { ...(honest as object), chain: 'test' } : honest;
  t.is(await wallet.failure('sync.run', { ...verified, start_height: FIRST }), 'NETWORK_MISMATCH');
  t.is(await scannedUpTo(), FIRST - 1);
});

test('sizes from tree states, and hashes of their own, do as well', async (t) => {
  const { wallet, node, omitFrom, scannedUpTo } = await setUp(t);
  node.lie = (method, [, verbosity], honest) => {
    if (method === 'getblock' && verbosity === 1) return {};
    return method === 'z_gettreestate' ? { ...(honest as object), hash: undefined } : honest;
  };
  const lower = { end_height: FIRST + 2 };
  t.is((await wallet.call('sync.run', { ...verified, ...lower })).verified_with, 'node');
  omitFrom(FIRST + 3);
  t.is(await wallet.failure('sync.run', verified), DIFFERS);
  t.is(await scannedUpTo(), FIRST + 2);
});

test('it is for the source compact alone', async (t) => {
  const { wallet } = await setUp(t);
  for (const input of [{ verify_with: 'node' }, { verify_with: 'node', source: 'node' }]) {
    const result = await wallet.link.dispatch('sync.run', input as never, { requestId: 'test' });
    t.like(result, { ok: false, error: { code: 'INVALID_REQUEST', errors: [{ path: 'verify_with' }] } });
  }
  t.is(await wallet.failure('sync.run', { ...compact, verify_with: 'compact' }), 'INVALID_REQUEST');
});

test('a sync that is cancelled while the node is asked ends at once, and keeps what was confirmed', async (t) => {
  const { wallet, node, scannedUpTo } = await setUp(t);
  let left = 2;
  const isAsked = new Promise<void>((resolve) => {
    node.exchange = (_response, method) => {
      if (method !== 'getblock' || left-- > 0) return false;
      resolve();
      return true;
    };
  });
  const running = wallet.call('sync.run', verified);
  await isAsked;
  await wallet.call('sync.cancel');
  t.like(await running, { cancelled: true, verified_with: 'node', last_scan_height: FIRST + 63 });
  t.is(await scannedUpTo(), FIRST + 63);
});
