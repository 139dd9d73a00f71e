// Nodes and compact servers that are broken, out of date, or lie, as the wallet meets them: a request ends with the code
// of what is wrong, nothing is kept that is not so on the honest chain, and an honest source goes on to the right balance.
import type http from 'node:http';
import { gzipSync } from 'node:zlib';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { bytesToHex } from '@wallet-companion/base/bytes';
import { inTurn } from '@wallet-companion/base/test/atLength';
import { Waits } from '@wallet-companion/base/test/waits';
import { Devnet } from '@wallet-companion/devnet';
import type { MinedBlock } from '@wallet-companion/devnet/chain';
import type { CompactFault, CompactMethod, NodeFault, Omission } from '@wallet-companion/devnet/servers';
import { PHRASE, SEED } from '@wallet-companion/pczt/test/spendingAccount';
import { firstAddress } from '@wallet-companion/zcash/addresses';
import { highestTip, parseHeader } from '@wallet-companion/zcash/blocks';
import { type CompactBlock, encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import {
  BlockIDSchema,
  LightdInfoSchema,
  type TreeState,
  TreeStateSchema,
} from '@wallet-companion/zcash/compactProto';
import { asBlockHash, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { deriveViewingKeys } from '@wallet-companion/zcash/keys';
import { MAIN, TEST } from '@wallet-companion/zcash/network';
import { POOLS } from '@wallet-companion/zcash/pools';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import test, { type ExecutionContext } from 'ava';
import { createCompactStores } from '../../../src/storage/blocks/compactStores.ts';
import {
  type LyingCompactServer,
  type LyingNode,
  startLyingCompactServer,
  startLyingNode,
} from '../../helpers/lyingSources.ts';
import { openPatientCompact, openPatientNode, PATIENT_CLIENT, PATIENT_RPC } from '../../helpers/waits.ts';
import { PASSWORD, startWallet, type WalletHarness } from '../../helpers/walletHarness.ts';

const FIRST = 3_600_000;
/** Late enough that the chain can be as high as this one is. */
const NOW = MAIN.knownBlock!.time + 50 * 86_400;
const wallClock = () => NOW * 1000;
const TOO_HIGH = highestTip(MAIN, NOW)! + 1;
const TOTAL = 7_000_000;

interface Side {
  readonly devnet: Devnet;
  readonly node: LyingNode;
  readonly compact: LyingCompactServer;
  /** What is waited for ends now. */
  readonly giveUp: () => void;
}

interface Kind {
  readonly what: string;
  readonly source: 'node' | 'compact';
  readonly lie: (side: Side) => void;
  readonly code: string;
  readonly says?: RegExp;
  /** The embedded chain's own server has the fault. */
  readonly isOwn?: true;
  /** Good blocks come before, up to here, and may stay. */
  readonly keeps?: number;
}

/** Ours are in blocks `FIRST + 2` to `FIRST + 4` of 8, which pay 1, 2 and 4 million to the three pools. */
function mineStory(devnet: Devnet, address: string): void {
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2, sapling: 1 })] });
  devnet.mine();
  devnet.mine({ transactions: [devnet.pay([{ address, pool: 'sapling', zatoshi: 1_000_000n }])] });
  devnet.mine({
    transactions: [devnet.pay([{ address, pool: 'orchard', zatoshi: 2_000_000n }], { version: 5 })],
  });
  devnet.mine({ transactions: [devnet.pay([{ address, pool: 'ironwood', zatoshi: 4_000_000n }])] });
  devnet.mineEmpty(2);
  devnet.mine({ transactions: [devnet.traffic({ ironwood: 2, sapling: 1 })] });
}

// Nodes.

const node = (what: string, code: string, lie: (side: Side) => void, more: Partial<Kind> = {}): Kind => ({
  what: `a node: ${what}`,
  source: 'node',
  code,
  lie,
  ...more,
});
const BAD = 'NODE_BAD_RESPONSE';

/** A fault of the embedded node, by way of its own server. */
const nodeFault = (what: string, code: string, fault: NodeFault): Kind =>
  node(what, code, ({ devnet }) => devnet.node.misbehave(fault), { isOwn: true });

const otherResult = (
  what: string,
  method: string,
  result: (honest: never, params: readonly unknown[], side: Side) => unknown,
  more: Partial<Kind> = {},
): Kind =>
  node(
    what,
    BAD,
    (side) => {
      side.node.lie = (asked, params, honest) =>
        asked === method ? result(honest as never, params, side) : honest;
    },
    more,
  );

const otherTip = (what: string, blocks: unknown, says: RegExp): Kind =>
  otherResult(what, 'getblockchaininfo', (honest: object) => ({ ...honest, blocks }), { says });

/** The raw block at `FIRST + 3` is another one. */
const otherBlock = (
  what: string,
  make: (block: MinedBlock, side: Side) => string,
  more: Partial<Kind> = {},
): Kind =>
  otherResult(
    what,
    'getblock',
    (honest: unknown, [name, verbosity], side) =>
      name === String(FIRST + 3) && verbosity === 0 ? make(side.devnet.blocks.at(FIRST + 3)!, side) : honest,
    { keeps: FIRST + 2, ...more },
  );

const exchange = (
  what: string,
  code: string,
  answer: (response: http.ServerResponse, id: number, side: Side) => void,
): Kind =>
  node(what, code, (side) => {
    side.node.exchange = (response, _method, id) => {
      answer(response, id, side);
      return true;
    };
  });

/** The block with other transactions than its header commits to. */
function withTransactions(block: MinedBlock, transactions: readonly Uint8Array[]): string {
  const header = block.bytes.subarray(0, parseHeader(block.bytes).headerLength);
  return bytesToHex(Buffer.concat([header, Buffer.from([transactions.length]), ...transactions]));
}

const flood = (response: http.ServerResponse, piece: string): void => {
  const go = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', go);
  go();
};

const nodeKinds: readonly Kind[] = [
  nodeFault('a web page', BAD, { kind: 'garbage' }),
  nodeFault('JSON that ends in the middle', BAD, { kind: 'truncated' }),
  nodeFault('neither result nor error', BAD, { kind: 'no-result' }),
  nodeFault('results of another type', BAD, { kind: 'wrong-result' }),
  nodeFault('is still starting', BAD, { kind: 'error' }),
  nodeFault('status 500', BAD, { kind: 'http-500' }),
  nodeFault('asks for credentials', 'NODE_UNAUTHORIZED', { kind: 'unauthorized' }),
  nodeFault('closes connections', 'NODE_UNAUTHORIZED', { kind: 'hang-up' }),
  nodeFault('the genesis of another network', 'NETWORK_MISMATCH', { kind: 'other-network' }),
  nodeFault('the trees grew by more than its blocks have', BAD, {
    kind: 'more-leaves',
    leaves: { sapling: 1 },
    height: FIRST - 1,
  }),
  node('never answers', 'UPSTREAM_TIMEOUT', (side) => {
    side.node.exchange = () => {
      side.giveUp();
      return true;
    };
  }),
  exchange('answers drip for ever', 'UPSTREAM_TIMEOUT', (response, _id, { giveUp }) => {
    response.write(' ', () => giveUp());
  }),
  node('the name of another network', 'NETWORK_MISMATCH', ({ node: lying }) => {
    lying.lie = (method, _params, honest) =>
      method === 'getblockchaininfo' ? { ...(honest as object), chain: 'test' } : honest;
  }),
  otherTip('a tip of 2^31', 2 ** 31, /expected form/),
  otherTip('a tip of 2^31 - 1', 2 ** 31 - 1, /clock/),
  otherTip('a tip a little above what the clock allows', TOO_HIGH, /clock/),
  otherTip('a tip below zero', -1, /expected form/),
  otherTip('a tip between two heights', FIRST + 0.5, /expected form/),
  {
    ...otherTip('a tip above its own blocks', FIRST + 9, new RegExp(`does not have block ${FIRST + 8}`)),
    keeps: FIRST + 7,
  },
  otherBlock('another block than the one asked for', (_block, { devnet }) =>
    bytesToHex(devnet.blocks.at(FIRST + 2)!.bytes),
  ),
  otherBlock('a block of no branch between two of the chain', (block) => {
    const bytes = Uint8Array.from(block.bytes);
    bytes[4]! ^= 1; // of the hash of the block before
    return bytesToHex(bytes);
  }),
  otherBlock('a fake branch from a block on', (_block, { devnet }) => {
    const fake = new Devnet({ params: MAIN, seed: 'fake', startHeight: devnet.blocks.at(FIRST + 3)!.height });
    return bytesToHex(fake.mine().bytes);
  }),
  otherBlock('a flipped bit in a transaction', (block) => {
    const bytes = Uint8Array.from(block.bytes);
    const last = block.transactions.at(-1)!.bytes;
    bytes[bytes.length - last.length + 12]! ^= 1; // of the lock time, which the txid covers
    return bytesToHex(bytes);
  }),
  otherBlock('a block without its last transaction', (block) =>
    withTransactions(
      block,
      block.transactions.slice(0, -1).map(({ bytes }) => bytes),
    ),
  ),
  otherBlock('a block with its last transaction twice', (block) => {
    const transactions = block.transactions.map(({ bytes }) => bytes);
    return withTransactions(block, [...transactions, transactions.at(-1)!]);
  }),
  otherBlock('a block with bytes behind its end', (block) => `${bytesToHex(block.bytes)}00`),
  otherBlock('a block that ends early', (block) => bytesToHex(block.bytes.subarray(0, -1))),
  otherBlock('half a byte', (block) => `${bytesToHex(block.bytes)}0`),
  otherBlock('a block in another alphabet', (block) => 'z'.repeat(block.bytes.length * 2)),
  otherBlock('an empty block', () => ''),
  otherBlock('8 MiB for a block', () => 'f'.repeat(8 * 2 ** 20)),
  otherResult('a tree of more leaves than fit', 'getblock', (honest, [, verbosity]) =>
    verbosity === 1 ? { ...(honest as object), trees: { sapling: { size: 2 ** 33 } } } : honest,
  ),
  otherResult(
    'a sum of leaves that the block does not add',
    'getblock',
    (honest: never, [name, verbosity]) =>
      verbosity === 1 && name === String(FIRST + 7)
        ? { ...(honest as object), trees: { sapling: { size: 7 } } }
        : honest,
  ),
  ...([undefined, { sapling: { commitments: { finalState: 'ff' } } }] as const).map((state) =>
    node(state === undefined ? 'no tree sizes at all' : 'tree states that are none', BAD, (side) => {
      side.node.lie = (method, [, verbosity], honest) => {
        if (method === 'z_gettreestate') return state ?? {};
        return method === 'getblock' && verbosity === 1 ? {} : honest;
      };
    }),
  ),
  exchange('the answer to another call', BAD, (response, id) => {
    response.end(JSON.stringify({ id: id + 1, result: {} }));
  }),
  exchange('a redirect', BAD, (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  }),
  exchange('compressed answers', BAD, (response, id) => {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(JSON.stringify({ id, result: {} })));
  }),
  exchange('answers without end', BAD, (response) => flood(response, 'x'.repeat(65_536))),
  exchange('announces 8 MiB and sends none', BAD, (response) => {
    response.writeHead(200, { 'content-length': 2 ** 23 });
    response.flushHeaders();
  }),
  exchange('a million brackets', BAD, (response) => {
    response.end('['.repeat(1_000_000));
  }),
];

// Compact servers.

const BAD_SERVER = 'COMPACT_SERVER_BAD_RESPONSE';

const compact = (what: string, code: string, lie: (side: Side) => void, more: Partial<Kind> = {}): Kind => ({
  what: `a compact server: ${what}`,
  source: 'compact',
  code,
  lie,
  ...more,
});

/** A fault of the embedded server. */
const compactFault = (what: string, code: string, fault: CompactFault, more: Partial<Kind> = {}): Kind =>
  compact(what, code, ({ devnet }) => devnet.compact.misbehave(fault), { isOwn: true, ...more });

const otherMessage = (
  what: string,
  method: CompactMethod,
  make: (message: Uint8Array, side: Side) => Uint8Array,
  more: Partial<Kind> = {},
): Kind =>
  compact(
    what,
    BAD_SERVER,
    (side) => {
      side.compact.lie = (asked, message) => [asked === method ? make(message, side) : message];
    },
    more,
  );

const otherServerTip = (what: string, height: bigint, says: RegExp): Kind =>
  otherMessage(
    what,
    'GetLatestBlock',
    (message) => toBinary(BlockIDSchema, { ...fromBinary(BlockIDSchema, message), height }),
    { says },
  );

const otherInfo = (what: string, info: object): Kind => ({
  ...otherMessage(what, 'GetLightdInfo', (message) =>
    toBinary(
      LightdInfoSchema,
      create(LightdInfoSchema, { ...fromBinary(LightdInfoSchema, message), ...info }),
    ),
  ),
  code: 'NETWORK_MISMATCH',
});

const otherTreeState = (what: string, change: (state: TreeState, side: Side) => Partial<TreeState>): Kind =>
  otherMessage(what, 'GetTreeState', (message, side) => {
    const state = fromBinary(TreeStateSchema, message);
    return toBinary(TreeStateSchema, { ...state, ...change(state, side) });
  });

/** The compact block at `FIRST + 3` is another one. */
const otherCompactBlock = (
  what: string,
  change: (block: CompactBlock, side: Side) => Partial<CompactBlock>,
): Kind =>
  otherMessage(
    what,
    'GetBlockRange',
    (message, side) => {
      const block = decodeCompactBlock(message);
      return block.height === FIRST + 3 ? encodeCompactBlock({ ...block, ...change(block, side) }) : message;
    },
    { keeps: FIRST + 2 },
  );

const omissions: readonly Omission[] = (['transactions', 'outputs', ...POOLS] as const).flatMap(
  (what, place) => inTurn(['true', 'counted'] as const, place).map((sizes) => ({ what, sizes })),
);

const OTHER_HASH = asBlockHash(Uint8Array.from({ length: 32 }, () => 7));

const compactKinds: readonly Kind[] = [
  ...omissions.map((omission) =>
    compactFault(`${omission.what} left out, with ${omission.sizes} sizes`, BAD_SERVER, {
      kind: 'omission',
      omission,
      at: FIRST + 2,
    }),
  ),
  compactFault('streams that end early', BAD_SERVER, { kind: 'short-stream', at: FIRST + 3 }),
  compactFault('a block left out', BAD_SERVER, { kind: 'gap', at: FIRST + 3 }),
  compactFault('a block twice', BAD_SERVER, { kind: 'duplicate', at: FIRST + 3 }),
  compactFault('garbage for a block', BAD_SERVER, { kind: 'garbage', at: FIRST + 3 }),
  compactFault('garbage for a tip', BAD_SERVER, { kind: 'garbage', method: 'GetLatestBlock' }),
  compactFault('is shutting down', 'COMPACT_SERVER_UNREACHABLE', { kind: 'error', at: FIRST + 3 }),
  compactFault('another network', 'NETWORK_MISMATCH', { kind: 'other-network' }),
  compact(
    'falls silent amid a stream',
    'UPSTREAM_TIMEOUT',
    ({ devnet, giveUp }) =>
      devnet.compact.misbehave({ kind: 'stall', at: FIRST + 3, after: 1, onStall: giveUp }),
    { isOwn: true },
  ),
  otherInfo('Sapling at another height', { saplingActivationHeight: BigInt(TEST.activation.sapling) }),
  otherInfo('a chain with another name', { chainName: 'other' }),
  otherServerTip('a tip of 2^31', 2n ** 31n, /no block height/),
  otherServerTip('a tip of 2^63', 2n ** 63n, /no block height/),
  otherServerTip('a tip of 2^31 - 1', 2n ** 31n - 1n, /clock/),
  otherServerTip('a tip a little above what the clock allows', BigInt(TOO_HIGH), /clock/),
  otherServerTip('a tip above its own blocks', BigInt(FIRST + 9), /does not have/),
  otherTreeState('a tree state that is none', () => ({ saplingTree: 'ff' })),
  otherTreeState('a tree state of another block', () => ({ hash: toDisplayHex(OTHER_HASH) })),
  otherTreeState('a tree state of another height', ({ height }) => ({ height: height + 1n })),
  otherTreeState('a tree that is too small', ({ saplingTree }, { devnet }) =>
    saplingTree === '' || devnet.tip.height === 0 ? {} : { saplingTree: '000000' },
  ),
  otherTreeState('a pool without a tree', () => ({ ironwoodTree: '' })),
  otherCompactBlock('another height', (block) => ({ height: block.height + 1 })),
  otherCompactBlock('a block that follows none', () => ({ prevHash: OTHER_HASH })),
  otherCompactBlock('a block with another hash', () => ({ hash: OTHER_HASH })),
  otherCompactBlock('sizes with a leaf too many', ({ treeSizes }) => ({
    treeSizes: { ...treeSizes!, sapling: treeSizes!.sapling + 1 },
  })),
  otherCompactBlock('an output twice', ({ transactions }) => ({
    transactions: transactions.map((transaction) => ({
      ...transaction,
      outputs: [...transaction.outputs, ...transaction.outputs],
      actions: {
        ...transaction.actions,
        orchard: [...transaction.actions.orchard, ...transaction.actions.orchard],
      },
    })),
  })),
  otherMessage(
    'a block of 8 MiB',
    'GetBlockRange',
    (message) =>
      decodeCompactBlock(message).height === FIRST + 3
        ? Buffer.concat([message, Buffer.alloc(2 ** 23)])
        : message,
    { keeps: FIRST + 2 },
  ),
];

interface Setup extends Side {
  readonly wallet: WalletHarness;
  /** From now on everybody is honest, and in time. */
  readonly behave: () => void;
}

/** One honest chain for all: they are told one after the other, and each begins when all behave. */
const devnet = new Devnet({
  params: MAIN,
  seed: 'hostile',
  startHeight: FIRST,
  initialLeaves: { sapling: 3, orchard: 2, ironwood: 2 },
});
mineStory(devnet, firstAddress(deriveViewingKeys(SEED, MAIN, 0), MAIN, 0n).unifiedAddress);
const listening = Promise.all([devnet.node.listen(), devnet.compact.listen()]);
test.after.always(() => devnet.close());

async function setUp(t: ExecutionContext, kind: Kind): Promise<Setup> {
  const [ownNode, ownCompact] = await listening;
  t.teardown(() => {
    devnet.node.behave();
    devnet.compact.behave();
  });
  const lyingNode = await startLyingNode(t, devnet);
  const lyingCompact = await startLyingCompactServer(t, ownCompact);
  const stores = createCompactStores();
  t.teardown(() => stores.close());
  const waits = new Waits();
  const { after } = waits;
  const wallet = await startWallet(t, {
    config: {
      network: 'main',
      node_url: kind.source === 'node' && kind.isOwn !== true ? lyingNode.url : ownNode,
      compact_server_url: kind.isOwn === true ? ownCompact : lyingCompact.url,
      complete_transactions: false,
    },
    stores,
    openNode: (endpoint, parameters) =>
      openPatientNode(endpoint, parameters, { ...PATIENT_RPC, after }, wallClock),
    openCompact: (url, parameters) =>
      openPatientCompact(url, parameters, { ...PATIENT_CLIENT, after }, undefined, wallClock),
  });
  await wallet.call('wallet.restore', { mnemonic: PHRASE, password: PASSWORD, birthday_height: FIRST });
  return {
    devnet,
    node: lyingNode,
    compact: lyingCompact,
    giveUp: () => waits.end(),
    wallet,
    behave: () => {
      waits.begin();
      devnet.node.behave();
      devnet.compact.behave();
      lyingNode.lie = (_method, _params, honest) => honest;
      lyingNode.exchange = () => false;
      lyingCompact.lie = (_method, message) => [message];
    },
  };
}

const kinds = [...nodeKinds, ...compactKinds];

for (const kind of kinds) {
  test.serial(`${kind.what}: ${kind.code}`, async (t) => {
    const side = await setUp(t, kind);
    const { wallet } = side;
    kind.lie(side);
    const request = { source: kind.source };
    t.is(await wallet.failure('sync.run', request), kind.code);
    const { last_error, last_scan_height } = await wallet.call('sync.status');
    t.true(last_scan_height <= (kind.keeps ?? FIRST - 1), `kept up to ${last_scan_height}`);
    if (kind.says !== undefined) t.regex(last_error?.detail ?? '', kind.says);
    t.false(/[/\\]home|html|at .*:\d+:\d+/.test(last_error?.detail ?? ''), 'in our words');
    // A download looks into no block: what it leaves in the store is found when it is scanned.
    if (kind.source === 'compact') await wallet.call('lwd.sync_compact').catch(() => undefined);

    side.behave();
    const summary = await wallet.call('sync.run', request);
    t.is(summary.reorg, null, 'what was kept is on the honest chain');
    t.true(summary.caught_up);
    const { total_zatoshi, complete } = await wallet.call('balance.get');
    t.deepEqual({ total_zatoshi, complete }, { total_zatoshi: TOTAL, complete: true });
    t.is((await wallet.call('notes.list')).notes.length, 3);
    t.deepEqual(wallet.faults, []);
  });
}

test('there are at least 40 kinds, and no two alike', (t) => {
  t.true(kinds.length >= 40);
  t.is(new Set(kinds.map(({ what }) => what)).size, kinds.length);
});
