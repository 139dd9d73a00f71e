import { status } from '@grpc/grpc-js';
import { PATIENCE_MS, Patience } from '@wallet-companion/base/async';
import { bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { Waits } from '@wallet-companion/base/test/waits';
import { summarizeCompactBlock } from '@wallet-companion/zcash/blocks';
import { encodeCompactBlock, messageField } from '@wallet-companion/zcash/compactBlocks';
import { asBlockHash, asTxId, fromDisplayHex, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import type { BlockRef } from '@wallet-companion/zcash/scan';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { readDelimited, readFixtureJson } from '@wallet-companion/zcash/test/fixtures';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test, { type ExecutionContext } from 'ava';
import { CompactClient } from '#chain/compact/compactClient';
import { CompactConnection } from '#chain/compact/compactConnection';
import { CompactSource } from '#chain/compact/compactSource';
import type { BlockStream } from '#chain/ports/chainSource';
import type { CompanionError } from '../../../src/protocol/errors.ts';
import { drain } from '../../helpers/drainedStream.ts';
import { FixtureCompactServer, GrpcError, STALL } from '../../helpers/fixtureCompactServer.ts';
import { frontierHex } from '../../helpers/fixtureNode.ts';
import {
  BRANCH_TIP,
  compactBranch,
  compactMain,
  expectedMain,
  expectedReorg,
  FIRST,
  IRONWOOD,
  LAST_COMMON,
  MAIN_INFO,
  PARAMETERS,
  TIP,
  TREES_BEFORE,
} from '../../helpers/knownSeedBlocks.ts';
import { MemoryCompactStore, storePlace } from '../../helpers/memoryCompactStores.ts';
import { EAGER_STREAM, endlessPatience, PATIENT_CLIENT } from '../../helpers/waits.ts';

const OPTIONS = { offline: false, saplingActivation: PARAMETERS.activation.sapling };

interface Setup {
  readonly server: FixtureCompactServer;
  readonly source: CompactSource;
  /** The same, told that the server is away. */
  readonly offline: CompactSource;
  readonly store: MemoryCompactStore;
}

async function setUp(t: ExecutionContext, blocks: readonly Uint8Array[] = compactMain): Promise<Setup> {
  const server = await FixtureCompactServer.start({ blocks, info: MAIN_INFO });
  const store = new MemoryCompactStore();
  const client = new CompactClient(
    new CompactConnection(server.url, PATIENT_CLIENT),
    PARAMETERS,
    EAGER_STREAM,
  );
  const open = (alone: boolean): CompactSource =>
    new CompactSource(client, storePlace(store), {
      ...OPTIONS,
      offline: alone,
      patience: endlessPatience(),
    });
  const source = open(false);
  t.teardown(() => {
    source.close();
    server.stop();
  });
  return { server, source, offline: open(true), store };
}

function keep(store: MemoryCompactStore, messages: readonly Uint8Array[]): void {
  store.put(messages.map((data) => ({ ...summarizeCompactBlock(data), data })));
}

const hashes = (refs: readonly BlockRef[]): string[] => refs.map(({ hash }) => toDisplayHex(hash));

/** As a server from before 2023 sends them. */
const withoutSizes = compactMain.map((bytes) =>
  encodeCompactBlock({ ...decodeCompactBlock(bytes), treeSizes: undefined }),
);

test('a range comes whole, packed, with the sizes before each block, and is stored', async (t) => {
  const { source, store } = await setUp(t);
  const { batches, refs, error } = await drain(source.openRange(FIRST, TIP));
  t.is(error, undefined);
  t.deepEqual(
    hashes(refs),
    expectedMain.map(({ hash }) => hash),
  );
  t.deepEqual(refs[0]!.treeSizes, TREES_BEFORE);
  for (const [i, { treeSizes }] of refs.slice(1).entries()) {
    const { sapling, orchard, ironwood } = expectedMain[i]!;
    t.deepEqual(
      treeSizes,
      poolSizes({ sapling: sapling.size, orchard: orchard.size, ironwood: ironwood.size }),
    );
  }
  const packed = batches.flatMap(({ buffer, format, blocks }) => {
    t.is(format, 'compact');
    return blocks.map(({ offset, length }) => bytesToHex(new Uint8Array(buffer, offset, length)));
  });
  t.deepEqual(packed, compactMain.map(bytesToHex));
  t.is(store.heights.length, 50);
});

test('a store that has it all is enough: the server may be away', async (t) => {
  const { server, source, store } = await setUp(t);
  keep(store, compactMain);
  server.stop();
  const { refs, error } = await drain(source.openRange(FIRST, TIP));
  t.is(error, undefined);
  t.is(refs.length, 50);
});

test('without the server the top of the store is the tip, and says why', async (t) => {
  const { server, source, store } = await setUp(t);
  server.stop();
  const gone = await t.throwsAsync<CompanionError>(source.tip());
  t.is(gone?.code, 'COMPACT_SERVER_UNREACHABLE', 'an empty store knows no tip');
  keep(store, compactMain.slice(0, 10));
  keep(store, compactMain.slice(20, 30));
  const { height, hash, offline } = await source.tip();
  t.is(height, FIRST + 29);
  t.is(toDisplayHex(hash), expectedMain[29]!.hash);
  t.is(offline?.lowestHeight, FIRST + 19);
  t.is(offline?.reason.code, 'COMPACT_SERVER_UNREACHABLE');
});

test('a server that never answers is as good as away', async (t) => {
  const silent = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO });
  silent.before = () => {
    throw STALL;
  };
  const store = new MemoryCompactStore();
  keep(store, compactMain);
  const client = new CompactConnection(silent.url, { ...PATIENT_CLIENT, callMs: 20 });
  const source = new CompactSource(new CompactClient(client, PARAMETERS), storePlace(store), {
    ...OPTIONS,
    patience: endlessPatience(),
  });
  t.teardown(() => {
    source.close();
    silent.stop();
  });
  const { height, offline } = await source.tip();
  t.is(height, TIP);
  t.is(offline?.reason.code, 'UPSTREAM_TIMEOUT');
});

/** A server whose answers wait until they are let go, and a store of the first 30 blocks. */
async function setUpLate(t: ExecutionContext, patience = endlessPatience()) {
  const { server, store } = await setUp(t);
  keep(store, compactMain.slice(0, 30));
  const compactServer = new CompactClient(new CompactConnection(server.url, PATIENT_CLIENT), PARAMETERS);
  t.teardown(() => compactServer.close());
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let asked = 0;
  const late = {
    host: server.host,
    tip: async () => {
      asked++;
      await held;
      return compactServer.tip();
    },
  } as unknown as CompactClient;
  const source = new CompactSource(late, storePlace(store), { ...OPTIONS, patience });
  return { source, letGo, asked: () => asked };
}

test('a late server does not keep a scan waiting that can go on with stored blocks', async (t) => {
  const waits = new Waits();
  const { source, letGo, asked } = await setUpLate(t, new Patience(PATIENCE_MS, waits.after));
  waits.end();
  const resumeAt = { height: FIRST + 10, prevHash: asBlockHash(fromDisplayHex(expectedMain[9]!.hash)) };
  for (const next of [{ height: FIRST }, resumeAt]) {
    const { height, offline } = await source.tip(next);
    t.is(height, FIRST + 29);
    t.is(offline?.reason.code, 'UPSTREAM_TIMEOUT');
  }
  t.is(asked(), 1, 'who owes an answer is not asked again');
  waits.begin();
  letGo();
  // Its answer to the first question is on its way; the next one is waited for.
  let answer = await source.tip(resumeAt);
  while (answer.offline !== undefined) {
    await new Promise(setImmediate);
    answer = await source.tip(resumeAt);
  }
  t.is(answer.height, TIP);
});

for (const [what, resumeAt] of [
  ['the next block is not known', undefined],
  ['the next block is not stored', { height: FIRST + 30 }],
  ['the stored block follows another one', { height: FIRST + 10, prevHash: asBlockHash(new Uint8Array(32)) }],
] as const) {
  test(`a late server is waited for when ${what}`, async (t) => {
    const patience = endlessPatience();
    patience.within = () => Promise.resolve(undefined);
    const { source, letGo } = await setUpLate(t, patience);
    const tip = source.tip(resumeAt);
    letGo();
    t.is((await tip).height, TIP);
  });
}

test('a server that falls silent within a range is waited for once, not for every piece', async (t) => {
  const { server, store } = await setUp(t);
  keep(store, compactMain);
  const compactServer = new CompactClient(new CompactConnection(server.url, PATIENT_CLIENT), PARAMETERS);
  const patience = endlessPatience();
  const source = new CompactSource(compactServer, storePlace(store), {
    ...OPTIONS,
    patience,
    pieces: { first: 10, most: 10 },
  });
  t.teardown(() => source.close());
  let asked = 0;
  server.before = () => {
    asked++;
    throw new GrpcError(status.UNAVAILABLE);
  };
  const { refs, error } = await drain(source.openRange(FIRST, TIP));
  t.is(error, undefined);
  t.is(refs.length, 50);
  t.is(asked, 1);
});

test('a server that answers badly is not replaced by the store', async (t) => {
  const { server, source, store } = await setUp(t);
  keep(store, compactMain);
  for (const [code, expected] of [
    [status.UNKNOWN, 'COMPACT_SERVER_BAD_RESPONSE'],
    [status.UNIMPLEMENTED, 'COMPACT_SERVER_BAD_RESPONSE'],
  ] as const) {
    server.before = () => {
      throw new GrpcError(code);
    };
    t.is((await t.throwsAsync<CompanionError>(source.tip()))?.code, expected);
  }
});

test('the store alone knows its hashes, the one below it, and no others', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, compactMain.slice(20));
  server.stop();
  for (const i of [19, 20, 49]) {
    t.is(toDisplayHex((await offline.blockHash(FIRST + i))!), expectedMain[i]!.hash);
  }
  for (const height of [FIRST + 18, TIP + 1]) {
    const error = await t.throwsAsync<CompanionError>(offline.blockHash(height));
    t.is(error?.code, 'COMPACT_SERVER_UNREACHABLE');
  }
});

test('with a server that is known to be away, stored blocks cause no request', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, compactMain.slice(0, 30));
  const { refs, error } = await drain(offline.openRange(FIRST, FIRST + 29));
  t.is(error, undefined);
  t.is(refs.length, 30);
  await offline.blockHash(FIRST + 29);
  t.deepEqual(server.calls, []);
});

test('the store alone gives what it has, then fails where a block is missing', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, compactMain.slice(0, 10));
  server.stop();
  const { refs, error } = await drain(offline.openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_UNREACHABLE');
  t.is(refs.length, 10);
});

test('a store that lacks a block is not enough', async (t) => {
  const { server, source, store } = await setUp(t);
  keep(store, compactMain.slice(0, 49));
  server.stop();
  const { error } = await drain(source.openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_UNREACHABLE');
});

test('a chain that changes between two pieces fails the range, and is fetched by the next one', async (t) => {
  const setup = await setUp(t);
  const { server } = setup;
  const source = pieceWise(t, setup, LAST_COMMON + 3 - FIRST);
  let asked = false;
  server.treeState = (height) => {
    if (height >= LAST_COMMON + 2 && !asked) {
      asked = true;
      setImmediate(() => server.reorg(LAST_COMMON, compactBranch));
    }
    return new GrpcError(status.NOT_FOUND);
  };
  const { error } = await drain(source.openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  const { refs } = await drain(source.openRange(LAST_COMMON + 1, BRANCH_TIP));
  t.deepEqual(
    hashes(refs),
    expectedReorg.slice(-8).map(({ hash }) => hash),
  );
});

test('after a reorg the other branch is delivered', async (t) => {
  const { server, source, store } = await setUp(t);
  keep(store, compactMain);
  server.reorg(LAST_COMMON, compactBranch);
  t.is(toDisplayHex((await source.blockHash(LAST_COMMON + 1))!), expectedReorg.at(-8)!.hash);
  const { refs, error } = await drain(source.openRange(LAST_COMMON + 1, BRANCH_TIP));
  t.is(error, undefined);
  t.deepEqual(
    hashes(refs),
    expectedReorg.slice(-8).map(({ hash }) => hash),
  );
});

test('a stream with a gap fails the range', async (t) => {
  const { server, source } = await setUp(t);
  server.range = (items, start) => items.filter((_, i) => start + i !== FIRST + 20);
  const { error } = await drain(source.openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
});

test('blocks without tree sizes are counted from the tree state before the range', async (t) => {
  const { server, source } = await setUp(t, withoutSizes);
  server.treeState = (height) =>
    height === FIRST + 9
      ? {
          saplingTree: frontierHex(expectedMain[9]!.sapling.size),
          orchardTree: frontierHex(expectedMain[9]!.orchard.size),
        }
      : new GrpcError(status.NOT_FOUND);
  const { refs, error } = await drain(source.openRange(FIRST + 10, FIRST + 20));
  t.is(error, undefined);
  t.deepEqual(
    refs.map(({ treeSizes }) => treeSizes.sapling),
    expectedMain.slice(9, 20).map(({ sapling }) => sapling.size),
  );
});

test('a server without tree sizes is refused rather than guessed at', async (t) => {
  const { source } = await setUp(t, withoutSizes);
  const { error } = await drain(source.openRange(FIRST + 10, FIRST + 20));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(error?.message ?? '', /scan from the node/);
});

/** Sapling sizes before the blocks of the range, as scanned. */
const saplingBefore = (first: number, last: number): number[] =>
  expectedMain.slice(first - 1, last).map(({ sapling }) => sapling.size);

test('stored blocks without sizes are counted from the next one below that carries them', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, [...compactMain.slice(0, 4), ...withoutSizes.slice(4)]);
  server.stop();
  const { refs, error } = await drain(offline.openRange(FIRST + 30, TIP));
  t.is(error, undefined);
  t.deepEqual(
    refs.map(({ treeSizes }) => treeSizes.sapling),
    saplingBefore(30, 49),
  );
  const { orchard, ironwood } = expectedMain[29]!;
  t.like(refs[0]?.treeSizes, { orchard: orchard.size, ironwood: ironwood.size });
});

test('stored blocks without sizes are counted back from the next one above that carries them', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, [...withoutSizes.slice(0, 40), ...compactMain.slice(40)]);
  server.stop();
  const { refs, error } = await drain(offline.openRange(FIRST, FIRST + 10));
  t.is(error, undefined);
  t.deepEqual(refs[0]?.treeSizes, TREES_BEFORE);
  t.deepEqual(
    refs.slice(1).map(({ treeSizes }) => treeSizes.sapling),
    saplingBefore(1, 10),
  );
});

test('stored blocks without sizes are counted from the activation of Sapling, where the trees are empty', async (t) => {
  const { server, store } = await setUp(t);
  keep(store, withoutSizes);
  const compactServer = new CompactClient(new CompactConnection(server.url, PATIENT_CLIENT), PARAMETERS);
  t.teardown(() => compactServer.close());
  server.stop();
  const open = (saplingActivation: number): BlockStream =>
    new CompactSource(compactServer, storePlace(store), {
      offline: true,
      patience: endlessPatience(),
      saplingActivation,
    }).openRange(FIRST + 30, FIRST + 30);
  for (const activation of [FIRST, FIRST + 1]) {
    const { refs, error } = await drain(open(activation));
    t.is(error, undefined);
    const emptyUntil = expectedMain[activation - FIRST - 1]?.sapling.size ?? TREES_BEFORE.sapling;
    t.is(refs[0]?.treeSizes.sapling, expectedMain[29]!.sapling.size - emptyUntil);
  }
  t.is((await drain(open(FIRST - 1))).error?.code, 'COMPACT_SERVER_UNREACHABLE', 'a block is missing');
});

test('stored blocks without sizes are counted from the scanned block before them, if it is that one', async (t) => {
  const { server, offline, store } = await setUp(t);
  keep(store, withoutSizes.slice(20));
  server.stop();
  const { hash, sapling, orchard, ironwood } = expectedMain[19]!;
  const treeSizes = poolSizes({ sapling: sapling.size, orchard: orchard.size, ironwood: ironwood.size });
  const before = { hash: asBlockHash(fromDisplayHex(hash)), treeSizes };
  const { refs, error } = await drain(offline.openRange(FIRST + 20, TIP, before));
  t.is(error, undefined);
  t.deepEqual(refs[0]?.treeSizes, treeSizes);
  const other = { ...before, hash: asBlockHash(new Uint8Array(32)) };
  const refused = await drain(offline.openRange(FIRST + 20, TIP, other));
  t.is(refused.error?.code, 'COMPACT_SERVER_UNREACHABLE');
  t.regex(refused.error?.message ?? '', /tree sizes before it; scan from the node/);
});

test('blocks whose sizes do not fit what was scanned before them are refused', async (t) => {
  const { source } = await setUp(t);
  const { hash, sapling, orchard, ironwood } = expectedMain[19]!;
  const treeSizes = poolSizes({ sapling: sapling.size + 1, orchard: orchard.size, ironwood: ironwood.size });
  const before = { hash: asBlockHash(fromDisplayHex(hash)), treeSizes };
  const { refs, error } = await drain(source.openRange(FIRST + 20, TIP, before));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(error?.message ?? '', /rescan/);
  t.is(refs.length, 0);
});

test('sizes of another branch are not used', async (t) => {
  const { server, source } = await setUp(t, withoutSizes);
  server.treeState = () => ({ hash: expectedReorg.at(-1)!.hash, saplingTree: frontierHex(5) });
  const { error } = await drain(source.openRange(FIRST + 10, FIRST + 20));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
});

test('a damaged stored block is fetched again; without the server it is STORAGE_FAILED', async (t) => {
  const { source, offline, store, server } = await setUp(t);
  const [first] = compactMain;
  const damaged = { ...summarizeCompactBlock(first!), data: Uint8Array.of(0xff) };
  store.put([damaged]);
  t.is((await drain(offline.openRange(FIRST, FIRST))).error?.code, 'STORAGE_FAILED');
  for (const giver of [undefined, server.host]) {
    store.put([damaged], giver);
    const { refs, error } = await drain(source.openRange(FIRST, FIRST));
    t.is(error, undefined);
    t.deepEqual(hashes(refs), [expectedMain[0]!.hash]);
  }
});

/** Tree states of this chain, and which heights were asked about. */
function tellTreeStates(server: FixtureCompactServer, more = 0): number[] {
  const asked: number[] = [];
  server.treeState = (height) => {
    asked.push(height);
    const after = expectedMain[height - FIRST];
    const { sapling, orchard, ironwood } = TREES_BEFORE;
    const hash = after?.hash ?? toDisplayHex(summarizeCompactBlock(compactMain[0]!).prevHash);
    return {
      hash,
      saplingTree: frontierHex((after?.sapling.size ?? sapling) + more),
      orchardTree: frontierHex(after?.orchard.size ?? orchard),
      ironwoodTree: frontierHex(after?.ironwood.size ?? ironwood),
    };
  };
  return asked;
}

/** Another source on the same server and store. */
const pieceWise = (t: ExecutionContext, { server, store }: Setup, pieceBlocks: number): CompactSource => {
  const client = new CompactClient(
    new CompactConnection(server.url, PATIENT_CLIENT),
    PARAMETERS,
    EAGER_STREAM,
  );
  t.teardown(() => client.close());
  return new CompactSource(client, storePlace(store), {
    ...OPTIONS,
    patience: endlessPatience(),
    pieces: { first: pieceBlocks, most: pieceBlocks },
  });
};

const scannedAt = (offset: number) => {
  const { hash, sapling, orchard, ironwood } = expectedMain[offset]!;
  const treeSizes = poolSizes({ sapling: sapling.size, orchard: orchard.size, ironwood: ironwood.size });
  return { hash: asBlockHash(fromDisplayHex(hash)), treeSizes };
};

test('tree states are asked for before a range and after each piece; before it not where a scan knows', async (t) => {
  const setup = await setUp(t);
  const asked = tellTreeStates(setup.server);
  const source = pieceWise(t, setup, 20);
  t.is((await drain(source.openRange(FIRST, FIRST + 24))).error, undefined);
  t.deepEqual(asked, [FIRST - 1, FIRST + 19, FIRST + 24]);
  asked.length = 0;
  t.is((await drain(source.openRange(FIRST + 10, FIRST + 24, scannedAt(9)))).refs.length, 15);
  t.deepEqual(asked, [FIRST + 24]);
  asked.length = 0;
  t.is((await drain(setup.offline.openRange(FIRST, FIRST + 24))).refs.length, 25);
  t.deepEqual(asked, []);
});

test('what follows a checked piece is fetched in one call; what is stored already is compared first', async (t) => {
  const setup = await setUp(t);
  const { server, store } = setup;
  tellTreeStates(server);
  keep(store, compactMain.slice(30, 32));
  const asked: string[][] = [];
  const stream = pieceWise(t, setup, 10).openRange(FIRST, TIP);
  for (let batch = await stream.next(); batch !== null; batch = await stream.next()) asked.push([]);
  t.is(asked.length, 5);
  const pieceOf = (offset: number): string => `GetBlockRange ${FIRST + offset} ${FIRST + offset + 9}`;
  const second = server.calls.indexOf(pieceOf(10));
  t.deepEqual(server.calls.slice(second - 1, second + 2), ['GetTreeState', pieceOf(10), 'GetTreeState']);
  const third = server.calls.indexOf(pieceOf(40), second);
  t.is(server.calls[third - 1], 'GetTreeState');
  t.true(server.calls.slice(second + 2, third).includes('GetLatestBlock'), 'stored blocks lay between');
});

test('of a piece that its tree state contradicts nothing is given out, of those before it everything', async (t) => {
  const setup = await setUp(t);
  const { server, store } = setup;
  tellTreeStates(server);
  server.range = (items, start) =>
    items.map((item, i) =>
      start + i >= FIRST + 12 && item instanceof Uint8Array
        ? encodeCompactBlock({ ...decodeCompactBlock(item), transactions: [], treeSizes: undefined })
        : item,
    );
  const { refs, error } = await drain(pieceWise(t, setup, 10).openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(error?.message ?? '', new RegExp(`^The compact server at ${server.host} .*some are missing`));
  t.is(refs.length, 10);
  t.deepEqual(store.heights.at(-1), FIRST + 9, 'nor is it kept');
  const asked = server.calls.filter((call) => call === `GetBlockRange ${FIRST + 10} ${FIRST + 19}`);
  t.is(asked.length, 2, 'it was asked for twice');
});

test('outputs missing from the first block alone are found by the tree state before it', async (t) => {
  const { server, source } = await setUp(t);
  tellTreeStates(server);
  const first = compactMain.findIndex((bytes) => summarizeCompactBlock(bytes).counts.sapling > 0);
  server.range = (items, start) =>
    items.map((item, i) =>
      start + i === FIRST + first && item instanceof Uint8Array
        ? encodeCompactBlock({ ...decodeCompactBlock(item), transactions: [] })
        : item,
    );
  const { refs, error } = await drain(source.openRange(FIRST + first, TIP));
  t.regex(error?.message ?? '', new RegExp(`block ${FIRST + first} that does not fit its own tree state`));
  t.is(refs.length, 0);
});

test('a tree state that contradicts what was scanned says so, and names both ways out', async (t) => {
  const setup = await setUp(t);
  tellTreeStates(setup.server);
  const before = scannedAt(9);
  const misled = { ...before, treeSizes: { ...before.treeSizes, sapling: before.treeSizes.sapling + 1 } };
  const { source, server } = setup;
  server.range = (items) =>
    items.map((item) =>
      item instanceof Uint8Array
        ? encodeCompactBlock({ ...decodeCompactBlock(item), treeSizes: undefined })
        : item,
    );
  const { refs, error } = await drain(source.openRange(FIRST + 10, FIRST + 19, misled));
  t.regex(error?.message ?? '', /use another server, or rescan if others say the same/);
  t.is(refs.length, 0);
});

test('a tree state of another block is a chain that moves: asked again, then given up', async (t) => {
  const setup = await setUp(t);
  const { server, source } = setup;
  const asked = tellTreeStates(server);
  const honest = server.treeState;
  let lag = 2;
  server.treeState = (height) => {
    const state = honest(height);
    return height === TIP && lag-- > 0 ? { ...state, hash: expectedReorg.at(-1)!.hash } : state;
  };
  const { refs, error } = await drain(source.openRange(FIRST, TIP));
  t.is(error, undefined);
  t.is(refs.length, 50);
  t.is(asked.filter((height) => height === TIP).length, 3);
  lag = 100;
  const refused = await drain(source.openRange(FIRST, TIP));
  t.is(refused.error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.is(refused.refs.length, 0);
});

for (const [what, answer] of [
  ['does not offer tree states', new GrpcError(status.UNIMPLEMENTED)],
  ['does not have the tree state', new GrpcError(status.NOT_FOUND)],
  [
    'fails to find it, as lightwalletd says it',
    new GrpcError(status.UNKNOWN, '-8: Block height out of range'),
  ],
] as const) {
  test(`a server that ${what} is believed`, async (t) => {
    const { server, source } = await setUp(t);
    server.treeState = () => answer;
    const { refs, error } = await drain(source.openRange(FIRST, TIP));
    t.is(error, undefined);
    t.is(refs.length, 50);
  });
}

test('blocks that come while the tree state cannot be asked for are not given out; stored ones are', async (t) => {
  const { server, source } = await setUp(t);
  server.treeState = () => new GrpcError(status.UNAVAILABLE);
  const fresh = await drain(source.openRange(FIRST, IRONWOOD - 1));
  t.is(fresh.error?.code, 'COMPACT_SERVER_UNREACHABLE');
  t.is(fresh.refs.length, 0);
  const again = await drain(source.openRange(FIRST, IRONWOOD - 1));
  t.is(again.error, undefined);
  t.is(again.refs.length, IRONWOOD - FIRST);
});

test('the blocks of a real node fit its own tree states, and no others', async (t) => {
  const recorded = ['known-seed', 'zebra-recorded'] as const;
  type Answer = Record<
    'sapling' | 'orchard' | 'ironwood',
    { commitments: { finalState: string } } | undefined
  >;
  const states = readFixtureJson<Record<string, Answer & { hash: string }>>(...recorded, 'treestates.json');
  const heights = Object.keys(states).map(Number);
  const blocks = readDelimited(...recorded, 'compact.bin');
  const info = { chainName: 'test', saplingActivationHeight: 1n };
  const server = await FixtureCompactServer.start({ blocks, info });
  server.treeState = (height) => {
    const { hash, sapling, orchard, ironwood } = states[height]!;
    return {
      hash,
      saplingTree: sapling?.commitments.finalState ?? '',
      orchardTree: orchard?.commitments.finalState ?? '',
      ironwoodTree: ironwood?.commitments.finalState ?? '',
    };
  };
  const parameters = regtestParameters({ nu6_3: 20 });
  const scan = async (end: number) => {
    const client = new CompactClient(new CompactConnection(server.url, PATIENT_CLIENT), parameters);
    const options = { offline: false, patience: endlessPatience(), saplingActivation: 1 };
    const source = new CompactSource(client, storePlace(new MemoryCompactStore()), options);
    const drained = await drain(source.openRange(1, end));
    source.close();
    return drained;
  };
  t.teardown(() => server.stop());
  t.true(heights.length >= 2);
  for (const height of heights) {
    const { refs, error } = await scan(height);
    t.is(error, undefined);
    t.is(refs.length, height);
  }
  server.range = (items, start) =>
    items.map((item, i) =>
      start + i < 20 || !(item instanceof Uint8Array)
        ? item
        : encodeCompactBlock({ ...decodeCompactBlock(item), transactions: [], treeSizes: undefined }),
    );
  t.is((await scan(heights.at(-1)!)).error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
});

test('large blocks are checked in smaller runs, so that few bytes wait', async (t) => {
  const filler = messageField(15, new Uint8Array(2_400_000));
  const { server, source } = await setUp(
    t,
    compactMain.slice(0, 9).map((bytes) => concatBytes(bytes, filler)),
  );
  const asked = tellTreeStates(server);
  const { refs, error } = await drain(source.openRange(FIRST, FIRST + 8));
  t.is(error, undefined);
  t.is(refs.length, 9);
  t.deepEqual(
    asked.filter((height) => height >= FIRST),
    [3, 7, 8].map((offset) => FIRST + offset),
  );
});

test('while large blocks are read from the store, others have their turn', async (t) => {
  const filler = messageField(15, new Uint8Array(700_000));
  const blocks = compactMain.slice(0, 9).map((bytes) => concatBytes(bytes, filler));
  const { source, offline, store } = await setUp(t, blocks);
  t.is((await drain(source.openRange(FIRST, FIRST + 8))).error, undefined);
  const read = store.read.bind(store);
  let turns = 0;
  const turnsBefore: number[] = [];
  store.read = (range, maxBytes) => {
    turnsBefore.push(turns);
    setImmediate(() => turns++);
    return read(range, maxBytes);
  };
  const { refs, error } = await drain(offline.openRange(FIRST, FIRST + 8));
  t.deepEqual([error, refs.length], [undefined, 9]);
  t.true(turnsBefore.length > 3);
  t.deepEqual(
    turnsBefore,
    turnsBefore.map((_, i) => i),
  );
});

test('small blocks are scanned many at once, up to a piece', async (t) => {
  const { offline, store } = await setUp(t);
  const hashAt = (i: number) => asBlockHash(fromDisplayHex(i.toString(16).padStart(64, '0')));
  const made = Array.from({ length: 300 }, (_, i) =>
    encodeCompactBlock({
      ...decodeCompactBlock(compactMain[0]!),
      height: FIRST + i,
      hash: hashAt(i + 1),
      prevHash: hashAt(i),
      transactions: [],
      treeSizes: TREES_BEFORE,
    }),
  );
  keep(store, made);
  const { batches, error } = await drain(offline.openRange(FIRST, FIRST + 299));
  t.is(error, undefined);
  t.deepEqual(
    batches.map(({ blocks }) => blocks.length),
    [256, 44],
  );
});

test('without the server, the server that gave a bad block is named', async (t) => {
  const { server, offline, store } = await setUp(t);
  server.stop();
  const { treeSizes, ...rest } = decodeCompactBlock(compactMain[10]!);
  const bad = encodeCompactBlock({ ...rest, treeSizes: { ...treeSizes!, sapling: treeSizes!.sapling + 1 } });
  const blocks = compactMain.with(10, bad).map((data) => ({ ...summarizeCompactBlock(data), data }));
  store.put(blocks, 'other.example:9067');
  const { error } = await drain(offline.openRange(FIRST, TIP));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(
    error?.message ?? '',
    new RegExp(`The compact server at other.example:9067 gave .* block ${FIRST + 10} `),
  );
  store.put(blocks);
  t.regex((await drain(offline.openRange(FIRST, TIP))).error?.message ?? '', /^The compact store gave/);
});

test('closing a range ends it', async (t) => {
  const { server, source } = await setUp(t);
  server.range = () => ['stall'];
  const stream = source.openRange(FIRST, TIP);
  stream.close();
  t.is(await stream.next(), null);
});

test('full blocks are not to be had, transactions are', async (t) => {
  const { server, source } = await setUp(t);
  server.transaction = (txid) => txid;
  t.is(await source.rawBlock(), null);
  const txid = asTxId(new Uint8Array(32).fill(3));
  t.is(bytesToHex((await source.rawTransaction(txid))!), bytesToHex(txid));
});
