// Both sources against the devnet's two servers, which serve one chain.

import { Devnet } from '@wallet-companion/devnet';
import type { CompactFault, NodeFault } from '@wallet-companion/devnet/servers';
import { toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { COMPACT_STREAM_LIMITS } from '#chain/compact/compactBlockStream';
import { CompactClient } from '#chain/compact/compactClient';
import { CompactConnection, type CompactConnectionLimits } from '#chain/compact/compactConnection';
import { CompactSource } from '#chain/compact/compactSource';
import { JsonRpcClient, type JsonRpcLimits } from '#chain/node/jsonRpc';
import { NodeRpc } from '#chain/node/nodeRpc';
import { NodeSource } from '#chain/node/nodeSource';
import type { BlockStream, ChainSource } from '#chain/ports/chainSource';
import type { CompanionError, ErrorCode } from '../../../src/protocol/errors.ts';
import { MemoryCompactStore, storePlace } from '../../helpers/memoryCompactStores.ts';
import { endlessPatience, PATIENT_CLIENT, PATIENT_RPC } from '../../helpers/waits.ts';

const TIP = 12;
const PARAMETERS = regtestParameters({ nu6_3: 6 });
/** How long the sources wait that meet a stall; all others wait as long as it takes. */
const STALLED_MS = 50;

interface Sources {
  readonly node: ChainSource;
  readonly compact: ChainSource;
}

interface Setup extends Sources {
  readonly devnet: Devnet;
  /** What `compact` fills; so do the impatient ones. */
  readonly store: MemoryCompactStore;
  /** Sources with deadlines so short that they may strike anywhere. */
  readonly impatient: Sources;
}

async function setUp(t: ExecutionContext, flavour: 'zebrad' | 'old' = 'zebrad'): Promise<Setup> {
  const devnet = new Devnet({ params: PARAMETERS, seed: t.title });
  while (devnet.tip.height < TIP) {
    const height = devnet.tip.height + 1;
    if (height % 3 === 0) devnet.mine();
    else if (height < 6) devnet.mine({ transactions: [devnet.traffic({ sapling: height, orchard: 2 })] });
    else devnet.mine({ transactions: [devnet.traffic({ sapling: 1, ironwood: height })] });
  }
  const nodeUrl = await devnet.node.listen();
  const compactUrl = await devnet.compact.listen({ flavour });
  const limits = { ...COMPACT_STREAM_LIMITS, chunkBlocks: 5, retryDelaysMs: [1, 1], movedDelaysMs: [1, 1] };
  const store = new MemoryCompactStore();
  const connect = (waits: Partial<JsonRpcLimits & CompactConnectionLimits>): Sources => {
    const rpc = new JsonRpcClient({ url: nodeUrl, cookieFile: null }, { ...PATIENT_RPC, ...waits });
    const client = new CompactConnection(compactUrl, { ...PATIENT_CLIENT, ...waits });
    return {
      node: new NodeSource(new NodeRpc(rpc), PARAMETERS),
      compact: new CompactSource(new CompactClient(client, PARAMETERS, limits), storePlace(store), {
        offline: false,
        patience: endlessPatience(),
        saplingActivation: 1,
      }),
    };
  };
  const patient = connect({});
  const impatient = connect({ idleMs: STALLED_MS, callMs: STALLED_MS });
  t.teardown(async () => {
    for (const { node, compact } of [patient, impatient]) {
      node.close();
      compact.close();
    }
    await devnet.close();
  });
  return { devnet, ...patient, store, impatient };
}

interface SeenBlock {
  readonly height: number;
  readonly hash: string;
  readonly treeSizes: unknown;
  readonly outputCount: number;
}

async function drain(stream: BlockStream): Promise<SeenBlock[]> {
  const seen: SeenBlock[] = [];
  try {
    for (let batch = await stream.next(); batch !== null; batch = await stream.next()) {
      for (const { height, hash, treeSizes, outputCount } of batch.blocks) {
        seen.push({ height, hash: toDisplayHex(hash), treeSizes, outputCount });
      }
    }
    return seen;
  } finally {
    stream.close();
  }
}

test('node and compact server give the same blocks, sizes and counts', async (t) => {
  const { node, compact, devnet } = await setUp(t);
  const [{ shown: date, ...tip }, { shown: block, ...compactTip }] = [await node.tip(), await compact.tip()];
  t.deepEqual(tip, compactTip);
  t.is(date?.by, 'date');
  t.true(Math.abs(date!.at - Date.now()) < 3_600_000);
  t.deepEqual(block, { by: 'block', at: devnet.blocks.at(TIP)!.time * 1000 });
  const fromNode = await drain(node.openRange(1, TIP));
  t.deepEqual(await drain(compact.openRange(1, TIP)), fromNode);
  t.deepEqual(await drain(compact.openRange(7, 9)), fromNode.slice(6, 9));
  t.deepEqual(await drain(node.openRange(7, 9)), fromNode.slice(6, 9));
  t.is(fromNode.at(-1)?.hash, toDisplayHex(devnet.tip.hash));
});

test('both follow a reorg', async (t) => {
  const { node, compact, devnet } = await setUp(t);
  await drain(compact.openRange(1, TIP));
  const { forkHeight } = devnet.reorganise(4);
  const fromNode = await drain(node.openRange(forkHeight + 1, devnet.tip.height));
  t.is(fromNode.at(-1)?.hash, toDisplayHex(devnet.tip.hash));
  t.deepEqual(await drain(compact.openRange(forkHeight + 1, devnet.tip.height)), fromNode);
});

test('an old compact server works as far as it goes', async (t) => {
  const { node, compact } = await setUp(t, 'old');
  const { height, hash } = await compact.tip();
  t.is(height, 5);
  t.deepEqual(hash, await node.blockHash(5));
  t.deepEqual(await drain(compact.openRange(1, 5)), await drain(node.openRange(1, 5)));
});

test('a stale cache after a reorg is waited out', async (t) => {
  const { node, compact, devnet, store } = await setUp(t);
  await drain(compact.openRange(1, 10));
  devnet.reorganise(4);
  devnet.compact.misbehave({ kind: 'stale-branch', at: 10, times: 2 });
  const fromNode = await drain(node.openRange(9, devnet.tip.height));
  t.deepEqual(await drain(compact.openRange(9, devnet.tip.height)), fromNode);
  t.is(store.heights.at(-1), devnet.tip.height);
});

const passing: readonly CompactFault[] = [
  { kind: 'short-stream', at: 7, times: 1 },
  { kind: 'error', at: 7, times: 1 },
];
for (const fault of passing) {
  test(`a compact server's ${fault.kind} that happens once goes unnoticed`, async (t) => {
    const { node, compact, devnet } = await setUp(t);
    await compact.tip();
    devnet.compact.misbehave(fault);
    t.deepEqual(await drain(compact.openRange(1, TIP)), await drain(node.openRange(1, TIP)));
  });
}

const compactFaults: readonly [CompactFault, ErrorCode][] = [
  [{ kind: 'short-stream', at: 7 }, 'COMPACT_SERVER_BAD_RESPONSE'],
  [{ kind: 'gap', at: 7 }, 'COMPACT_SERVER_BAD_RESPONSE'],
  [{ kind: 'duplicate', at: 7 }, 'COMPACT_SERVER_BAD_RESPONSE'],
  [{ kind: 'garbage', at: 7 }, 'COMPACT_SERVER_BAD_RESPONSE'],
  [{ kind: 'stall', at: 7 }, 'UPSTREAM_TIMEOUT'],
  [{ kind: 'error', at: 7 }, 'COMPACT_SERVER_UNREACHABLE'],
  [{ kind: 'other-network' }, 'NETWORK_MISMATCH'],
  [{ kind: 'garbage', method: 'GetLatestBlock' }, 'COMPACT_SERVER_BAD_RESPONSE'],
  [{ kind: 'stall', method: 'GetLightdInfo' }, 'UPSTREAM_TIMEOUT'],
];
for (const [fault, code] of compactFaults) {
  test(`a compact server's ${fault.kind} ${fault.method ?? ''} is ${code}, and no harm stays`, async (t) => {
    const { node, compact, devnet, store, impatient } = await setUp(t);
    devnet.compact.misbehave(fault);
    const source = fault.kind === 'stall' ? impatient.compact : compact;
    const error = await t.throwsAsync<CompanionError>(drain(source.openRange(1, TIP)));
    t.is(error?.code, code, error?.message);
    t.deepEqual(
      store.heights,
      store.heights.map((_, i) => i + 1),
    );
    devnet.compact.behave();
    t.deepEqual(await drain(compact.openRange(1, TIP)), await drain(node.openRange(1, TIP)));
  });
}

const nodeFaults: readonly [NodeFault, ErrorCode][] = [
  [{ kind: 'garbage', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'truncated', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'no-result', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'wrong-result', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'error', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'http-500', method: 'getblock', after: 5 }, 'NODE_BAD_RESPONSE'],
  [{ kind: 'unauthorized' }, 'NODE_UNAUTHORIZED'],
  [{ kind: 'hang-up', method: 'getblock', after: 5 }, 'NODE_UNREACHABLE'],
  [{ kind: 'stall', method: 'getblock', after: 5 }, 'UPSTREAM_TIMEOUT'],
  [{ kind: 'other-network' }, 'NETWORK_MISMATCH'],
];
for (const [fault, code] of nodeFaults) {
  test(`a node's ${fault.kind} is ${code}, and passes`, async (t) => {
    const { node, devnet, impatient } = await setUp(t);
    devnet.node.misbehave(fault);
    const source = fault.kind === 'stall' ? impatient.node : node;
    const error = await t.throwsAsync<CompanionError>(drain(source.openRange(1, TIP)));
    t.is(error?.code, code, error?.message);
    devnet.node.behave();
    t.is((await drain(node.openRange(1, TIP))).length, TIP);
  });
}
