import { status } from '@grpc/grpc-js';
import { concatBytes, hexToBytes } from '@wallet-companion/base/bytes';
import { Reachable } from '@wallet-companion/base/test/garbage';
import { CompactConnection, GrpcFailure } from '@wallet-companion/chain/compact';
import { Devnet } from '@wallet-companion/devnet';
import type { CompactFault } from '@wallet-companion/devnet/servers';
import { summarizeCompactBlock, treeSizeFromState } from '@wallet-companion/zcash/blocks';
import { asTxId, toDisplayHex } from '@wallet-companion/zcash/identifiers';
import { regtestParameters } from '@wallet-companion/zcash/network';
import test, { type ExecutionContext } from 'ava';
import { PATIENT_CLIENT } from '../helpers/waits.ts';

const TIP = 8;

async function startServer(t: ExecutionContext, flavour: 'zebrad' | 'old' = 'zebrad') {
  const devnet = new Devnet({ params: regtestParameters({ nu6_3: 6 }), seed: 'compact' });
  while (devnet.tip.height < TIP) devnet.mine({ transactions: [devnet.traffic({ sapling: 2 })] });
  const client = new CompactConnection(await devnet.compact.listen({ flavour }), PATIENT_CLIENT);
  t.teardown(async () => {
    client.close();
    await devnet.close();
  });
  const range = async (start: number, end: number) => {
    const blocks: Uint8Array[] = [];
    for await (const block of client.blockRange(start, end)) blocks.push(block);
    return blocks;
  };
  return { devnet, client, range };
}

const heights = (blocks: readonly Uint8Array[]) => blocks.map((block) => summarizeCompactBlock(block).height);

test('ranges hold the compact form of the blocks, byte for byte', async (t) => {
  const { devnet, range } = await startServer(t);
  const blocks = await range(1, TIP);
  t.deepEqual(
    concatBytes(...blocks),
    concatBytes(...devnet.blocks.blocks.slice(1).map((block) => block.compact)),
  );
});

test('genesis has no name in a request for trees', async (t) => {
  for (const [flavour, code] of [
    ['zebrad', status.INVALID_ARGUMENT],
    ['old', status.UNKNOWN],
  ] as const) {
    const { client } = await startServer(t, flavour);
    const error = await t.throwsAsync(client.treeState(0), { instanceOf: GrpcFailure });
    t.is(error.code, code);
  }
});

test('descending ranges come descending', async (t) => {
  const { range } = await startServer(t);
  t.deepEqual(heights(await range(5, 2)), [5, 4, 3, 2]);
});

test('a range past the tip delivers what exists and then fails', async (t) => {
  const { client } = await startServer(t);
  const got: number[] = [];
  const error = await t.throwsAsync(
    async () => {
      for await (const block of client.blockRange(TIP - 1, TIP + 3))
        got.push(summarizeCompactBlock(block).height);
    },
    { instanceOf: GrpcFailure },
  );
  t.deepEqual(got, [TIP - 1, TIP]);
  t.is(error.code, status.NOT_FOUND);
});

test('tip, info, tree state and transactions agree with the chain', async (t) => {
  const { devnet, client } = await startServer(t);
  const tip = await client.latestBlock();
  t.is(tip.height, BigInt(TIP));
  t.deepEqual(Buffer.from(tip.hash), Buffer.from(devnet.tip.hash));
  t.like(await client.info(), {
    chainName: 'test',
    saplingActivationHeight: 1n,
    consensusBranchId: '77190ad9',
    blockHeight: BigInt(TIP),
  });
  const state = await client.treeState(TIP);
  t.is(treeSizeFromState(hexToBytes(state.saplingTree)), devnet.tip.treeSizes.sapling);
  t.is(state.hash, toDisplayHex(devnet.tip.hash));
  t.is((await client.treeState(2)).ironwoodTree, '');
  const [, transaction] = devnet.tip.transactions;
  const raw = await client.transaction(transaction!.txid);
  t.deepEqual(Buffer.from(raw.data), Buffer.from(transaction!.bytes));
  t.is(raw.height, BigInt(TIP));
  const error = await t.throwsAsync(client.transaction(asTxId(new Uint8Array(32))), {
    instanceOf: GrpcFailure,
  });
  t.is(error.code, status.NOT_FOUND);
});

test('an old server shows the tip reversed, fails with UNKNOWN and never reaches Ironwood', async (t) => {
  const { devnet, client } = await startServer(t, 'old');
  const tip = await client.latestBlock();
  t.is(tip.height, 5n);
  t.deepEqual(Buffer.from(tip.hash).reverse(), Buffer.from(devnet.blocks.at(5)!.hash));
  for (const missing of [() => client.treeState(6), () => client.transaction(asTxId(new Uint8Array(32)))]) {
    const error = await t.throwsAsync(missing(), { instanceOf: GrpcFailure });
    t.is(error.code, status.UNKNOWN);
  }
});

for (const [fault, expected] of [
  [{ kind: 'short-stream', at: 4 }, [2, 3]],
  [{ kind: 'gap', at: 4 }, [2, 3, 5, 6]],
  [{ kind: 'duplicate', at: 4 }, [2, 3, 4, 4, 5, 6]],
] as const satisfies [CompactFault, number[]][]) {
  test(`misbehaves on request: ${fault.kind}`, async (t) => {
    const { devnet, range } = await startServer(t);
    devnet.compact.misbehave({ ...fault, times: 1 });
    t.deepEqual(heights(await range(2, 6)), expected);
    t.deepEqual(heights(await range(2, 6)), [2, 3, 4, 5, 6]);
  });
}

test('misbehaves on request: garbage', async (t) => {
  const { devnet, client, range } = await startServer(t);
  devnet.compact.misbehave({ kind: 'garbage', at: 3, times: 1 });
  const [first, second] = await range(2, 6);
  t.is(summarizeCompactBlock(first!).height, 2);
  t.throws(() => summarizeCompactBlock(second!));
  devnet.compact.misbehave({ kind: 'garbage', method: 'GetLightdInfo' });
  await t.throwsAsync(client.info());
});

test('misbehaves on request: an error half-way', async (t) => {
  const { devnet, client } = await startServer(t);
  devnet.compact.misbehave({ kind: 'error', at: 4 });
  const got: number[] = [];
  const error = await t.throwsAsync(
    async () => {
      for await (const block of client.blockRange(2, 6)) got.push(summarizeCompactBlock(block).height);
    },
    { instanceOf: GrpcFailure },
  );
  t.deepEqual(got, [2, 3]);
  t.is(error.code, status.UNAVAILABLE);
});

test('misbehaves on request: a stall half-way', async (t) => {
  const { devnet, client } = await startServer(t);
  devnet.compact.misbehave({ kind: 'stall', at: 4 });
  const abort = new AbortController();
  const blocks = client.blockRange(2, 6, abort.signal);
  t.is((await blocks.next()).done, false);
  t.is((await blocks.next()).done, false);
  const third = blocks.next();
  // Other calls of the same connection are answered meanwhile.
  const answered = client.info().then(() => 'info' as const);
  t.is(await Promise.race([third, answered]), 'info');
  abort.abort();
  await t.throwsAsync(third, { any: true });
});

test('misbehaves on request: blocks of the abandoned branch, then of the new one', async (t) => {
  const { devnet, range } = await startServer(t);
  const { abandoned } = devnet.reorganise(3);
  devnet.compact.misbehave({ kind: 'stale-branch', at: 7, times: 1 });
  const hashes = (await range(5, 9)).map((block) => toDisplayHex(summarizeCompactBlock(block).hash));
  const now = (height: number) => toDisplayHex(devnet.blocks.at(height)!.hash);
  const then = abandoned.map((block) => toDisplayHex(block.hash));
  t.deepEqual(hashes, [now(5), then[0], then[1], now(8), now(9)]);
});

test('misbehaves on request: another network', async (t) => {
  const { devnet, client } = await startServer(t);
  devnet.compact.misbehave({ kind: 'other-network' });
  t.is((await client.info()).chainName, 'main');
});

test('a chain without listeners needs no closing to be forgotten', async (t) => {
  const CHAINS = 4;
  const chains = new Reachable();
  for (let i = 0; i < CHAINS; i++)
    chains.watch(new Devnet({ params: regtestParameters(), seed: `chain ${i}` }));
  // The last one may still lie on the stack.
  t.true((await chains.count()) <= 1);
  t.is(chains.watched, CHAINS);
});
