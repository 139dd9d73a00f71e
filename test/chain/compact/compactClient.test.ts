import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { bytesToHex, hexToBytes } from '@wallet-companion/base/bytes';
import { Waits } from '@wallet-companion/base/test/waits';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { BlockIDSchema } from '@wallet-companion/zcash/compactProto';
import { asBlockHashHex, asTxId, blockHashFromHex, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { networkParameters, regtestParameters } from '@wallet-companion/zcash/network';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import test, { type ExecutionContext } from 'ava';
import { COMPACT_STREAM_LIMITS, type CompactStreamLimits } from '#chain/compact/compactBlockStream';
import { CompactClient } from '#chain/compact/compactClient';
import {
  COMPACT_CLIENT_LIMITS,
  CompactConnection,
  type CompactConnectionLimits,
} from '#chain/compact/compactConnection';
import { ChainMoved } from '#chain/compact/compactFailure';
import { CompanionError, type ErrorCode } from '../../../src/protocol/errors.ts';
import {
  FixtureCompactServer,
  type FixtureCompactServerOptions,
  GrpcError,
  STALL,
} from '../../helpers/fixtureCompactServer.ts';
import { frontierHex } from '../../helpers/fixtureNode.ts';
import {
  compactBranch,
  compactMain,
  expectedMain,
  FIRST,
  IRONWOOD,
  LAST_COMMON,
  MAIN_INFO,
  PARAMETERS,
  TIP,
} from '../../helpers/knownSeedBlocks.ts';
import { until } from '../../helpers/until.ts';
import { PATIENT_CLIENT } from '../../helpers/waits.ts';

async function startServer(
  t: ExecutionContext,
  options: Partial<FixtureCompactServerOptions> = {},
): Promise<FixtureCompactServer> {
  const server = await FixtureCompactServer.start({ blocks: compactMain, info: MAIN_INFO, ...options });
  t.teardown(() => server.stop());
  return server;
}

interface Limits extends Partial<CompactConnectionLimits>, Partial<CompactStreamLimits> {}

function connect(
  t: ExecutionContext,
  { url }: { readonly url: string },
  limits: Limits = {},
  parameters = PARAMETERS,
): CompactClient {
  const server = new CompactClient(new CompactConnection(url, { ...PATIENT_CLIENT, ...limits }), parameters, {
    ...COMPACT_STREAM_LIMITS,
    chunkBlocks: 7,
    retryDelaysMs: [1, 1],
    ...limits,
  });
  t.teardown(() => server.close());
  return server;
}

async function collect(
  server: CompactClient,
  start = FIRST,
  end = TIP,
): Promise<{ readonly blocks: string[]; readonly error: CompanionError | undefined }> {
  const blocks: string[] = [];
  try {
    for await (const { bytes } of server.blocks({ start, end })) blocks.push(bytesToHex(bytes));
    return { blocks, error: undefined };
  } catch (error) {
    return { blocks, error: error as CompanionError };
  }
}

async function failsWith(t: ExecutionContext, call: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await t.throwsAsync<CompanionError>(call);
  t.is(error?.code, code, error?.message);
}

const FIRST_HASH = blockHashFromHex(asBlockHashHex(expectedMain[0]!.hash));
const allBlocks = compactMain.map(bytesToHex);
const withoutIronwood = compactMain.map((bytes) => {
  const block = decodeCompactBlock(bytes);
  return encodeCompactBlock({
    ...block,
    transactions: block.transactions.map((transaction) => ({
      ...transaction,
      actions: { ...transaction.actions, ironwood: [] },
    })),
    treeSizes: block.treeSizes && { ...block.treeSizes, ironwood: 0 },
  });
});

test('info is what the server says', async (t) => {
  const info = await connect(t, await startServer(t)).info();
  t.like(info, { version: 'v0.5.3', chainName: 'main', blockHeight: BigInt(TIP) });
});

test('the tip says after which block the node behind the server stops by itself', async (t) => {
  const server = await startServer(t);
  t.is((await connect(t, server).tip()).endOfSupport, undefined);
  server.announce({ nodeSubversion: '/Zebra:7.0.0/' });
  t.is((await connect(t, server).tip()).endOfSupport, 3_684_728);
});

for (const reversed of [false, true]) {
  test(`the tip has its hash in wire order, though the server answers ${reversed ? 'in display order' : 'so too'}`, async (t) => {
    const server = await startServer(t);
    server.tipHashReversed = reversed;
    const { height, hash } = await connect(t, server).tip();
    t.is(height, TIP);
    t.is(toDisplayHex(hash), expectedMain.at(-1)!.hash);
  });
}

test('a block above the tip is null', async (t) => {
  const server = connect(t, await startServer(t));
  t.is(await server.block(TIP + 1), null);
  t.is(toDisplayHex((await server.block(FIRST))!.summary.hash), expectedMain[0]!.hash);
});

test('a range comes byte for byte, in order, in several chunks', async (t) => {
  const server = await startServer(t);
  const { blocks, error } = await collect(connect(t, server));
  t.is(error, undefined);
  t.deepEqual(blocks, allBlocks);
  t.is(server.calls.filter((call) => call.startsWith('GetBlockRange')).length, 8);
});

test('chunks are fetched at once, but no more than allowed', async (t) => {
  const server = await startServer(t);
  server.range = (items) => [...items.slice(0, 1), 'stall'];
  const abort = new AbortController();
  const client = connect(t, server, { chunksAtOnce: 3 });
  const blocks = client.blocks({ start: FIRST, end: TIP }, abort.signal);
  await blocks.next();
  const waiting = blocks.next();
  const calls = (): number => server.calls.filter((call) => call.startsWith('GetBlockRange')).length;
  await until(() => calls() >= 3);
  // A round trip later there is still no fourth.
  await client.treeSizesAfter(FIRST, FIRST_HASH);
  t.is(calls(), 3);
  abort.abort(new Error('enough'));
  await t.throwsAsync(waiting, { message: 'enough' });
});

test('a stream that ends early goes on from where it stopped', async (t) => {
  const server = await startServer(t);
  let calls = 0;
  server.range = (items) => (calls++ % 2 === 0 ? items.slice(0, 3) : items);
  const { blocks, error } = await collect(connect(t, server));
  t.is(error, undefined);
  t.deepEqual(blocks, allBlocks);
});

for (const code of [status.ABORTED, status.UNAVAILABLE, status.UNKNOWN, status.NOT_FOUND]) {
  test(`a stream that fails with ${status[code]} goes on from where it stopped`, async (t) => {
    const server = await startServer(t);
    let calls = 0;
    server.range = (items) =>
      calls++ === 0 ? [...items.slice(0, 2), new GrpcError(code, 'for now')] : items;
    const { blocks, error } = await collect(connect(t, server));
    t.is(error, undefined);
    t.deepEqual(blocks, allBlocks);
  });
}

const misbehaviours: Readonly<Record<string, [(server: FixtureCompactServer) => void, ErrorCode, number]>> = {
  'always ends early': [
    (server) => {
      server.range = (items, start) => (start < FIRST + 3 ? items.slice(0, FIRST + 3 - start) : []);
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    3,
  ],
  'leaves a block out': [
    (server) => {
      server.range = (items) => items.filter((_, i) => i !== 2);
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    2,
  ],
  'repeats a block': [
    (server) => {
      server.range = (items) => [...items.slice(0, 3), ...items.slice(2)];
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    3,
  ],
  'sends a block more than asked for': [
    (server) => {
      server.range = (items, start) => (start === FIRST ? [...items, compactMain[items.length]!] : items);
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    7,
  ],
  'sends blocks downwards': [
    (server) => {
      server.range = (items) => [...items].reverse();
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    0,
  ],
  'sends garbage': [
    (server) => {
      server.range = (items) => [...items.slice(0, 1), Uint8Array.of(0xff, 0xff, 0xff)];
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    1,
  ],
  'sends an empty message': [
    (server) => {
      server.range = () => [new Uint8Array()];
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    0,
  ],
  'does not offer ranges': [
    (server) => {
      server.range = () => [new GrpcError(status.UNIMPLEMENTED)];
    },
    'COMPACT_SERVER_BAD_RESPONSE',
    0,
  ],
  'goes away': [
    (server) => {
      server.range = (items) => {
        server.stop();
        return items;
      };
    },
    'COMPACT_SERVER_UNREACHABLE',
    0,
  ],
};
for (const [what, [misbehave, code, delivered]] of Object.entries(misbehaviours)) {
  test(`a server that ${what} fails with ${code} after the good blocks`, async (t) => {
    const server = await startServer(t);
    misbehave(server);
    const { blocks, error } = await collect(connect(t, server));
    t.is(error?.code, code, error?.message);
    t.deepEqual(blocks, allBlocks.slice(0, delivered));
  });
}

test('a server that stops sending is cut off by the idle deadline', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server, { idleMs: 50 });
  await client.info();
  server.range = (items) => [...items.slice(0, 2), 'stall'];
  const { blocks, error } = await collect(client);
  t.is(error?.code, 'UPSTREAM_TIMEOUT');
  // Fewer when the machine is busy.
  t.deepEqual(blocks, allBlocks.slice(0, Math.min(2, blocks.length)));
});

test('who waits for a server does so by the clock of the limits, and no longer than for the answer', async (t) => {
  const server = await startServer(t);
  const waits = new Waits();
  const asked: number[] = [];
  const client = connect(t, server, {
    ...COMPACT_CLIENT_LIMITS,
    after: (ms, strike) => {
      asked.push(ms);
      return waits.after(ms, strike);
    },
  });
  await client.info();
  t.deepEqual(asked.splice(0), [15_000]);
  t.is(waits.open, 0);
  t.is((await collect(client)).blocks.length, 50);
  t.deepEqual(new Set(asked), new Set([600_000, 20_000]));
  t.is(waits.open, 0);
  server.before = () => {
    waits.end();
    throw STALL;
  };
  t.is((await t.throwsAsync<CompanionError>(client.info()))?.code, 'UPSTREAM_TIMEOUT');
  t.is(waits.open, 0);
});

test('a stream that never ends is cut off by the deadline of the whole', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server, { streamMs: 100, chunksAtOnce: 1 });
  await client.info();
  server.range = (items) => [...items.slice(0, 2), 'stall'];
  const { error } = await collect(client);
  t.is(error?.code, 'UPSTREAM_TIMEOUT');
});

test('an open call pings, so that no router on the way forgets the connection', async (t) => {
  const server = http2.createServer();
  const pinged = new Promise<void>((resolve) => {
    server.on('session', (session) => session.once('ping', () => resolve()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new CompactConnection(`http://127.0.0.1:${port}`, { ...PATIENT_CLIENT, keepaliveMs: 10 });
  const call = t.throwsAsync(client.info());
  await pinged;
  client.close();
  server.close();
  await call;
  // Servers in Go close connections that ping more often than every five minutes.
  t.true(COMPACT_CLIENT_LIMITS.keepaliveMs > 300_000);
});

test('blocks that lag behind the announced tip are waited out', async (t) => {
  const server = await startServer(t, { blocks: compactMain.slice(0, -1) });
  server.announcedHeight = TIP;
  let asked = 0;
  server.range = (items) => (asked++ === 0 ? items : [compactMain.at(-1)!]);
  t.is(toDisplayHex((await connect(t, server).tip()).hash), expectedMain.at(-1)!.hash);
  t.is(asked, 2);
});

test('the waits together outlast the two seconds for which a cache may hold the old branch', (t) => {
  for (const waits of [COMPACT_STREAM_LIMITS.retryDelaysMs, COMPACT_STREAM_LIMITS.movedDelaysMs]) {
    t.true(waits.reduce((sum, wait) => sum + wait, 0) > 2_000);
    t.deepEqual(
      [...waits].sort((a, b) => a - b),
      waits,
    );
  }
});

test('blocks of two branches are distinguished from other failures: the chain moved', async (t) => {
  const server = await startServer(t);
  const stale = compactBranch[1]!;
  server.range = (items, start, end) => {
    const at = LAST_COMMON + 2;
    return start <= at && at <= end ? items.map((item, i) => (start + i === at ? stale : item)) : items;
  };
  const { blocks, error } = await collect(connect(t, server));
  t.true(error instanceof ChainMoved);
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.deepEqual(blocks, allBlocks.slice(0, LAST_COMMON + 2 - FIRST));
});

test('a seam between chunks that does not link is found too', async (t) => {
  const server = await startServer(t);
  server.range = (items, start) =>
    start > LAST_COMMON ? compactBranch.slice(start - LAST_COMMON - 1) : items;
  const { error } = await collect(connect(t, server, { chunkBlocks: 45 }), FIRST, LAST_COMMON + 8);
  t.true(error instanceof ChainMoved);
});

test('tree sizes that do not fit the outputs are refused', async (t) => {
  const server = await startServer(t);
  const index = 10;
  const block = decodeCompactBlock(compactMain[index]!);
  const wrong = encodeCompactBlock({ ...block, treeSizes: poolSizes({ sapling: 999, orchard: 999 }) });
  server.serve(compactMain.map((bytes, i) => (i === index ? wrong : bytes)));
  const { blocks, error } = await collect(connect(t, server));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.is(blocks.length, index);
});

test('a server that leaves Ironwood out is refused from its activation on', async (t) => {
  const server = await startServer(t);
  server.serve(withoutIronwood);
  server.treeState = () => ({ saplingTree: frontierHex(50), orchardTree: frontierHex(50), ironwoodTree: '' });
  const { blocks, error } = await collect(connect(t, server));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
  t.regex(error?.message ?? '', /Ironwood/);
  t.is(blocks.length, IRONWOOD - FIRST);
});

test('an Ironwood tree that is really empty is no reason to refuse', async (t) => {
  const server = await startServer(t);
  server.serve(withoutIronwood);
  server.treeState = () => ({
    saplingTree: frontierHex(50),
    orchardTree: frontierHex(50),
    ironwoodTree: '000000',
  });
  t.is((await collect(connect(t, server))).error, undefined);
});

test('the server is asked about Ironwood once at most', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  await collect(client);
  t.deepEqual(
    server.calls.filter((call) => call === 'GetTreeState'),
    [],
  );
});

test('tree sizes come from the tree state, null when the server does not offer it', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  t.is(await client.treeSizesAfter(FIRST, FIRST_HASH), null);
  server.treeState = () => ({ saplingTree: frontierHex(37), orchardTree: frontierHex(21), ironwoodTree: '' });
  t.deepEqual(await client.treeSizesAfter(FIRST, FIRST_HASH), poolSizes({ sapling: 37, orchard: 21 }));
  server.treeState = () => ({ saplingTree: 'ff', orchardTree: '', ironwoodTree: '' });
  await failsWith(t, client.treeSizesAfter(FIRST, FIRST_HASH), 'COMPACT_SERVER_BAD_RESPONSE');
});

test('the tree state of another block is not taken for that of the block asked for', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  const state = { saplingTree: frontierHex(37), orchardTree: frontierHex(21), ironwoodTree: '' };
  server.treeState = () => ({ ...state, hash: expectedMain[0]!.hash });
  t.like(await client.treeSizesAfter(FIRST, FIRST_HASH), { sapling: 37 });
  server.treeState = () => ({ ...state, hash: expectedMain[1]!.hash });
  t.true((await t.throwsAsync(client.treeSizesAfter(FIRST, FIRST_HASH))) instanceof ChainMoved);
  server.treeState = () => ({ ...state, height: BigInt(FIRST + 1) });
  t.true((await t.throwsAsync(client.treeSizesAfter(FIRST, FIRST_HASH))) instanceof ChainMoved);
});

test('tree states come as they are, with the hash of their block, and never of another form', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  const state = { saplingTree: frontierHex(37), orchardTree: frontierHex(21), ironwoodTree: '' };
  server.treeState = () => ({ ...state, hash: expectedMain[0]!.hash });
  const reported = await client.treeStates(FIRST);
  t.deepEqual(reported?.hash, FIRST_HASH);
  t.deepEqual(reported?.states.orchard, hexToBytes(state.orchardTree));
  // A server that leaves the hash out is asked for the block.
  server.treeState = () => ({ ...state, hash: '' });
  t.deepEqual((await client.treeStates(FIRST))?.hash, FIRST_HASH);
  for (const wrong of [
    { hash: 'ab' },
    { hash: 'x'.repeat(64) },
    { height: BigInt(FIRST + 1) },
    { saplingTree: 'fg' },
    { saplingTree: '0' },
    { saplingTree: '00'.repeat(1_091) },
    { ironwoodTree: '0g'.repeat(900_000) },
  ]) {
    server.treeState = () => ({ ...state, hash: expectedMain[0]!.hash, ...wrong });
    await failsWith(t, client.treeStates(FIRST), 'COMPACT_SERVER_BAD_RESPONSE');
  }
});

test('a transaction comes by its txid, null when unknown, whatever the server calls that', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  const txid = asTxId(new Uint8Array(32).fill(7));
  for (const error of [
    new GrpcError(status.NOT_FOUND, 'transaction not found'),
    new GrpcError(status.UNKNOWN, '-5: No information available about transaction'),
  ]) {
    server.transaction = () => error;
    t.is(await client.transaction(txid), null);
  }
  server.transaction = (asked) => asked;
  t.is(bytesToHex((await client.transaction(txid))!), bytesToHex(txid));
  server.transaction = () => new GrpcError(status.UNKNOWN, 'database on fire');
  await failsWith(t, client.transaction(txid), 'COMPACT_SERVER_BAD_RESPONSE');
});

test('a dead server is COMPACT_SERVER_UNREACHABLE', async (t) => {
  const server = await startServer(t);
  server.stop();
  await failsWith(t, connect(t, server).tip(), 'COMPACT_SERVER_UNREACHABLE');
});

test('a server that never answers is UPSTREAM_TIMEOUT', async (t) => {
  const server = await startServer(t);
  server.before = () => {
    throw STALL;
  };
  await failsWith(t, connect(t, server, { callMs: 100 }).tip(), 'UPSTREAM_TIMEOUT');
});

for (const code of [
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.INTERNAL,
  status.UNIMPLEMENTED,
]) {
  test(`${status[code]} is COMPACT_SERVER_BAD_RESPONSE, without the server's words`, async (t) => {
    const server = await startServer(t);
    server.before = () => {
      throw new GrpcError(code, '/home/someone/secret');
    };
    const error = await t.throwsAsync<CompanionError>(connect(t, server).tip());
    t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
    t.false(error?.message.includes('secret'));
  });
}

test('an announced tip that is no height is refused', async (t) => {
  const server = await startServer(t);
  server.announcedHeight = Number.MAX_SAFE_INTEGER;
  await failsWith(t, connect(t, server).tip(), 'COMPACT_SERVER_BAD_RESPONSE');
});

const regtest = regtestParameters();
const testnet = networkParameters('test');
for (const [what, parameters, info, fits] of [
  ['main for main', PARAMETERS, { chainName: 'main', saplingActivationHeight: 419_200n }, true],
  ['a server that leaves the Sapling height out', PARAMETERS, { chainName: 'main' }, true],
  ['test for test', testnet, { chainName: 'test', saplingActivationHeight: 280_000n }, true],
  ['a regtest that calls itself test', regtest, { chainName: 'test', saplingActivationHeight: 1n }, true],
  ['a regtest by name', regtest, { chainName: 'regtest', saplingActivationHeight: 1n }, true],
  ['test for main', PARAMETERS, { chainName: 'test', saplingActivationHeight: 280_000n }, false],
  ['main for regtest', regtest, { chainName: 'main', saplingActivationHeight: 419_200n }, false],
  ['test for regtest', regtest, { chainName: 'test', saplingActivationHeight: 280_000n }, false],
  ['regtest for test', testnet, { chainName: 'test', saplingActivationHeight: 1n }, false],
  ['a chain of another name', PARAMETERS, { chainName: 'other' }, false],
] as const) {
  test(`${fits ? 'accepts' : 'refuses'} ${what}`, async (t) => {
    const client = connect(t, await startServer(t, { info }), {}, parameters);
    if (fits) t.is((await client.tip()).height, TIP);
    else {
      await failsWith(t, client.tip(), 'NETWORK_MISMATCH');
      await failsWith(t, client.info(), 'NETWORK_MISMATCH');
      t.is((await collect(client)).error?.code, 'NETWORK_MISMATCH');
    }
  });
}

test('the network is asked for once, and again after a failure', async (t) => {
  const server = await startServer(t);
  const client = connect(t, server);
  const asked = (): number => server.calls.filter((call) => call === 'GetLightdInfo').length;
  await client.tip();
  await client.block(FIRST);
  t.is(asked(), 1);
  server.before = () => {
    throw new GrpcError(status.UNAVAILABLE);
  };
  await failsWith(t, client.tip(), 'COMPACT_SERVER_UNREACHABLE');
  server.before = () => undefined;
  await client.tip();
  t.is(asked(), 2);
});

test('a server or a proxy that is overloaded is BUSY for as long as it names', async (t) => {
  const server = await startServer(t);
  server.before = () => {
    throw new GrpcError(status.RESOURCE_EXHAUSTED);
  };
  await failsWith(t, connect(t, server).tip(), 'BUSY');
  let httpStatus = 503;
  const proxy = http2.createServer().on('stream', (stream) => {
    stream.respond({ ':status': httpStatus, 'retry-after': '7' }, { endStream: true });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const client = connect(t, { url: `http://127.0.0.1:${port}` });
  for (const [given, code, seconds] of [
    [503, 'BUSY', 7],
    [429, 'BUSY', 7],
    [504, 'UPSTREAM_TIMEOUT', 7],
    [502, 'COMPACT_SERVER_UNREACHABLE', undefined],
  ] as const) {
    httpStatus = given;
    const error = await t.throwsAsync<CompanionError>(client.tip());
    t.is(error?.code, code);
    t.is(error?.retryAfterSeconds, seconds);
    t.true(error?.message.startsWith(`The compact server at ${client.host} `), error?.message);
  }
});

test('an abort ends a stream', async (t) => {
  const server = await startServer(t);
  server.range = (items) => [...items.slice(0, 1), 'stall'];
  const abort = new AbortController();
  const blocks = connect(t, server).blocks({ start: FIRST, end: TIP }, abort.signal);
  await blocks.next();
  const waiting = blocks.next();
  abort.abort(new CompanionError('BUSY', 'enough'));
  await failsWith(t, waiting, 'BUSY');
});

test('a message above the size cap is refused', async (t) => {
  const server = await startServer(t);
  const filler = new Uint8Array(50_000);
  server.range = () => [toBinary(BlockIDSchema, create(BlockIDSchema, { height: 1n, hash: filler }))];
  const { error } = await collect(connect(t, server, { maxMessageBytes: 10_000 }));
  t.is(error?.code, 'COMPACT_SERVER_BAD_RESPONSE');
});

/** Carries connections to the server until it is told to swallow what they say. */
async function startRelay(t: ExecutionContext, { url }: { readonly url: string }): Promise<Relay> {
  const { hostname, port } = new URL(url);
  const sockets: net.Socket[] = [];
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.length / 2,
    forget() {
      for (const socket of sockets) socket.unpipe().resume();
    },
  };
}

interface Relay {
  readonly url: string;
  readonly connections: () => number;
  /** As routers do with a connection that was quiet for long: both ends still believe in it. */
  readonly forget: () => void;
}

for (const [what, ask] of [
  ['a call', (client: CompactClient) => client.tip()],
  [
    'a stream',
    async (client: CompactClient) => {
      const { blocks, error } = await collect(client);
      if (error !== undefined) throw error;
      return blocks;
    },
  ],
] as const) {
  test(`${what} over a connection that died unnoticed is late, and the next goes over a new one`, async (t) => {
    const relay = await startRelay(t, await startServer(t));
    const waits = new Waits();
    const client = connect(t, relay, { after: waits.after });
    await ask(client);
    t.is(relay.connections(), 1);
    relay.forget();
    const late = failsWith(t, ask(client), 'UPSTREAM_TIMEOUT');
    waits.end();
    await late;
    waits.begin();
    await ask(client);
    t.is(relay.connections(), 2);
  });
}
