import { bytesToHex } from '@wallet-companion/base/bytes';
import type { ChainSettings } from '@wallet-companion/chain/ports';
import { summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import { asTxId, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import test, { type ExecutionContext } from 'ava';
import { ChainActor } from '../../../src/actors/chain/chainActor.ts';
import type { CompanionError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { Output } from '../../../src/protocol/operations.ts';
import { unwrap } from '../../../src/protocol/result.ts';
import { startChainActor } from '../../helpers/chainActorHere.ts';
import { FixtureCompactServer } from '../../helpers/fixtureCompactServer.ts';
import { FixtureNode } from '../../helpers/fixtureNode.ts';
import {
  BRANCH_TIP,
  compactBranch,
  compactMain,
  expectedMain,
  FIRST,
  LAST_COMMON,
  MAIN_INFO,
  PARAMETERS,
  rawMain,
  TIP,
  TREES_BEFORE,
} from '../../helpers/knownSeedBlocks.ts';
import { MemoryCompactStores } from '../../helpers/memoryCompactStores.ts';

type LwdOperation = 'lwd.info' | 'lwd.chain_tip' | 'lwd.sync_compact';

interface Setup {
  readonly actor: ChainActor;
  readonly node: FixtureNode;
  readonly server: FixtureCompactServer;
  readonly stores: MemoryCompactStores;
  readonly settings: ChainSettings;
}

async function setUp(t: ExecutionContext, changes: Partial<ChainSettings> = {}): Promise<Setup> {
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
  });
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
  t.teardown(async () => {
    server.stop();
    await node.stop();
  });
  const stores = new MemoryCompactStores();
  let now = 0;
  const { actor, settings } = await startChainActor(
    t,
    {
      network: 'main',
      activation: PARAMETERS.activation,
      nodeUrl: node.url,
      namedNodes: [node.url],
      compactServerUrl: server.url,
      birthdayHeight: FIRST,
      lastScanHeight: FIRST - 1,
      ...changes,
    },
    { stores, now: () => (now += 5), logFault: (where, fault) => t.log(where, fault) },
  );
  return { actor, node, server, stores, settings };
}

/** As a front does. */
const ask = async <N extends LwdOperation>(actor: ChainActor, name: N, input: object): Promise<Output<N>> =>
  unwrap(await actor.dispatch({ name, input, requestId: 'test' })) as Output<N>;

async function failsWith(t: ExecutionContext, call: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await t.throwsAsync<CompanionError>(call);
  t.is(error?.code, code, error?.message);
}

const place = {
  dataDir: '/data',
  configDir: '/config',
  restrictDbPath: false,
  network: 'main',
  genesisHash: '',
  server: '',
  configuredServer: '',
} as const;

async function heightsOf(actor: ChainActor, rangeId: number): Promise<number[]> {
  const heights: number[] = [];
  for (;;) {
    const batch = await actor.nextBatch({ rangeId });
    if (batch === null) return heights;
    heights.push(...batch.blocks.map(({ height }) => height));
  }
}

for (const source of ['node', 'compact'] as const) {
  test(`${source}: tip, hashes and ranges`, async (t) => {
    const { actor } = await setUp(t);
    const { height, hash } = await actor.tip({ source });
    t.is(height, TIP);
    t.is(toDisplayHex(hash), expectedMain.at(-1)!.hash);
    t.is(toDisplayHex((await actor.blockHash({ source, height: FIRST }))!), expectedMain[0]!.hash);
    t.is(await actor.blockHash({ source, height: TIP + 1 }), null);
    const { rangeId } = await actor.openRange({ source, start: FIRST, end: TIP });
    t.deepEqual(
      await heightsOf(actor, rangeId),
      expectedMain.map((block) => block.height),
    );
    await actor.closeRange({ rangeId });
    await failsWith(t, actor.nextBatch({ rangeId }), 'THREAD_LOST');
  });
}

test('raw blocks and transactions come as buffers of their own', async (t) => {
  const { actor, node, server } = await setUp(t);
  const { hash } = summarizeRawBlock(rawMain[3]!);
  const block = await actor.rawBlock({ source: 'node', height: FIRST + 3, hash });
  t.is(bytesToHex(new Uint8Array(block!)), bytesToHex(rawMain[3]!));
  t.is(await actor.rawBlock({ source: 'compact', height: FIRST + 3, hash }), null);
  const txid = asTxId(new Uint8Array(32).fill(9));
  t.is(await actor.rawTransaction({ source: 'node', txid }), null);
  t.is(await actor.rawTransaction({ source: 'compact', txid }), null);
  node.answer = () => '0102';
  server.transaction = () => Uint8Array.of(3, 4);
  t.deepEqual(
    new Uint8Array((await actor.rawTransaction({ source: 'compact', txid }))!),
    Uint8Array.of(3, 4),
  );
});

test('a node URL of one request is used for it alone', async (t) => {
  const { actor } = await setUp(t, { nodeUrl: 'http://127.0.0.1:1' });
  const other = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks: rawMain,
    treesBefore: TREES_BEFORE,
  });
  t.teardown(() => other.stop());
  t.is((await actor.tip({ source: 'node', nodeUrl: other.url })).height, TIP);
  await failsWith(t, actor.tip({ source: 'node' }), 'NODE_UNREACHABLE');
  await actor.probeNode({ url: other.url });
  await failsWith(t, actor.probeNode({ url: 'http://127.0.0.1:1' }), 'NODE_UNREACHABLE');
  await failsWith(t, actor.probeNode({ url: 'ftp://127.0.0.1' }), 'INVALID_URL');
});

test('many node URLs leave few connections, and none that is in use is closed', async (t) => {
  const { actor } = await setUp(t);
  const { rangeId } = await actor.openRange({ source: 'node', start: FIRST, end: TIP });
  for (let port = 1; port <= 9; port++) {
    await failsWith(
      t,
      actor.tip({ source: 'node', nodeUrl: `http://127.0.0.1:${port}` }),
      'NODE_UNREACHABLE',
    );
  }
  t.is((await heightsOf(actor, rangeId)).length, 50);
});

test('before it is configured the actor is BUSY', async (t) => {
  const { settings } = await setUp(t);
  const actor = new ChainActor({
    openNode: () => t.fail() as never,
    openCompact: () => t.fail() as never,
    stores: new MemoryCompactStores(),
    now: () => 0,
    logFault: () => undefined,
  });
  await failsWith(t, actor.tip({ source: 'node' }), 'BUSY');
  // A wallet thread that goes on while this one is new: the settings as a whole are on their way.
  await actor.walletScanned({ lastScanHeight: FIRST });
  await failsWith(t, actor.tip({ source: 'node' }), 'BUSY');
  await actor.configure(settings);
});

test('a range must be one', async (t) => {
  const { actor } = await setUp(t);
  for (const [start, end] of [
    [2, 1],
    [-1, 1],
    [0.5, 1],
  ] as const) {
    await failsWith(t, actor.openRange({ source: 'node', start, end }), 'INVALID_RANGE');
  }
});

// ---------------------------------------------------------------------------------------------------------------------
// lwd operations

test('lwd.info shows the server and the store, and makes none', async (t) => {
  const { actor, server, stores } = await setUp(t);
  const info = await ask(actor, 'lwd.info', {});
  t.like(info, {
    version: 'v0.5.3',
    chain_name: 'main',
    sapling_activation_height: 419_200,
    consensus_branch_id: '37a5165b',
    block_height: TIP,
    node_build: '',
    compact_server_url: server.url,
    store: null,
  });
  t.is(stores.find(undefined, place), undefined);
  await ask(actor, 'lwd.sync_compact', { start_height: FIRST, end_height: FIRST + 3 });
  await ask(actor, 'lwd.sync_compact', { start_height: FIRST + 10, end_height: FIRST + 12 });
  t.deepEqual((await ask(actor, 'lwd.info', {})).store, {
    path: '/data/compact-main.sqlite',
    first_height: FIRST,
    last_height: FIRST + 12,
    block_count: 7,
    missing_ranges: [{ start_height: FIRST + 4, end_height: FIRST + 9 }],
  });
  t.is((await ask(actor, 'lwd.info', { db_path: 'other.sqlite' })).store, null);
});

test('lwd.chain_tip shows the tip in display order and the top of the store', async (t) => {
  const { actor, server } = await setUp(t);
  const tip = { height: TIP, hash: expectedMain.at(-1)!.hash, compact_server_url: server.url };
  t.deepEqual(await ask(actor, 'lwd.chain_tip', {}), { ...tip, stored_height: null });
  await ask(actor, 'lwd.sync_compact', { end_height: FIRST + 5 });
  t.deepEqual(await ask(actor, 'lwd.chain_tip', {}), { ...tip, stored_height: FIRST + 5 });
});

test('lwd.sync_compact starts at the birthday, then above the top, then has nothing to do', async (t) => {
  const { actor } = await setUp(t, { birthdayHeight: FIRST + 2 });
  const first = await ask(actor, 'lwd.sync_compact', { end_height: FIRST + 9 });
  t.deepEqual(first, {
    start_height: FIRST + 2,
    end_height: FIRST + 9,
    blocks_stored: 8,
    bytes: compactMain.slice(2, 10).reduce((sum, { length }) => sum + length, 0),
    chain_tip: TIP,
    next_start_height: FIRST + 10,
    range_complete: true,
    caught_up: false,
    reorg: null,
    unscanned: { start_height: FIRST + 2, end_height: FIRST + 9 },
    db_path: '/data/compact-main.sqlite',
    elapsed_ms: 5,
  });
  t.like(await ask(actor, 'lwd.sync_compact', {}), {
    start_height: FIRST + 10,
    end_height: TIP,
    blocks_stored: 40,
    range_complete: true,
    caught_up: true,
  });
  t.like(await ask(actor, 'lwd.sync_compact', {}), {
    start_height: TIP + 1,
    end_height: TIP,
    blocks_stored: 0,
    next_start_height: TIP + 1,
    range_complete: true,
    caught_up: true,
  });
});

test('lwd.sync_compact without a wallet starts where Sapling does, a thousand blocks at most', async (t) => {
  const { actor, server } = await setUp(t, { birthdayHeight: null });
  // No such blocks are there to be had; what is asked for shows the plan.
  await t.throwsAsync(ask(actor, 'lwd.sync_compact', {}));
  const [first] = server.calls.filter((call) => call.startsWith('GetBlockRange 419200'));
  t.truthy(first);
  t.false(server.calls.some((call) => call.startsWith('GetBlockRange 420200')));
});

test('lwd.sync_compact clamps a range to the chain', async (t) => {
  const { actor } = await setUp(t);
  t.like(await ask(actor, 'lwd.sync_compact', { start_height: TIP - 2, end_height: TIP + 500 }), {
    start_height: TIP - 2,
    end_height: TIP,
    blocks_stored: 3,
    range_complete: false,
    caught_up: true,
  });
  t.like(await ask(actor, 'lwd.sync_compact', { start_height: TIP + 5 }), {
    blocks_stored: 0,
    range_complete: false,
  });
  t.like(await ask(actor, 'lwd.sync_compact', { start_height: TIP + 1 }), {
    blocks_stored: 0,
    range_complete: true,
  });
});

test('lwd.sync_compact does not call an end complete below which blocks are missing', async (t) => {
  const { actor } = await setUp(t, { birthdayHeight: FIRST });
  t.like(await ask(actor, 'lwd.sync_compact', { end_height: FIRST + 4 }), { range_complete: true });
  await ask(actor, 'lwd.sync_compact', { start_height: FIRST + 10, end_height: FIRST + 19 });
  const upTo = (height: number) => ask(actor, 'lwd.sync_compact', { end_height: height });
  t.like(await upTo(FIRST + 4), { blocks_stored: 0, range_complete: true });
  t.like(await upTo(FIRST + 7), { blocks_stored: 0, range_complete: false });
  t.like(await upTo(FIRST + 15), { blocks_stored: 0, range_complete: false });
  t.like(await upTo(FIRST + 25), { blocks_stored: 6, range_complete: false });
  await ask(actor, 'lwd.sync_compact', { start_height: FIRST + 5, end_height: FIRST + 9 });
  t.like(await upTo(FIRST + 25), { blocks_stored: 0, range_complete: true });
});

test('lwd.sync_compact rewinds to the fork and reports the reorg', async (t) => {
  const { actor, server } = await setUp(t);
  await ask(actor, 'lwd.sync_compact', {});
  server.reorg(LAST_COMMON, compactBranch);
  t.like(await ask(actor, 'lwd.sync_compact', {}), {
    start_height: LAST_COMMON + 1,
    end_height: BRANCH_TIP,
    blocks_stored: 8,
    reorg: { fork_height: LAST_COMMON, depth: TIP - LAST_COMMON },
    caught_up: true,
  });
  t.is((await ask(actor, 'lwd.info', {})).store?.block_count, BRANCH_TIP - FIRST + 1);
});

test('lwd.sync_compact says what the wallet has not scanned of the store', async (t) => {
  const { actor, server, settings } = await setUp(t, { lastScanHeight: null });
  const unscanned = async (lastScanHeight: number | null, input = {}) => {
    await actor.walletScanned({ lastScanHeight });
    return (await ask(actor, 'lwd.sync_compact', input)).unscanned;
  };
  t.is(await unscanned(null, { end_height: FIRST + 20 }), null, 'there is no wallet');
  t.deepEqual(await unscanned(FIRST + 9), { start_height: FIRST + 10, end_height: TIP });
  t.deepEqual(await unscanned(FIRST - 100), { start_height: FIRST, end_height: TIP }, 'only what is stored');
  t.is(await unscanned(TIP), null);
  t.is(await unscanned(TIP + 5), null);
  server.reorg(LAST_COMMON, compactBranch);
  t.deepEqual(
    await unscanned(TIP),
    { start_height: LAST_COMMON + 1, end_height: BRANCH_TIP },
    'scanned heights of which the blocks changed are to be scanned again',
  );
  await actor.configure({ ...settings, lastScanHeight: FIRST });
  t.deepEqual((await ask(actor, 'lwd.sync_compact', {})).unscanned, {
    start_height: FIRST + 1,
    end_height: BRANCH_TIP,
  });
});

test('lwd.sync_compact against a server below the store is NODE_BEHIND and changes nothing', async (t) => {
  const { actor, server, stores } = await setUp(t);
  await ask(actor, 'lwd.sync_compact', {});
  server.serve(compactMain.slice(0, 40));
  await failsWith(t, ask(actor, 'lwd.sync_compact', {}), 'NODE_BEHIND');
  t.is(stores.find(undefined, place)?.heights.length, 50);
});

const refused: Readonly<Record<string, (server: FixtureCompactServer) => void>> = {
  'ends early': (server) => {
    server.range = (items, start, end) => (end > start ? items.slice(0, 5) : items);
  },
  'leaves a block out': (server) => {
    server.range = (items) => items.filter((_, i) => i !== 3);
  },
  'repeats a block': (server) => {
    server.range = (items) => items.flatMap((item, i) => (i === 3 ? [item, item] : [item]));
  },
};
for (const [what, misbehave] of Object.entries(refused)) {
  test(`lwd.sync_compact is no success when the stream ${what}`, async (t) => {
    const { actor, server, stores } = await setUp(t);
    misbehave(server);
    // A server that always gives five blocks more gets there; one that then stops does not.
    if (what === 'ends early')
      server.range = (items, start) => (start > FIRST + 4 && start < TIP ? [] : items.slice(0, 5));
    await failsWith(t, ask(actor, 'lwd.sync_compact', {}), 'COMPACT_SERVER_BAD_RESPONSE');
    const store = stores.find(undefined, place)!;
    t.deepEqual(
      store.heights,
      Array.from(store.heights, (_, i) => FIRST + i),
    );
    t.true(store.heights.length < 50);
  });
}

test('a second lwd.sync_compact of one store is SYNC_IN_PROGRESS, of another is not', async (t) => {
  const { actor } = await setUp(t);
  await ask(actor, 'lwd.sync_compact', { end_height: FIRST });
  const first = ask(actor, 'lwd.sync_compact', {});
  const second = ask(actor, 'lwd.sync_compact', {});
  const other = ask(actor, 'lwd.sync_compact', { db_path: 'other.sqlite' });
  await failsWith(t, second, 'SYNC_IN_PROGRESS');
  t.is((await first).blocks_stored, 49);
  t.is((await other).blocks_stored, 50);
  t.is((await ask(actor, 'lwd.sync_compact', {})).blocks_stored, 0);
});

test('a bad path is refused before the server is asked, and a dead server leaves no store', async (t) => {
  const { actor, server, stores } = await setUp(t);
  const input = { db_path: '../x' };
  await failsWith(t, ask(actor, 'lwd.info', input), 'INVALID_DB_PATH');
  await failsWith(t, ask(actor, 'lwd.chain_tip', input), 'INVALID_DB_PATH');
  await failsWith(t, ask(actor, 'lwd.sync_compact', input), 'INVALID_DB_PATH');
  t.deepEqual(server.calls, []);
  const gone = { compact_server_url: 'http://127.0.0.1:1' };
  await failsWith(t, ask(actor, 'lwd.sync_compact', gone), 'COMPACT_SERVER_UNREACHABLE');
  t.is(stores.find(undefined, place), undefined);
});

test('dispatch validates the input and answers with tagged results', async (t) => {
  const { actor } = await setUp(t);
  const answer = await actor.dispatch({ name: 'lwd.chain_tip', input: {}, requestId: 'r' });
  t.true(answer.ok);
  t.is(answer.ok ? (answer.value as Output<'lwd.chain_tip'>).height : 0, TIP);
  for (const [message, code] of [
    [{ name: 'lwd.chain_tip', input: { db_pth: 'x' }, requestId: 'r' }, 'INVALID_REQUEST'],
    [
      { name: 'lwd.sync_compact', input: { start_height: 2, end_height: 1 }, requestId: 'r' },
      'INVALID_RANGE',
    ],
    [{ name: 'balance.get', input: {}, requestId: 'r' }, 'NOT_FOUND'],
    [{ name: 'constructor', input: {}, requestId: 'r' }, 'NOT_FOUND'],
    [undefined, 'NOT_FOUND'],
  ] as const) {
    const refusal = await actor.dispatch(message);
    t.is(refusal.ok ? undefined : refusal.error.code, code);
  }
});
