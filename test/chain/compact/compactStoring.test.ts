import { bytesToHex } from '@wallet-companion/base/bytes';
import { summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import type { TreeState } from '@wallet-companion/zcash/compactProto';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import test, { type ExecutionContext } from 'ava';
import { CompactClient } from '#chain/compact/compactClient';
import { CompactConnection } from '#chain/compact/compactConnection';
import { bringUpToDate, missingIn, storedRanges, undoStale } from '#chain/compact/compactStoring';
import { CompanionError } from '../../../src/protocol/errors.ts';
import { FixtureCompactServer } from '../../helpers/fixtureCompactServer.ts';
import { frontierHex } from '../../helpers/fixtureNode.ts';
import {
  BRANCH_TIP,
  compactBranch,
  compactMain,
  expectedMain,
  FIRST,
  LAST_COMMON,
  MAIN_INFO,
  PARAMETERS,
  TIP,
} from '../../helpers/knownSeedBlocks.ts';
import { MemoryCompactStore } from '../../helpers/memoryCompactStores.ts';
import { EAGER_STREAM, PATIENT_CLIENT } from '../../helpers/waits.ts';

interface Setup {
  readonly server: FixtureCompactServer;
  readonly client: CompactClient;
  readonly store: MemoryCompactStore;
}

async function setUp(t: ExecutionContext): Promise<Setup> {
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
  const client = new CompactClient(
    new CompactConnection(server.url, PATIENT_CLIENT),
    PARAMETERS,
    EAGER_STREAM,
  );
  t.teardown(() => {
    client.close();
    server.stop();
  });
  return { server, client, store: new MemoryCompactStore() };
}

function keep(store: MemoryCompactStore, messages: readonly Uint8Array[]): void {
  store.put(messages.map((data) => ({ ...summarizeCompactBlock(data), data })));
}

const main = (start: number, end: number): Uint8Array[] => compactMain.slice(start - FIRST, end - FIRST + 1);

const stored = (store: MemoryCompactStore): string[] =>
  store.heights.map((height) => bytesToHex(store.read({ start: height, end: height }, 1)[0]!.data));

const fullBranch = [...main(FIRST, LAST_COMMON), ...compactBranch].map(bytesToHex);

test('stored and missing ranges complement each other', (t) => {
  const store = new MemoryCompactStore();
  t.deepEqual(storedRanges(store), []);
  t.deepEqual(missingIn(store, { start: FIRST, end: TIP }), [{ start: FIRST, end: TIP }]);
  keep(store, main(FIRST + 5, FIRST + 9));
  keep(store, main(FIRST + 20, FIRST + 29));
  t.deepEqual(storedRanges(store), [
    { start: FIRST + 5, end: FIRST + 9 },
    { start: FIRST + 20, end: FIRST + 29 },
  ]);
  t.deepEqual(missingIn(store, { start: FIRST, end: TIP }), [
    { start: FIRST, end: FIRST + 4 },
    { start: FIRST + 10, end: FIRST + 19 },
    { start: FIRST + 30, end: TIP },
  ]);
  t.deepEqual(missingIn(store, { start: FIRST + 6, end: FIRST + 8 }), []);
  t.deepEqual(missingIn(store, { start: FIRST + 8, end: FIRST + 10 }), [
    { start: FIRST + 10, end: FIRST + 10 },
  ]);
  t.deepEqual(missingIn(store, { start: FIRST + 8, end: FIRST + 7 }), []);
});

test('the wire bytes are kept, and only what is missing is fetched', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, main(FIRST + 5, FIRST + 9));
  const update = await bringUpToDate(client, store, () => ({ start: FIRST, end: FIRST + 20 }));
  t.is(update.blocks, 16);
  t.is(
    update.bytes,
    main(FIRST, FIRST + 20).reduce((sum, { length }) => sum + length, 0) -
      main(FIRST + 5, FIRST + 9).reduce((sum, { length }) => sum + length, 0),
  );
  t.is(update.reorg, null);
  t.deepEqual(stored(store), main(FIRST, FIRST + 20).map(bytesToHex));
  t.true(server.calls.includes(`GetBlockRange ${FIRST} ${FIRST + 4}`));
  t.true(server.calls.includes(`GetBlockRange ${FIRST + 10} ${FIRST + 20}`));
});

test('a second update fetches nothing and changes nothing', async (t) => {
  const { client, store } = await setUp(t);
  const plan = (): { start: number; end: number } => ({ start: FIRST, end: TIP });
  await bringUpToDate(client, store, plan);
  const again = await bringUpToDate(client, store, plan);
  t.deepEqual([again.blocks, again.bytes, again.reorg], [0, 0, null]);
});

test('what arrived before a failure is kept', async (t) => {
  const { server, client, store } = await setUp(t);
  server.range = (items, start) => items.filter((_, i) => start + i !== FIRST + 12);
  const error = await t.throwsAsync<CompanionError>(
    bringUpToDate(client, store, () => ({ start: FIRST, end: TIP })),
  );
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.deepEqual(stored(store), main(FIRST, FIRST + 11).map(bytesToHex));
});

test('a reorg undoes the blocks above the fork, says so, and the other branch is fetched', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, compactMain);
  server.reorg(LAST_COMMON, compactBranch);
  const update = await bringUpToDate(client, store, () => ({
    start: (store.heights.at(-1) ?? 0) + 1,
    end: BRANCH_TIP,
  }));
  t.deepEqual(update.reorg, { forkHeight: LAST_COMMON, depth: TIP - LAST_COMMON });
  t.is(update.range.start, LAST_COMMON + 1);
  t.deepEqual(stored(store), fullBranch);
});

test('a reorg below a stretch undoes all of it, and leaves other stretches alone', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, main(FIRST, FIRST + 3));
  keep(store, main(LAST_COMMON + 2, TIP));
  server.reorg(LAST_COMMON, compactBranch);
  const tip = await client.tip();
  const reorg = await undoStale(client, store, { start: TIP + 1, end: BRANCH_TIP }, tip);
  t.deepEqual(reorg, { forkHeight: LAST_COMMON + 1, depth: TIP - LAST_COMMON - 1 });
  t.deepEqual(storedRanges(store), [{ start: FIRST, end: FIRST + 3 }]);
});

test('a server that is lower, on our branch, undoes nothing', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, compactMain);
  server.serve(main(FIRST, TIP - 3));
  t.is(await undoStale(client, store, { start: FIRST, end: TIP }, await client.tip()), null);
  t.is(store.heights.length, 50);
});

test('a server that is lower, on another branch, is NODE_BEHIND and undoes nothing', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, compactMain);
  server.reorg(LAST_COMMON, compactBranch.slice(0, 3));
  const tip = await client.tip();
  const error = await t.throwsAsync<CompanionError>(
    undoStale(client, store, { start: FIRST, end: TIP }, tip),
  );
  t.is(error?.code, 'NODE_BEHIND');
  t.is(store.heights.length, 50);
});

test('a chain that changes during the download is looked at anew', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, main(FIRST, LAST_COMMON + 2));
  let calls = 0;
  server.range = (items, start) => {
    // The first look at the stored top still sees the old branch; then the node switches.
    if (++calls === 2) server.reorg(LAST_COMMON, compactBranch);
    return calls >= 3 && start > LAST_COMMON + 2 && start <= BRANCH_TIP
      ? compactBranch.slice(start - LAST_COMMON - 1)
      : items;
  };
  const update = await bringUpToDate(client, store, (tip) => ({
    start: (store.heights.at(-1) ?? 0) + 1,
    end: tip.height,
  }));
  t.deepEqual(update.reorg, { forkHeight: LAST_COMMON, depth: 2 });
  t.deepEqual(stored(store), fullBranch);
});

test('a server that keeps mixing branches fails in the end, and the store stays linked', async (t) => {
  const { server, client, store } = await setUp(t);
  server.range = (items, start, end) =>
    items.map((item, i) => (end > start && start + i === LAST_COMMON + 3 ? compactBranch[2]! : item));
  const error = await t.throwsAsync<CompanionError>(
    bringUpToDate(client, store, () => ({ start: FIRST, end: TIP })),
  );
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.deepEqual(stored(store), main(FIRST, LAST_COMMON + 2).map(bytesToHex));
});

/** The honest sizes of `compactMain` plus some. */
const withSizes = (bytes: Uint8Array, more: number): Uint8Array => {
  const block = decodeCompactBlock(bytes);
  const { sapling, ...others } = block.treeSizes!;
  return encodeCompactBlock({ ...block, treeSizes: { sapling: sapling + more, ...others } });
};

/** The tree states of an honest server. */
const honestState = (height: number): Partial<TreeState> => {
  const { hash, sapling, orchard, ironwood } = expectedMain[height - FIRST]!;
  return {
    hash,
    saplingTree: frontierHex(sapling.size),
    orchardTree: frontierHex(orchard.size),
    ironwoodTree: frontierHex(ironwood.size),
  };
};

test('what is kept is kept with the name of the server', async (t) => {
  const { server, client, store } = await setUp(t);
  await bringUpToDate(client, store, () => ({ start: FIRST, end: FIRST + 3 }));
  t.deepEqual(
    new Set(store.origins({ start: FIRST, end: TIP }).map((origin) => origin.server)),
    new Set([server.host]),
  );
});

test('for a scan, blocks that others gave are fetched too and take their place; else they are left', async (t) => {
  const { server, client, store } = await setUp(t);
  const plan = () => ({ start: FIRST, end: FIRST + 29 });
  const poor = main(FIRST, FIRST + 19).map((bytes) =>
    encodeCompactBlock({ ...decodeCompactBlock(bytes), transactions: [] }),
  );
  store.put(
    poor.slice(0, 10).map((data) => ({ ...summarizeCompactBlock(data), data })),
    'other:1',
  );
  store.put(poor.slice(10).map((data) => ({ ...summarizeCompactBlock(data), data })));
  t.is((await bringUpToDate(client, store, () => ({ start: FIRST, end: FIRST + 19 }))).blocks, 0);
  t.is((await bringUpToDate(client, store, plan, undefined, { ownBlocks: true })).blocks, 30);
  t.deepEqual(stored(store), main(FIRST, FIRST + 29).map(bytesToHex));
  t.is((await bringUpToDate(client, store, plan, undefined, { ownBlocks: true })).blocks, 0, 'and once only');
  t.true(store.origins(plan()).every((origin) => origin.server === server.host));
});

for (const [who, giver] of [
  ['another server', 'other:1'],
  ['this server', undefined],
] as const) {
  test(`a fetched block whose sizes do not fit the stored one below, of ${who}, is not kept beside it`, async (t) => {
    const { server, client, store } = await setUp(t);
    const low = main(FIRST, FIRST + 9).map((bytes) => withSizes(bytes, 7));
    store.put(
      low.map((data) => ({ ...summarizeCompactBlock(data), data })),
      giver ?? server.host,
    );
    server.treeState = honestState;
    const update = await bringUpToDate(client, store, () => ({
      start: store.heights.length === 0 ? FIRST : FIRST + 10,
      end: TIP,
    }));
    t.deepEqual(stored(store), compactMain.map(bytesToHex));
    t.deepEqual(update.reorg, { forkHeight: FIRST - 1, depth: 10 });
  });
}

test('a fetched block whose sizes do not fit a stored one that the tree state confirms is refused', async (t) => {
  const { server, client, store } = await setUp(t);
  keep(store, main(FIRST, FIRST + 9));
  server.treeState = honestState;
  server.range = (items, start) =>
    items.map((item, i) => (start + i > FIRST + 9 && item instanceof Uint8Array ? withSizes(item, 7) : item));
  const error = await t.throwsAsync<CompanionError>(
    bringUpToDate(client, store, () => ({ start: FIRST + 10, end: TIP })),
  );
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(error?.message ?? '', new RegExp(server.host));
  t.deepEqual(stored(store), main(FIRST, FIRST + 9).map(bytesToHex), 'nothing of it was kept');
  t.is(
    server.calls.filter((call) => call === `GetBlockRange ${FIRST + 10} ${TIP}`).length,
    2,
    'asked twice, no more',
  );
});

test('made-up blocks of another server, higher than the chain, do not stand in the way for ever', async (t) => {
  const { server, client, store } = await setUp(t);
  store.put(
    compactMain.map((data) => ({ ...summarizeCompactBlock(data), data })),
    'other:1',
  );
  server.reorg(LAST_COMMON, compactBranch.slice(0, 3));
  // As a request to go on above the store plans it.
  const update = await bringUpToDate(client, store, (tip) => {
    const top = store.heights.at(-1) ?? 0;
    if (top > tip.height) throw new CompanionError('NODE_BEHIND', 'The store is higher.');
    return { start: top + 1, end: tip.height };
  });
  t.deepEqual(update.reorg, { forkHeight: LAST_COMMON, depth: TIP - LAST_COMMON });
  t.deepEqual(stored(store), [...main(FIRST, LAST_COMMON), ...compactBranch.slice(0, 3)].map(bytesToHex));
});

test('blocks of another server that this one has yet to see are left alone', async (t) => {
  const { server, client, store } = await setUp(t);
  store.put(
    compactMain.map((data) => ({ ...summarizeCompactBlock(data), data })),
    'other:1',
  );
  server.serve(main(FIRST, TIP - 5));
  const update = await bringUpToDate(client, store, () => ({ start: FIRST, end: FIRST + 3 }));
  t.is(update.reorg, null);
  t.is(store.heights.length, 50);
});
