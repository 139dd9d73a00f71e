// Tree states and subtree roots as the chain side hands them on: bounded, of the right form, or the other side is named.

import { bytesToHex, equalBytes } from '@wallet-companion/base/bytes';
import { Devnet } from '@wallet-companion/devnet';
import { regtestParameters } from '@wallet-companion/zcash/network';
import { POOLS } from '@wallet-companion/zcash/pools';
import { readRawBlocks } from '@wallet-companion/zcash/test/fixtures';
import { EMPTY_TREES, readTreeState, SUBTREE_LEAVES } from '@wallet-companion/zcash/trees';
import test from 'ava';
import { collectSubtreeRoots } from '#chain/source/subtreeRoots';
import { FixtureNode, ORDINARY, Refusal } from '../../helpers/fixtureNode.ts';
import { openPatientCompact, openPatientNode } from '../../helpers/waits.ts';

const place = {
  find: () => undefined,
  open: () => {
    throw new Error('no store is needed');
  },
};

const rootsTo = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ root: new Uint8Array(32).fill(i), endHeight: 10 * i }));

test('many roots are asked for in pieces, which follow each other', async (t) => {
  const all = rootsTo(600);
  const asked: [number, number][] = [];
  const collected = await collectSubtreeRoots('It', 'NODE_BAD_RESPONSE', 600, async (start, limit) => {
    asked.push([start, limit]);
    return all.slice(start, start + limit);
  });
  t.deepEqual(collected, all);
  t.deepEqual(asked, [
    [0, 256],
    [256, 256],
    [512, 88],
  ]);
  t.deepEqual(await collectSubtreeRoots('It', 'NODE_BAD_RESPONSE', 0, () => Promise.reject(new Error())), []);
});

for (const [what, answer] of [
  ['none', []],
  ['more than were asked for', rootsTo(4)],
  ['heights that fall', rootsTo(3).reverse()],
  ['nothing', null],
] as const) {
  test(`roots that are ${what} are refused`, async (t) => {
    const collecting = collectSubtreeRoots('It', 'NODE_BAD_RESPONSE', 3, async () => answer);
    await t.throwsAsync(collecting, { code: 'NODE_BAD_RESPONSE' });
  });
}

test('no caller can ask for more subtrees than a tree has', async (t) => {
  for (const count of [-1, 1.5, Number.NaN, 2 ** 16 + 1, Number.POSITIVE_INFINITY]) {
    const collecting = collectSubtreeRoots('It', 'NODE_BAD_RESPONSE', count, async () => []);
    await t.throwsAsync(collecting, { code: 'INVALID_RANGE' });
  }
});

for (const source of ['node', 'compact'] as const) {
  test(`${source}: trees and subtrees of a devnet`, async (t) => {
    const devnet = new Devnet({
      seed: t.title,
      startHeight: 100,
      params: regtestParameters({ nu6_3: 103 }),
      initialSizes: { sapling: SUBTREE_LEAVES - 1, orchard: SUBTREE_LEAVES + 5 },
    });
    t.teardown(() => devnet.close());
    devnet.mine({ transactions: [devnet.traffic({ sapling: 3 })] });
    devnet.mine({ transactions: [devnet.traffic({ orchard: 2 })] });
    devnet.mineEmpty(2);
    const chain =
      source === 'node'
        ? openPatientNode({ url: await devnet.node.listen(), cookieFile: null }, devnet.params)
        : openPatientCompact(await devnet.compact.listen(), devnet.params).source(place, false);
    t.teardown(() => chain.close());
    for (const height of [99, 101, 103]) {
      const reported = (await chain.treeStates(height))!;
      const block = devnet.blocks.at(height)!;
      t.true(equalBytes(reported.hash, block.hash));
      for (const pool of POOLS) {
        t.is(readTreeState(reported.states[pool]).size, block.treeSizes[pool]);
        if (source === 'compact' || (pool === 'ironwood' && height < 103)) t.is(reported.roots[pool], null);
        else {
          const root = devnet.trees[pool].rootAfter(block);
          t.deepEqual(reported.roots[pool], pool === 'sapling' ? root.toReversed() : root);
        }
      }
    }
    t.is(await chain.treeStates(104), null);
    const [sapling] = await chain.subtreeRoots('sapling', 1);
    t.is(sapling!.endHeight, 100);
    const [orchard] = await chain.subtreeRoots('orchard', 1);
    t.is(orchard!.endHeight, 99);
    t.deepEqual(orchard!.root, readTreeState((await chain.treeStates(99))!.states.orchard).ommers[16]);
    const side = source === 'node' ? 'NODE' : 'COMPACT_SERVER';
    await t.throwsAsync(chain.subtreeRoots('ironwood', 1), { code: `${side}_BAD_RESPONSE` });
    await t.throwsAsync(chain.subtreeRoots('sapling', 2), { code: `${side}_BAD_RESPONSE` });
  });
}

const ROOT = 'ab'.repeat(32);
const commitments = (finalState: unknown, finalRoot: unknown = ROOT) => ({
  commitments: { finalRoot, finalState },
});
for (const [what, method, result] of [
  ['a state that is no hex', 'z_gettreestate', { sapling: commitments('xy') }],
  ['a root that is no hex', 'z_gettreestate', { sapling: commitments('000000', '1') }],
  ['a state of a tree too deep', 'z_gettreestate', { sapling: commitments('00'.repeat(1_091)) }],
  ['a root too long', 'z_gettreestate', { sapling: commitments('000000', '00'.repeat(33)) }],
  ['a state that is no text', 'z_gettreestate', { sapling: commitments(5) }],
  ['no object', 'z_gettreestate', 'x'],
  ['a refusal', 'z_gettreestate', new Refusal(-32601)],
  ['a root too short', 'z_getsubtreesbyindex', { subtrees: [{ root: 'ab', end_height: 5 }] }],
  ['a height that is none', 'z_getsubtreesbyindex', { subtrees: [{ root: ROOT, end_height: -5 }] }],
  ['a refusal', 'z_getsubtreesbyindex', new Refusal(-32601)],
  [
    'more than were asked for',
    'z_getsubtreesbyindex',
    { subtrees: Array.from({ length: 2 }, () => ({ root: ROOT, end_height: 5 })) },
  ],
] as const) {
  test(`a node that answers ${method} with ${what} is named`, async (t) => {
    const node = await FixtureNode.start({
      chain: 'test',
      firstHeight: 1,
      blocks: readRawBlocks('known-seed', 'zebra-recorded', 'raw-blocks.hex').slice(0, 3),
      treesBefore: EMPTY_TREES,
    });
    t.teardown(() => node.stop());
    node.answer = (asked) => (asked === method ? result : ORDINARY);
    const chain = openPatientNode({ url: node.url, cookieFile: null }, regtestParameters({ nu6_3: 20 }));
    t.teardown(() => chain.close());
    const asking: Promise<unknown> =
      method === 'z_gettreestate' ? chain.treeStates(2) : chain.subtreeRoots('orchard', 1);
    const { message } = (await t.throwsAsync(asking, { code: 'NODE_BAD_RESPONSE' }))!;
    t.true(message.includes('127.0.0.1'), message);
  });
}

test('a compact server that fails, does not know the call or speaks nonsense is named', async (t) => {
  const devnet = new Devnet({ seed: t.title, startHeight: 100, initialSizes: { sapling: SUBTREE_LEAVES } });
  t.teardown(() => devnet.close());
  devnet.mineEmpty(2);
  const chain = openPatientCompact(await devnet.compact.listen(), devnet.params).source(place, false);
  t.teardown(() => chain.close());
  t.is((await chain.subtreeRoots('sapling', 1)).length, 1);
  for (const method of ['GetSubtreeRoots', 'GetTreeState'] as const) {
    for (const [kind, code] of [
      ['garbage', 'COMPACT_SERVER_BAD_RESPONSE'],
      ['not-offered', 'COMPACT_SERVER_BAD_RESPONSE'],
      ['error', 'COMPACT_SERVER_UNREACHABLE'],
    ] as const) {
      devnet.compact.misbehave({ kind, method });
      const asking: Promise<unknown> =
        method === 'GetSubtreeRoots' ? chain.subtreeRoots('sapling', 1) : chain.treeStates(101);
      await t.throwsAsync(asking, { code }, `${method} ${kind}`);
      devnet.compact.behave();
    }
  }
  t.is(bytesToHex((await chain.treeStates(101))!.hash), bytesToHex(devnet.tip.hash));
});
