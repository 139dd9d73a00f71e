// The made-up history of `npm run bench history`: its shape is the main chain's, its outputs are what they pass for, and
// a wallet that reads it has the planned balance after each era.

import { bytesToHex, concatBytes } from '@wallet-companion/base/bytes';
import { AT_LENGTH } from '@wallet-companion/base/test/atLength';
import { encodeFrontier, seededRandomness } from '@wallet-companion/devnet/chain';
import { CompactServer } from '@wallet-companion/devnet/servers';
import { encodeCompactBlock } from '@wallet-companion/zcash/compactBlocks';
import { tryDecodePallas } from '@wallet-companion/zcash/curves';
import { SAPLING } from '@wallet-companion/zcash/notes';
import { POOLS, perActionPool } from '@wallet-companion/zcash/pools';
import { decodeCompactBlock } from '@wallet-companion/zcash/test/compactDecoder';
import { readFixtureLines } from '@wallet-companion/zcash/test/fixtures';
import { poolSizes } from '@wallet-companion/zcash/test/perPool';
import { addLeaves, EMPTY_TREES, leafCount, subtractLeaves } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { MNEMONIC } from '../../bench/chains/benchWallet.ts';
import { sizedFrontier } from '../../bench/chains/sizedTrees.ts';
import { historyView, MadeBlocks } from '../../bench/history/madeBlocks.ts';
import { MAIN_CHAIN_SHAPE } from '../../bench/history/mainChainShape.ts';
import { OutputPool } from '../../bench/history/outputPool.ts';
import { balanceAfter, ownTransactions } from '../../bench/history/ownTransactions.ts';
import { HistoryPlan } from '../../bench/history/plan.ts';
import { frontierHex } from '../helpers/fixtureNode.ts';
import { startService } from '../helpers/service.ts';

const PART = 50_000;
const plan = new HistoryPlan(1 / PART);
const own = ownTransactions(plan);
const blocks = new MadeBlocks(plan, own);

const countsOf = (bytes: Uint8Array) =>
  decodeCompactBlock(bytes).transactions.reduce(
    (sizes, { outputs, actions }) =>
      addLeaves(sizes, {
        sapling: outputs.length,
        ...perActionPool((pool) => actions[pool].length),
      }),
    EMPTY_TREES,
  );

test('the whole history has the outputs of the main chain, era by era', (t) => {
  const whole = new HistoryPlan(1);
  t.is(whole.tip, 3_444_780 - 419_200);
  t.deepEqual(
    whole.sizesAfter(whole.tip),
    poolSizes({ sapling: 73_944_707, orchard: 50_362_760, ironwood: 48_335 }),
  );
  const millions = whole.eras.map(({ name, first, last }) => {
    const sizes = subtractLeaves(whole.sizesAfter(last), whole.sizesAfter(first - 1));
    return [name, last - first + 1, ...POOLS.map((pool) => Math.round(sizes[pool] / 1e5) / 10)];
  });
  t.deepEqual(millions, [
    ['before the floods', 1_280_800, 1.2, 0, 0],
    ['first flood', 130_000, 67.1, 5.7, 0],
    ['second flood', 370_000, 4.7, 43, 0],
    ['quiet', 400_000, 0.5, 0.3, 0],
    ['today', 828_142, 0.5, 1.3, 0],
    ['since Ironwood', 16_638, 0, 0.1, 0],
  ]);
});

test('a row of the table is met exactly, and between two nothing goes down', (t) => {
  const whole = new HistoryPlan(1);
  for (const [height, sapling, orchard, ironwood] of MAIN_CHAIN_SHAPE.slice(1)) {
    t.deepEqual(whole.sizesAfter(height - 419_200), { sapling, orchard, ironwood });
  }
  for (let height = 1; height <= plan.tip; height++) {
    const counts = subtractLeaves(plan.sizesAfter(height), plan.sizesAfter(height - 1));
    t.true(POOLS.every((pool) => counts[pool] >= 0));
  }
});

test('no height that was measured, up to where the history ends, is missed by more than the table says', (t) => {
  const whole = new HistoryPlan(1);
  const [, ...lines] = readFixtureLines('main-chain-outputs.csv');
  for (const line of lines) {
    const [height, , sapling, orchard, ironwood] = line.split(',').map(Number) as [number, ...number[]];
    if (height - 419_200 > whole.tip) continue;
    const sizes = whole.sizesAfter(height - 419_200);
    const truth = [sapling!, orchard!, ironwood!];
    const off = POOLS.reduce((sum, pool, i) => sum + Math.abs(sizes[pool] - truth[i]!), 0);
    t.true(off <= 20_010, `${height}: ${off} outputs`);
  }
  t.true(lines.length > 800);
});

for (const part of [1, 50, 2_000, PART]) {
  test(`1/${part}: the same part of every era, and no pool before its upgrade`, (t) => {
    const { eras, params, tip, ...rest } = { ...members(new HistoryPlan(1 / part)) };
    t.is(eras[0]?.first, 1);
    t.is(eras.at(-1)?.last, tip);
    t.true(eras.every(({ first, last }, i) => last >= first && first === (eras[i - 1]?.last ?? 0) + 1));
    const [sizes, all] = [rest.sizesAfter(tip), new HistoryPlan(1).sizesAfter(3_025_580)];
    for (const pool of POOLS) t.true(Math.abs(sizes[pool] - all[pool] / part) <= 1);
    const { nu5, nu6_3: ironwood } = params.activation;
    t.is(rest.sizesAfter(nu5 - 1).orchard, 0);
    t.is(rest.sizesAfter(ironwood! - 1).ironwood, 0);
  });
}

const members = (of: HistoryPlan) => ({
  eras: of.eras,
  params: of.params,
  tip: of.tip,
  sizesAfter: (height: number) => of.sizesAfter(height),
});

test('prepared outputs are all different, and valid', (t) => {
  for (const pool of POOLS) {
    const size = 500;
    const outputs = new OutputPool(pool, size, seededRandomness('test'));
    const seen = new Set<string>();
    for (let i = 0; i < size; i++) seen.add(bytesToHex(outputs.slice(i, 1)));
    t.is(seen.size, size);
    t.deepEqual(outputs.slice(size + 3, 1), outputs.slice(3, 1), 'the row begins again');
    const around = outputs.slice(size - 2, 5);
    t.deepEqual(around, concatBytes(outputs.slice(size - 2, 2), outputs.slice(0, 3)));
  }
});

test('blocks link, hold what the plan says, and are what a server would send', (t) => {
  for (let height = 1; height <= plan.tip; height++) {
    const bytes = blocks.at(height)!.compact;
    const block = decodeCompactBlock(bytes);
    t.is(block.height, height);
    t.deepEqual(block.prevHash, blocks.at(height - 1)?.hash);
    t.deepEqual(block.treeSizes, blocks.sizesAfter(height));
    t.deepEqual(countsOf(bytes), subtractLeaves(blocks.sizesAfter(height), blocks.sizesAfter(height - 1)));
    t.deepEqual(new Uint8Array(encodeCompactBlock(block)), new Uint8Array(bytes));
    for (const { outputs, actions } of block.transactions) {
      for (const { ephemeralKey } of outputs) t.not(SAPLING.decodeEphemeralKey(ephemeralKey), undefined);
      for (const { ephemeralKey } of [...actions.orchard, ...actions.ironwood]) {
        t.not(tryDecodePallas(ephemeralKey), undefined);
      }
    }
    t.deepEqual(blocks.at(height)?.compact, bytes, 'and is the same when it is asked for again');
  }
  t.is(blocks.at(plan.tip + 1), undefined);
});

test('a made-up frontier has the size that it is asked for', (t) => {
  for (const size of [0, 1, 2, 3, 4, 5, 8, 9, 1_000, 73_944_707]) {
    const { left, right, parents } = sizedFrontier(size);
    const counted =
      (left === undefined ? 0 : 1) +
      (right === undefined ? 0 : 1) +
      parents.reduce((sum, node, i) => (node === undefined ? sum : sum + 2 ** (i + 1)), 0);
    t.is(counted, size);
  }
  t.true(bytesToHex(encodeFrontier(sizedFrontier(5))).startsWith(frontierHex(5).slice(0, 68)));
});

// A scan like any other: preparedChain.full.test.ts has the short one.
if (AT_LENGTH)
  test('a wallet that reads the history has the planned balance after each era', async (t) => {
    const server = new CompactServer(historyView(plan, blocks));
    const service = await startService(t, {
      config: {
        network: 'regtest',
        node_url: 'http://127.0.0.1:9',
        compact_server_url: await server.listen(),
        activation_heights: plan.params.activation,
      },
    });
    t.teardown(async () => {
      await service.stop();
      await server.close();
    });
    await service.post('/api/wallet/restore', { mnemonic: MNEMONIC, password: 'bench', birthday_height: 1 });
    let outputs = 0;
    for (const { last } of plan.eras) {
      const { body } = await service.post('/api/sync', { source: 'compact', end_height: last });
      t.is(body['last_scan_height'], last);
      outputs += Number(body['outputs_scanned']);
      const balance = await service.get('/api/balance');
      t.is(balance.body['total_zatoshi'], balanceAfter(own, last));
    }
    t.is(outputs, leafCount(blocks.sizesAfter(plan.tip)));
    const paid = own.filter(({ change }) => change > 0);
    t.true(paid.length >= 6 * 12 && own.length > paid.length, 'notes in every era, and some are spent');
    const notes = await service.get<{ notes: { spent: unknown }[] }>('/api/notes?limit=1000');
    t.is(notes.body.notes.length, paid.length);
    const { body } = await service.get<{ transactions: { complete: boolean }[] }>(
      '/api/transactions?limit=1000',
    );
    t.is(body.transactions.length, own.length, 'our transactions can be had in full');
  });
