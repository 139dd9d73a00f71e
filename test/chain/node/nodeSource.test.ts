import { bytesToHex } from '@wallet-companion/base/bytes';
import { summarizeRawBlock } from '@wallet-companion/zcash/blocks';
import {
  asBlockHash,
  asTxId,
  type BlockHash,
  fromDisplayHex,
  toDisplayHex,
} from '@wallet-companion/zcash/identifiers';
import { MAIN, type NetworkParameters, regtestParameters, TEST } from '@wallet-companion/zcash/network';
import { readFixtureJson, readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import { EMPTY_TREES } from '@wallet-companion/zcash/trees';
import test, { type ExecutionContext } from 'ava';
import { JsonRpcClient } from '#chain/node/jsonRpc';
import { NodeRpc } from '#chain/node/nodeRpc';
import { NodeSource } from '#chain/node/nodeSource';
import type { CompanionError, ErrorCode } from '../../../src/protocol/errors.ts';
import { drain } from '../../helpers/drainedStream.ts';
import { FixtureNode, type FixtureNodeOptions, ORDINARY, Refusal } from '../../helpers/fixtureNode.ts';
import { lateClock, PATIENT_RPC } from '../../helpers/waits.ts';

const FIRST = 3_428_117;
const TIP = 3_428_166;
const BEFORE = poolSizes({ sapling: 37, orchard: 21 });
const blocks = readRawBlocks('known-seed', 'main', 'raw-blocks-main.hex');
const branch = readRawBlocks('known-seed', 'main', 'raw-blocks-reorg.hex');
const expected = readFixtureJson<{
  blocks: { height: number; hash: string; sapling: { size: number }; orchard: { size: number } }[];
}>('known-seed', 'main', 'expected-main.json').blocks;

async function startNode(
  t: ExecutionContext,
  options: Partial<FixtureNodeOptions> = {},
): Promise<FixtureNode> {
  const node = await FixtureNode.start({
    chain: 'main',
    firstHeight: FIRST,
    blocks,
    treesBefore: BEFORE,
    ...options,
  });
  t.teardown(() => node.stop());
  return node;
}

function sourceOf(t: ExecutionContext, node: FixtureNode, parameters: NetworkParameters = MAIN): NodeSource {
  const client = new JsonRpcClient({ url: node.url, cookieFile: null }, PATIENT_RPC);
  const source = new NodeSource(new NodeRpc(client), parameters, lateClock);
  t.teardown(() => source.close());
  return source;
}

async function failsWith(t: ExecutionContext, call: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await t.throwsAsync<CompanionError>(call);
  t.is(error?.code, code, error?.message);
}

test('the tip is the best block', async (t) => {
  const { height, hash } = await sourceOf(t, await startNode(t)).tip();
  t.is(height, TIP);
  t.is(toDisplayHex(hash), expected.at(-1)!.hash);
});

test('the tip of a node that leaves the best hash out is asked for apart', async (t) => {
  const node = await startNode(t);
  node.answer = (method) => (method === 'getblockchaininfo' ? { chain: 'main', blocks: TIP } : ORDINARY);
  t.is(toDisplayHex((await sourceOf(t, node).tip()).hash), expected.at(-1)!.hash);
});

test('the block after which a node stops is what it tells, else what its version is known for', async (t) => {
  const node = await startNode(t);
  const reported: Record<string, unknown> = {
    getdeprecationinfo: { end_of_service: { block_height: 3_700_000, estimated_time: 1 } },
    getinfo: { subversion: '/Zebra:7.0.0/' },
  };
  node.answer = (method) => reported[method] ?? ORDINARY;
  const source = sourceOf(t, node);
  t.is((await source.tip()).endOfSupport, 3_700_000);
  reported['getdeprecationinfo'] = {};
  t.is((await source.tip()).endOfSupport, 3_700_000, 'it is not asked with every tip');
  t.is((await sourceOf(t, node).tip()).endOfSupport, undefined);
  reported['getdeprecationinfo'] = new Refusal(-32_601);
  t.is((await sourceOf(t, node).tip()).endOfSupport, 3_684_728);
  reported['getinfo'] = { subversion: '/Zebra:7.0.1/' };
  t.is((await sourceOf(t, node).tip()).endOfSupport, undefined);
  reported['getinfo'] = 'no object';
  t.is((await sourceOf(t, node).tip()).height, TIP);
});

for (const [blocks, passes] of [
  [0, true],
  [2 ** 31 - 1, true],
  [2 ** 31, false],
  [-1, false],
  [1.5, false],
] as const) {
  test(`a tip of ${blocks} is ${passes ? 'one' : 'NODE_BAD_RESPONSE'}`, async (t) => {
    const node = await startNode(t);
    const bestblockhash = expected[0]!.hash;
    node.answer = (method) =>
      method === 'getblockchaininfo' ? { chain: 'main', blocks, bestblockhash } : ORDINARY;
    const tip = sourceOf(t, node).tip();
    if (passes) t.is((await tip).height, blocks);
    else await failsWith(t, tip, 'NODE_BAD_RESPONSE');
  });
}

test('a tree of more leaves than fit is NODE_BAD_RESPONSE', async (t) => {
  const node = await startNode(t);
  node.answer = (method, params) =>
    method === 'getblock' && params[1] === 1 ? { trees: { sapling: { size: 2 ** 32 + 1 } } } : ORDINARY;
  t.is((await drain(sourceOf(t, node).openRange(FIRST, FIRST))).error?.code, 'NODE_BAD_RESPONSE');
});

test('a node without sizes goes on from the scanned block before, if it is that one', async (t) => {
  const node = await startNode(t);
  node.answer = (method, params) =>
    method === 'z_gettreestate' || (method === 'getblock' && params[1] === 1) ? new Refusal(-1) : ORDINARY;
  const treeSizes = poolSizes({ sapling: 1, orchard: 2, ironwood: 3 });
  const { prevHash } = summarizeRawBlock(blocks[0]!);
  const range = (hash: BlockHash) =>
    drain(sourceOf(t, node).openRange(FIRST, FIRST + 1, { hash, treeSizes }));
  t.deepEqual((await range(prevHash)).refs[0]?.treeSizes, treeSizes);
  t.is((await range(asBlockHash(new Uint8Array(32)))).error?.code, 'NODE_BAD_RESPONSE');
});

test('a block hash is in wire order, and null above the tip', async (t) => {
  const source = sourceOf(t, await startNode(t));
  t.is(toDisplayHex((await source.blockHash(FIRST))!), expected[0]!.hash);
  t.is(await source.blockHash(TIP + 1), null);
});

for (const code of [-1, -5, -8, -32602]) {
  test(`a height above the tip is null when the node refuses it with ${code}`, async (t) => {
    const node = await startNode(t);
    node.answer = (method, [height]) =>
      method === 'getblockhash' && Number(height) > TIP ? new Refusal(code) : ORDINARY;
    t.is(await sourceOf(t, node).blockHash(TIP + 1), null);
  });
}

test('a node without getblockhash still gives hashes, by its blocks', async (t) => {
  const node = await startNode(t);
  node.answer = (method) => (method === 'getblockhash' ? new Refusal(-32601) : ORDINARY);
  t.is(toDisplayHex((await sourceOf(t, node).blockHash(TIP))!), expected.at(-1)!.hash);
});

test('a range comes whole, in order, packed, with the sizes before each block', async (t) => {
  const { batches, refs, error } = await drain(sourceOf(t, await startNode(t)).openRange(FIRST, TIP));
  t.is(error, undefined);
  t.deepEqual(
    refs.map(({ height }) => height),
    expected.map(({ height }) => height),
  );
  t.deepEqual(refs[0]!.treeSizes, BEFORE);
  for (const [i, ref] of refs.entries()) {
    t.is(toDisplayHex(ref.hash), expected[i]!.hash);
    const next = refs[i + 1]?.treeSizes;
    if (next !== undefined) {
      t.is(next.sapling, expected[i]!.sapling.size);
      t.is(next.orchard, expected[i]!.orchard.size);
    }
  }
  const packed = batches.flatMap(({ buffer, blocks: inBatch }) =>
    inBatch.map(({ offset, length }) => new Uint8Array(buffer, offset, length)),
  );
  t.deepEqual(packed.map(bytesToHex), blocks.map(bytesToHex));
  for (const batch of batches) {
    t.is(batch.format, 'raw');
    const parts = batch.blocks.flatMap(({ hash, prevHash }) => [hash, prevHash]);
    t.true(
      parts.every((part) => part.buffer === parts[0]!.buffer),
      'one buffer crosses threads, not two a block',
    );
    t.is(parts[0]!.buffer.byteLength, 32 * parts.length, 'and nothing else is dragged along');
  }
});

test('part of a range starts with the sizes at its place', async (t) => {
  const { refs } = await drain(sourceOf(t, await startNode(t)).openRange(FIRST + 30, FIRST + 31));
  t.is(refs.length, 2);
  t.is(refs[0]!.treeSizes.sapling, expected[29]!.sapling.size);
});

test('each block costs one request', async (t) => {
  const node = await startNode(t);
  await drain(sourceOf(t, node).openRange(FIRST, FIRST + 9));
  const fetched = node.calls.filter((call) => /^getblock \d+ 0$/.test(call));
  t.is(fetched.length, 10);
});

const withoutSizes: Readonly<Record<string, (method: string, params: readonly unknown[]) => unknown>> = {
  'only z_gettreestate': (method, params) =>
    method === 'getblock' && params[1] === 1 ? new Refusal(-1) : ORDINARY,
  'only getblock of the block itself': (method, params) =>
    method === 'z_gettreestate' || (method === 'getblock' && params[0] === String(FIRST - 1))
      ? new Refusal(-32601)
      : ORDINARY,
};
for (const [what, answer] of Object.entries(withoutSizes)) {
  test(`tree sizes are found with ${what}`, async (t) => {
    const node = await startNode(t);
    node.answer = answer;
    const { refs, error } = await drain(sourceOf(t, node).openRange(FIRST, FIRST + 5));
    t.is(error, undefined);
    t.deepEqual(refs[0]!.treeSizes, BEFORE);
  });
}

test('a node without tree sizes is refused rather than guessed at', async (t) => {
  const node = await startNode(t);
  node.answer = (method, params) =>
    method === 'z_gettreestate' || (method === 'getblock' && params[1] === 1)
      ? new Refusal(-32601)
      : ORDINARY;
  const { refs, error } = await drain(sourceOf(t, node).openRange(FIRST, FIRST + 5));
  t.is(error?.code, 'NODE_BAD_RESPONSE');
  t.deepEqual(refs, []);
});

test('trees are empty where Sapling begins, and nothing is asked', async (t) => {
  const node = await startNode(t, {
    chain: 'test',
    firstHeight: 1,
    blocks: readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex'),
    treesBefore: EMPTY_TREES,
  });
  const source = sourceOf(t, node, regtestParameters({ nu6_3: 20 }));
  const { refs, error } = await drain(source.openRange(1, 127));
  t.is(error, undefined);
  t.is(refs.length, 127);
  t.deepEqual(refs[0]!.treeSizes, EMPTY_TREES);
  t.false(node.calls.some((call) => call.startsWith('z_gettreestate')));
});

test('tree sizes that do not fit the blocks at the end of the range are refused', async (t) => {
  const node = await startNode(t);
  node.answer = (method, params) =>
    method === 'getblock' && params[1] === 1 && params[0] === String(TIP)
      ? { hash: expected.at(-1)!.hash, trees: { sapling: { size: 1 } } }
      : ORDINARY;
  const { error } = await drain(sourceOf(t, node).openRange(FIRST, TIP));
  t.is(error?.code, 'NODE_BAD_RESPONSE');
});

test('blocks before one that is missing are delivered, then the failure', async (t) => {
  const node = await startNode(t);
  const { refs, error } = await drain(sourceOf(t, node).openRange(TIP - 3, TIP + 3));
  t.is(refs.length, 4);
  t.is(error?.code, 'NODE_BAD_RESPONSE');
});

test('a broken link is NODE_BAD_RESPONSE, after the blocks that link', async (t) => {
  const node = await startNode(t);
  const stale = bytesToHex(branch[1]!);
  node.answer = (method, params) =>
    method === 'getblock' && params[0] === String(FIRST + 45) && params[1] === 0 ? stale : ORDINARY;
  const { refs, error } = await drain(sourceOf(t, node).openRange(FIRST, TIP));
  t.is(error?.code, 'NODE_BAD_RESPONSE');
  t.is(refs.length, 45);
});

test('a block of another height is NODE_BAD_RESPONSE', async (t) => {
  const node = await startNode(t);
  const other = bytesToHex(blocks[5]!);
  node.answer = (method, params) => (method === 'getblock' && params[1] === 0 ? other : ORDINARY);
  t.is((await drain(sourceOf(t, node).openRange(FIRST, TIP))).error?.code, 'NODE_BAD_RESPONSE');
});

for (const [what, hex] of [
  ['garbage', 'deadbeef'],
  ['an odd number of digits', 'abc'],
  ['text that is not hex', 'zz'.repeat(100)],
  ['a block cut short', bytesToHex(blocks[0]!.subarray(0, 1600))],
  ['a block with bytes after its end', `${bytesToHex(blocks[0]!)}00`],
] as const) {
  test(`${what} for a block is NODE_BAD_RESPONSE`, async (t) => {
    const node = await startNode(t);
    node.answer = (method, params) => (method === 'getblock' && params[1] === 0 ? hex : ORDINARY);
    t.is((await drain(sourceOf(t, node).openRange(FIRST, FIRST))).error?.code, 'NODE_BAD_RESPONSE');
  });
}

test('after a reorg the other branch is delivered', async (t) => {
  const node = await startNode(t);
  const source = sourceOf(t, node);
  await source.tip();
  node.reorg(FIRST + 43, branch);
  const { refs, error } = await drain(source.openRange(FIRST + 44, FIRST + 51));
  t.is(error, undefined);
  t.deepEqual(
    refs.map(({ hash }) => bytesToHex(hash)),
    branch.map((bytes) => bytesToHex(summarizeRawBlock(bytes).hash)),
  );
});

test('closing a range ends its fetching', async (t) => {
  const node = await startNode(t);
  const stream = sourceOf(t, node).openRange(FIRST, TIP);
  node.exchange = () => true;
  stream.close();
  t.is(await stream.next(), null);
});

test('a node that dies within a range fails it', async (t) => {
  const node = await startNode(t);
  node.answer = (method, params) => {
    if (method === 'getblock' && params[0] === String(FIRST + 20)) void node.stop();
    return ORDINARY;
  };
  const { error } = await drain(sourceOf(t, node).openRange(FIRST, TIP));
  t.is(error?.code, 'NODE_UNREACHABLE');
});

test('a raw block is found by hash, by height where hashes are unknown, else null', async (t) => {
  const node = await startNode(t);
  const source = sourceOf(t, node);
  const { hash } = summarizeRawBlock(blocks[7]!);
  t.is(bytesToHex((await source.rawBlock(FIRST + 7, hash))!), bytesToHex(blocks[7]!));
  t.is(await source.rawBlock(FIRST + 7, asBlockHash(new Uint8Array(32))), null);
  t.is(await source.rawBlock(TIP + 7, asBlockHash(new Uint8Array(32))), null);
  node.answer = (method, [id]) =>
    method === 'getblock' && String(id).length === 64 ? new Refusal(-8) : ORDINARY;
  t.is(bytesToHex((await source.rawBlock(FIRST + 7, hash))!), bytesToHex(blocks[7]!));
});

test('a raw block with another hash than asked for is NODE_BAD_RESPONSE', async (t) => {
  const node = await startNode(t);
  const other = bytesToHex(blocks[5]!);
  node.answer = (method) => (method === 'getblock' ? other : ORDINARY);
  await failsWith(
    t,
    sourceOf(t, node).rawBlock(FIRST + 7, summarizeRawBlock(blocks[7]!).hash),
    'NODE_BAD_RESPONSE',
  );
});

test('a raw transaction is asked for in display order, null when unknown', async (t) => {
  const node = await startNode(t);
  const source = sourceOf(t, node);
  const txid = asTxId(fromDisplayHex('ab'.repeat(31).concat('01')));
  t.is(await source.rawTransaction(txid), null);
  node.answer = (method, [id]) => {
    if (method !== 'getrawtransaction') return ORDINARY;
    return id === toDisplayHex(txid) ? '0500' : new Refusal(-5);
  };
  t.is(bytesToHex((await source.rawTransaction(txid))!), '0500');
  t.is(await source.rawTransaction(asTxId(new Uint8Array(32))), null);
});

const matching: readonly [string, NetworkParameters, string, string | undefined][] = [
  ['main with its genesis', MAIN, 'main', MAIN.genesisHash],
  ['main without a block 0', MAIN, 'main', undefined],
  ['test with its genesis', TEST, 'test', TEST.genesisHash],
  ['regtest that calls itself test', regtestParameters(), 'test', regtestParameters().genesisHash],
  ['regtest by name', regtestParameters(), 'regtest', undefined],
  ['a regtest with a genesis of its own', regtestParameters(), 'test', 'ab'.repeat(32)],
];
for (const [what, parameters, chain, genesisHash] of matching) {
  test(`accepts ${what}`, async (t) => {
    const node = await startNode(t, { chain, ...(genesisHash === undefined ? {} : { genesisHash }) });
    t.is((await sourceOf(t, node, parameters).tip()).height, TIP);
  });
}

const mismatching: readonly [string, NetworkParameters, string, string | undefined][] = [
  ['a test node for main', MAIN, 'test', TEST.genesisHash],
  ['a main node for test', TEST, 'main', MAIN.genesisHash],
  ['a main node for regtest, by name alone', regtestParameters(), 'main', undefined],
  ['a regtest node for test', TEST, 'test', regtestParameters().genesisHash],
  ['a test node for regtest', regtestParameters(), 'test', TEST.genesisHash],
  ['an unknown genesis for main', MAIN, 'main', 'ab'.repeat(32)],
];
for (const [what, parameters, chain, genesisHash] of mismatching) {
  test(`refuses ${what}`, async (t) => {
    const node = await startNode(t, { chain, ...(genesisHash === undefined ? {} : { genesisHash }) });
    const source = sourceOf(t, node, parameters);
    await failsWith(t, source.tip(), 'NETWORK_MISMATCH');
    await failsWith(t, source.blockHash(FIRST), 'NETWORK_MISMATCH');
    await failsWith(t, source.rawTransaction(asTxId(new Uint8Array(32))), 'NETWORK_MISMATCH');
    t.is((await drain(source.openRange(FIRST, TIP))).error?.code, 'NETWORK_MISMATCH');
  });
}

test('the genesis is asked for once, and again after a failure', async (t) => {
  const node = await startNode(t, { genesisHash: MAIN.genesisHash });
  const source = sourceOf(t, node);
  const asked = (): number => node.calls.filter((call) => call === 'getblockhash 0').length;
  await source.tip();
  await source.tip();
  t.is(asked(), 1);
  node.answer = () => new Refusal(-28);
  await failsWith(t, source.tip(), 'NODE_BAD_RESPONSE');
  node.answer = () => ORDINARY;
  await source.tip();
  t.is(asked(), 2);
});
